// SPDX-License-Identifier: Apache-2.0
#include "ui/dialogs/acquiredialog.h"

#include "ui/connections/connectionbadge.h"
#include "ui/dialogs/durationedit.h"
#include "ui/look/plainlabel.h"
#include "ui/look/retranslating.h"
#include "ui/words/locktext.h"

#include <QDialogButtonBox>
#include <QFormLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QRadioButton>
#include <QVBoxLayout>

using namespace std::chrono_literals;

namespace lockkeeper::ui {

namespace {

constexpr qsizetype longestEdited = 4000;  // bytes of a name

}  // namespace

AcquireDialog::AcquireDialog(QWidget* parent)
    : QDialog(parent),
      m_connection(new ConnectionBadge(this)),
      m_nameCaption(plainLabel(this)),
      m_leaseCaption(plainLabel(this)),
      m_waitCaption(plainLabel(this)),
      m_name(new QLineEdit(this)),
      m_nameHint(plainLabel(this)),
      m_watchdog(new QRadioButton(this)),
      m_fixed(new QRadioButton(this)),
      m_lease(new DurationEdit(1s, 30s, this)),
      m_wait(new DurationEdit(0s, 10s, this)),
      m_acquire(new QPushButton(this)) {
    m_name->setObjectName(QStringLiteral("acquireName"));
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
    connect(m_fixed, &QRadioButton::toggled, this, &AcquireDialog::updateState);
    connect(m_acquire, &QPushButton::clicked, this, &AcquireDialog::requestAcquire);
    keepTranslated(*this, [this] { retranslate(); });
}

void AcquireDialog::retranslate() {
    setWindowTitle(tr("Acquire a lock"));
    m_nameCaption->setText(tr("&Lock:"));
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
    form->addRow(QString(), m_nameHint);
    form->addRow(m_leaseCaption, lease);
    form->addRow(m_waitCaption, m_wait);
    m_nameCaption->setBuddy(m_name);
    m_waitCaption->setBuddy(m_wait);
    auto* buttons = new QDialogButtonBox(this);
    buttons->addButton(m_acquire, QDialogButtonBox::AcceptRole);
    QPushButton* cancel = buttons->addButton(QDialogButtonBox::Cancel);
    cancel->setObjectName(QStringLiteral("acquireCancel"));
    connect(cancel, &QPushButton::clicked, this, &AcquireDialog::reject);
    auto* layout = new QVBoxLayout(this);
    layout->setSpacing(14);
    layout->addWidget(m_connection);
    layout->addLayout(form);
    layout->addStretch(1);
    layout->addWidget(buttons);
}

void AcquireDialog::setConnection(const profile::ProfileLabel& label, const QString& server) {
    m_connection->set(label, server);
}

void AcquireDialog::setName(const LockName& name) {
    // What does not fit into the field would be edited into another name.
    if (name.bytes().size() > longestEdited)
        return;
    m_given = name;
    m_givenText = fullName(name);
    m_name->setText(m_givenText);
    m_name->selectAll();
}

void AcquireDialog::updateState() {
    const QString typed = m_name->text();
    QString hint = tr("A plain reentrant lock, as Redisson's getLock(name) takes it.");
    if (!typed.isEmpty() && typed != typed.trimmed())
        hint = tr("The name begins or ends with a space, which counts as part of it.");
    m_nameHint->setText(hint);
    m_lease->setEnabled(m_fixed->isChecked());
    m_acquire->setEnabled(!typed.isEmpty());
    m_acquire->setText(typed.isEmpty() ? tr("&Acquire") : tr("&Acquire %1").arg(withoutMnemonic(shortened(typed, 32))));
}

LockName AcquireDialog::enteredName() const {
    return m_name->text() == m_givenText ? m_given : LockName(m_name->text().toUtf8());
}

void AcquireDialog::requestAcquire() {
    control::AcquireRequest request;
    request.name = enteredName();
    if (m_fixed->isChecked())
        request.lease = m_lease->duration();
    request.wait = m_wait->duration();
    Q_EMIT acquireRequested(request);
    accept();
}

}  // namespace lockkeeper::ui

#include "moc_acquiredialog.cpp"
