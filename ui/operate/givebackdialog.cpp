// SPDX-License-Identifier: Apache-2.0
#include "ui/operate/givebackdialog.h"

#include "ui/base/accesskeys.h"
#include "ui/base/helptip.h"
#include "ui/base/inlinemessage.h"
#include "ui/base/plainlabel.h"
#include "ui/base/retranslating.h"
#include "ui/connections/connectionbadge.h"
#include "ui/operate/changechoices.h"
#include "ui/operate/changeheadline.h"
#include "ui/operate/forcetexts.h"
#include "ui/operate/sentcommandsview.h"
#include "ui/words/environmenttext.h"
#include "ui/words/locktext.h"
#include "ui/words/synchronizertext.h"

#include <QComboBox>
#include <QDialogButtonBox>
#include <QFormLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QVBoxLayout>

namespace lockkeeper::ui {

namespace {

constexpr int giveBackWidth = 36;         // heights of a line
constexpr qsizetype nameInGiveBack = 32;  // characters of the name
constexpr auto givesBack = control::ChangeKind::GiveBackPermit;

}  // namespace

GiveBackDialog::GiveBackDialog(const monitor::Synchronizer& semaphore, const ViewTime& time, QWidget* parent)
    : FittedDialog(parent),
      m_semaphore(semaphore),
      m_permits(overLeases(semaphore, time)),
      m_time(time),
      m_connection(new ConnectionBadge(this)),
      m_headline(new ChangeHeadline(this)),
      m_permitCaption(plainLabel(this)),
      m_permit(new QComboBox(this)),
      m_nameCaption(plainLabel(this)),
      m_name(new QLineEdit(this)),
      m_reasonCaption(plainLabel(this)),
      m_reason(new QLineEdit(this)),
      m_missing(plainLabel(this)),
      m_warning(new InlineMessage(this)),
      m_commands(new SentCommandsView(this)),
      m_giveBack(new QPushButton(this)),
      m_cancel(new QPushButton(this)) {
    m_permit->setObjectName(QStringLiteral("giveBackPermit"));
    m_name->setObjectName(QStringLiteral("giveBackName"));
    m_reason->setObjectName(QStringLiteral("giveBackReason"));
    m_missing->setObjectName(QStringLiteral("giveBackMissing"));
    m_missing->setWordWrap(true);
    m_missing->setForegroundRole(QPalette::PlaceholderText);
    m_giveBack->setObjectName(QStringLiteral("giveBackButton"));
    m_giveBack->setAutoDefault(false);
    m_cancel->setDefault(true);
    guard(*m_giveBack);
    for (QLineEdit* field : {m_name, m_reason})
        ignoreAccessKeys(*field);
    makeLayout();
    connect(m_permit, &QComboBox::currentIndexChanged, this, &GiveBackDialog::update);
    connect(m_name, &QLineEdit::textChanged, this, &GiveBackDialog::update);
    connect(m_reason, &QLineEdit::textChanged, this, &GiveBackDialog::update);
    connect(m_commands, &SentCommandsView::foldChanged, this, &GiveBackDialog::update);
    connect(m_giveBack, &QPushButton::clicked, this, &GiveBackDialog::request);
    connect(m_cancel, &QPushButton::clicked, this, &GiveBackDialog::reject);
    keepTranslated(*this, [this] { retranslate(); });
    m_reason->setFocus();
}

void GiveBackDialog::makeLayout() {
    auto* form = new QFormLayout;
    form->addRow(m_permitCaption, m_permit);
    m_permitCaption->setBuddy(m_permit);
    form->addRow(m_nameCaption, m_name);
    m_nameCaption->setBuddy(m_name);
    form->addRow(m_reasonCaption, m_reason);
    m_reasonCaption->setBuddy(m_reason);
    auto* buttons = new QDialogButtonBox(this);
    buttons->addButton(m_giveBack, QDialogButtonBox::DestructiveRole);
    buttons->addButton(m_cancel, QDialogButtonBox::RejectRole);
    auto* layout = new QVBoxLayout;
    layout->setSpacing(10);
    layout->addWidget(m_connection);
    layout->addWidget(m_headline);
    layout->addLayout(form);
    layout->addWidget(m_missing);
    layout->addWidget(m_warning);
    layout->addWidget(m_commands, 1);
    layout->addStretch(0);
    setContent(layout, {buttons});
    setUsualWidth(giveBackWidth);
}

void GiveBackDialog::retranslate() {
    setWindowTitle(tr("Return a permit"));
    m_permitCaption->setText(tr("&Permit:"));
    m_permit->setAccessibleName(tr("Permit"));
    const NameProof proof = nameProof(m_semaphore.name);
    m_nameCaption->setText(proof.isCode ? tr("&Code %1:").arg(proof.expected) : tr("&Name:"));
    m_name->setAccessibleName(tr("Name of the semaphore"));
    m_name->setPlaceholderText(proof.isCode
                                   ? tr("type the code beside: the name is too long to type, or cannot be typed")
                                   : tr("type the name of the semaphore: this is production"));
    m_reasonCaption->setText(tr("&Reason:"));
    m_reason->setAccessibleName(tr("Reason"));
    m_reason->setPlaceholderText(tr("required, for example: worker-7 crashed, ticket 1234"));
    m_warning->setMessage({Tone::Warning, changeWarning(givesBack)});
    m_giveBack->setText(withoutMnemonic(changeTitle(chosen(), plainName(m_semaphore.name, nameInGiveBack))));
    m_cancel->setText(tr("Cancel"));
    fillPermits();
    update();
}

void GiveBackDialog::fillPermits() {
    const int current = std::max(m_permit->currentIndex(), 0);
    m_permit->clear();
    for (const monitor::PermitLease& permit : m_permits)
        m_permit->addItem(leaseText(permit, m_time));
    m_permit->setCurrentIndex(current);
    m_permit->setEnabled(m_permit->count() > 1);
}

void GiveBackDialog::setConnection(const profile::ProfileLabel& label, const QString& server) {
    m_connection->set(label, server);
    m_isProduction = label.environment == profile::Environment::Production;
    m_server = connectionText(label, server);
    m_nameCaption->setVisible(m_isProduction);
    m_name->setVisible(m_isProduction);
    update();
}

void GiveBackDialog::setRefusal(const QString& refusal) {
    m_refusal = refusal;
    update();
}

control::LockChange GiveBackDialog::chosen() const {
    control::LockChange change;
    change.kind = givesBack;
    const auto index = static_cast<size_t>(std::max(m_permit->currentIndex(), 0));
    if (index < m_permits.size())
        change.permit = m_permits[index];
    return change;
}

QString GiveBackDialog::missingText() const {
    const NameProof proof = nameProof(m_semaphore.name);
    if (m_permits.empty())
        return tr("No lease of its permits is over.");
    if (!m_refusal.isEmpty())
        return m_refusal;
    if (m_isProduction && m_name->text() != proof.expected)
        return proof.isCode ? tr("Type the code %1, because %2 is production.").arg(proof.expected, m_server)
                            : tr("Type the name of the semaphore, because %1 is production.").arg(m_server);
    return m_reason->text().trimmed().isEmpty() ? tr("A reason is needed.") : QString();
}

void GiveBackDialog::update() {
    const QString missing = missingText();
    m_headline->setChange(chosen(), m_semaphore.name);
    m_missing->setText(missing);
    m_giveBack->setEnabled(missing.isEmpty());
    m_giveBack->setToolTip(helpTip(missing));
    if (!m_commands->isUnfolded())
        return;
    monitor::LockSnapshot named;
    named.name = m_semaphore.name;
    m_commands->setCommands(sentCommandsText(named, chosen(), m_time.wallNow()));
}

void GiveBackDialog::request() {
    control::ForceReleaseRequest request;
    request.confirmed.name = m_semaphore.name;
    request.reason = m_reason->text().trimmed();
    request.change = chosen();
    Q_EMIT giveBackRequested(request);
    accept();
}

}  // namespace lockkeeper::ui

#include "moc_givebackdialog.cpp"
