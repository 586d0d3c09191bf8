// SPDX-License-Identifier: Apache-2.0
#include "ui/operate/acquiredialog.h"

#include "ui/base/durationedit.h"
#include "ui/base/plainlabel.h"
#include "ui/base/retranslating.h"
#include "ui/connections/connectionbadge.h"
#include "ui/words/locktext.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QFormLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QRadioButton>
#include <QVBoxLayout>

#include <array>

using namespace std::chrono_literals;

namespace lockkeeper::ui {

namespace {

constexpr qsizetype longestEdited = 4000;  // bytes of a name

using control::OwnLockKind;

constexpr std::array kinds{
    OwnLockKind::Reentrant, OwnLockKind::Fair, OwnLockKind::Fenced,       OwnLockKind::Read,
    OwnLockKind::Write,     OwnLockKind::Spin, OwnLockKind::NonReentrant, OwnLockKind::NonReentrantFair};

// A lock that is held for reading can be read beside its holders.
OwnLockKind kindOf(const monitor::LockSnapshot& lock) {
    const bool isRead = lock.isHeld() && lock.holders.first().mode == monitor::HoldMode::Read;
    switch (lock.kind) {
        case monitor::LockKind::Fair:
            return OwnLockKind::Fair;
        case monitor::LockKind::Fenced:
            return OwnLockKind::Fenced;
        case monitor::LockKind::ReadWrite:
            return isRead ? OwnLockKind::Read : OwnLockKind::Write;
        case monitor::LockKind::Reentrant:
        case monitor::LockKind::FasterMulti:
        case monitor::LockKind::Unknown:
            break;
    }
    return OwnLockKind::Reentrant;
}

QString kindName(OwnLockKind kind) {
    switch (kind) {
        case OwnLockKind::Reentrant:
            return AcquireDialog::tr("Reentrant");
        case OwnLockKind::Fair:
            return AcquireDialog::tr("Fair");
        case OwnLockKind::Fenced:
            return AcquireDialog::tr("Fenced");
        case OwnLockKind::Read:
            return AcquireDialog::tr("Read/write, for reading");
        case OwnLockKind::Write:
            return AcquireDialog::tr("Read/write, for writing");
        case OwnLockKind::Spin:
            return AcquireDialog::tr("Spin");
        case OwnLockKind::NonReentrant:
            return AcquireDialog::tr("Non-reentrant");
        case OwnLockKind::NonReentrantFair:
            return AcquireDialog::tr("Non-reentrant, fair");
    }
    return {};
}

QString kindHint(OwnLockKind kind) {
    switch (kind) {
        case OwnLockKind::Reentrant:
            return AcquireDialog::tr("As Redisson's getLock(name) takes it.");
        case OwnLockKind::Fair:
            return AcquireDialog::tr("As Redisson's getFairLock(name) takes it: it queues behind the others.");
        case OwnLockKind::Fenced:
            return AcquireDialog::tr("As Redisson's getFencedLock(name) takes it: with a new fencing token.");
        case OwnLockKind::Read:
            return AcquireDialog::tr("As getReadWriteLock(name).readLock() of Redisson: beside other readers.");
        case OwnLockKind::Write:
            return AcquireDialog::tr("As getReadWriteLock(name).writeLock() of Redisson.");
        case OwnLockKind::Spin:
            return AcquireDialog::tr("As Redisson's getSpinLock(name) takes it: its release wakes nobody.");
        case OwnLockKind::NonReentrant:
            return AcquireDialog::tr(
                "As Redisson's getNonReentrantLock(name) takes it: only once. Its keys look like a reentrant lock's.");
        case OwnLockKind::NonReentrantFair:
            return AcquireDialog::tr(
                "As Redisson's getNonReentrantFairLock(name) takes it: only once. Its keys look like a fair lock's.");
    }
    return {};
}

}  // namespace

AcquireDialog::AcquireDialog(QWidget* parent)
    : FittedDialog(parent),
      m_connection(new ConnectionBadge(this)),
      m_nameCaption(plainLabel(this)),
      m_leaseCaption(plainLabel(this)),
      m_waitCaption(plainLabel(this)),
      m_kindCaption(plainLabel(this)),
      m_name(new QLineEdit(this)),
      m_kind(new QComboBox(this)),
      m_extend(new QCheckBox(this)),
      m_nameHint(plainLabel(this)),
      m_watchdog(new QRadioButton(this)),
      m_fixed(new QRadioButton(this)),
      m_lease(new DurationEdit(1s, 30s, this)),
      m_wait(new DurationEdit(0s, 10s, this)),
      m_acquire(new QPushButton(this)) {
    m_name->setObjectName(QStringLiteral("acquireName"));
    m_kind->setObjectName(QStringLiteral("acquireKind"));
    for (const OwnLockKind kind : kinds)
        m_kind->addItem(QString(), static_cast<int>(kind));
    m_extend->setObjectName(QStringLiteral("acquireExtend"));
    m_nameHint->setObjectName(QStringLiteral("acquireNameHint"));
    m_nameHint->setForegroundRole(QPalette::PlaceholderText);
    m_watchdog->setObjectName(QStringLiteral("acquireWatchdog"));
    m_watchdog->setChecked(true);
    m_fixed->setObjectName(QStringLiteral("acquireFixed"));
    m_lease->setObjectName(QStringLiteral("acquireLease"));
    m_wait->setObjectName(QStringLiteral("acquireWait"));
    m_acquire->setObjectName(QStringLiteral("acquireButton"));
    m_acquire->setDefault(true);
    makeLayout();
    connect(m_name, &QLineEdit::textChanged, this, &AcquireDialog::updateState);
    connect(m_kind, &QComboBox::currentIndexChanged, this, &AcquireDialog::updateState);
    connect(m_extend, &QCheckBox::toggled, this, &AcquireDialog::updateState);
    connect(m_fixed, &QRadioButton::toggled, this, &AcquireDialog::updateState);
    connect(m_acquire, &QPushButton::clicked, this, &AcquireDialog::requestAcquire);
    keepTranslated(*this, [this] { retranslate(); });
}

void AcquireDialog::retranslate() {
    setWindowTitle(tr("Acquire a lock"));
    m_nameCaption->setText(tr("&Lock:"));
    m_kindCaption->setText(tr("&Kind:"));
    m_kind->setAccessibleName(tr("Kind of lock"));
    for (int i = 0; i < m_kind->count(); ++i)
        m_kind->setItemText(i, kindName(static_cast<OwnLockKind>(m_kind->itemData(i).toInt())));
    m_extend->setText(tr("&Extend the lease of the hold that this console has, instead of one more hold"));
    m_leaseCaption->setText(tr("Lease:"));
    m_waitCaption->setText(tr("&Wait at most:"));
    m_name->setAccessibleName(tr("Name of the lock"));
    m_name->setPlaceholderText(tr("for example orders/{42}"));
    m_watchdog->setText(tr("&Renewed by the watchdog for as long as this program runs"));
    m_fixed->setText(tr("&Fixed lease, expires after:"));
    m_lease->setWhat(tr("Lease"));
    m_wait->setWhat(tr("Wait"));
    m_wait->setZeroText(tr("0, try once"));
    updateState();
}

void AcquireDialog::makeLayout() {
    auto* lease = new QVBoxLayout;
    lease->addWidget(m_watchdog);
    lease->addWidget(m_fixed);
    auto* indented = new QHBoxLayout;
    indented->addSpacing(24);
    indented->addWidget(m_lease);
    lease->addLayout(indented);
    auto* form = new QFormLayout;
    form->setVerticalSpacing(10);
    form->addRow(m_nameCaption, m_name);
    form->addRow(m_kindCaption, m_kind);
    form->addRow(QString(), m_nameHint);
    form->addRow(QString(), m_extend);
    m_kindCaption->setBuddy(m_kind);
    form->addRow(m_leaseCaption, lease);
    form->addRow(m_waitCaption, m_wait);
    m_nameCaption->setBuddy(m_name);
    m_waitCaption->setBuddy(m_wait);
    auto* buttons = new QDialogButtonBox(this);
    buttons->addButton(m_acquire, QDialogButtonBox::AcceptRole);
    QPushButton* cancel = buttons->addButton(QDialogButtonBox::Cancel);
    cancel->setObjectName(QStringLiteral("acquireCancel"));
    connect(cancel, &QPushButton::clicked, this, &AcquireDialog::reject);
    auto* layout = new QVBoxLayout;
    layout->setSpacing(14);
    layout->addWidget(m_connection);
    layout->addLayout(form);
    layout->addStretch(1);
    setContent(layout, {buttons});
}

void AcquireDialog::setConnection(const profile::ProfileLabel& label, const QString& server) {
    m_connection->set(label, server);
}

void AcquireDialog::setLock(const monitor::LockSnapshot& lock, const QList<control::OwnLock>& own) {
    const LockName& name = lock.name;
    m_own = own;
    m_kind->setCurrentIndex(m_kind->findData(static_cast<int>(kindOf(lock))));
    // A name that does not fit into the field would be edited into another name.
    if (name.bytes().size() > longestEdited)
        return;
    m_given = name;
    m_givenText = fullName(name);
    m_name->setText(m_givenText);
    m_name->selectAll();
    // The keys of a lock do not show every kind.
    for (const control::OwnLock& held : own) {
        if (held.name == name && !held.isQuarantine)
            m_kind->setCurrentIndex(m_kind->findData(static_cast<int>(held.kind)));
    }
    updateState();
}

control::OwnLockKind AcquireDialog::kind() const {
    return static_cast<OwnLockKind>(m_kind->currentData().toInt());
}

// Each hold of a reader has a lease of its own, which ends with the hold.
const control::OwnLock* AcquireDialog::extended() const {
    if (kind() == OwnLockKind::Read)
        return nullptr;
    for (const control::OwnLock& held : m_own) {
        if (held.name == enteredName() && held.kind == kind() && !held.isQuarantine)
            return &held;
    }
    return nullptr;
}

QString AcquireDialog::hint() const {
    const QString typed = m_name->text();
    if (!typed.isEmpty() && typed != typed.trimmed())
        return tr("The name begins or ends with a space, which counts as part of it.");
    const control::OwnLock* held = extended();
    if (held && held->token)
        return tr("This console holds it with fencing token %1. Each acquire, and each extension, takes a new one.")
            .arg(*held->token);
    return kindHint(kind());
}

void AcquireDialog::updateState() {
    const QString typed = m_name->text();
    const QString name = withoutMnemonic(shortened(typed, 32));
    const bool canExtend = extended() != nullptr;
    m_extend->setVisible(canExtend);
    const bool extends = canExtend && m_extend->isChecked();
    m_nameHint->setText(hint());
    m_lease->setEnabled(m_fixed->isChecked());
    m_wait->setEnabled(!extends);
    m_acquire->setEnabled(!typed.isEmpty());
    if (typed.isEmpty())
        m_acquire->setText(tr("&Acquire"));
    else
        m_acquire->setText(extends ? tr("&Extend %1").arg(name) : tr("&Acquire %1").arg(name));
}

LockName AcquireDialog::enteredName() const {
    return m_name->text() == m_givenText ? m_given : LockName(m_name->text().toUtf8());
}

void AcquireDialog::requestAcquire() {
    control::AcquireRequest request;
    request.name = enteredName();
    if (m_fixed->isChecked())
        request.lease = m_lease->duration();
    request.kind = kind();
    request.extends = extended() && m_extend->isChecked();
    if (!request.extends)
        request.wait = m_wait->duration();
    Q_EMIT acquireRequested(request);
    accept();
}

}  // namespace lockkeeper::ui

#include "moc_acquiredialog.cpp"
