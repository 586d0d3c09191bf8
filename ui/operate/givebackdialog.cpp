// SPDX-License-Identifier: Apache-2.0
#include "ui/operate/givebackdialog.h"

#include "ui/base/helptip.h"
#include "ui/base/inlinemessage.h"
#include "ui/base/plainlabel.h"
#include "ui/base/retranslating.h"
#include "ui/connections/connectionbadge.h"
#include "ui/operate/changechoices.h"
#include "ui/operate/changeheadline.h"
#include "ui/operate/forcetexts.h"
#include "ui/operate/sentcommandsview.h"
#include "ui/words/locktext.h"
#include "ui/words/synchronizertext.h"

#include <QComboBox>
#include <QFormLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QVBoxLayout>

#include <algorithm>

namespace lockkeeper::ui {

namespace {

constexpr int giveBackWidth = 36;         // heights of a line
constexpr qsizetype nameInGiveBack = 32;  // characters of the name
constexpr auto givesBack = control::ChangeKind::GiveBackPermit;

}  // namespace

GiveBackDialog::GiveBackDialog(const monitor::Synchronizer& semaphore, const ViewTime& time, QWidget* parent)
    : ChangeDialog(QStringLiteral("giveBack"), parent),
      m_semaphore(semaphore),
      m_permits(overLeases(semaphore, time)),
      m_time(time),
      m_headline(new ChangeHeadline(this)),
      m_permitCaption(plainLabel(this)),
      m_permit(new QComboBox(this)),
      m_warning(new InlineMessage(this)),
      m_commands(new SentCommandsView(this)) {
    m_permit->setObjectName(QStringLiteral("giveBackPermit"));
    makeLayout();
    connect(m_permit, &QComboBox::currentIndexChanged, this, &GiveBackDialog::showMissing);
    connect(m_commands, &SentCommandsView::foldChanged, this, &GiveBackDialog::showMissing);
    connect(m_button, &QPushButton::clicked, this, &GiveBackDialog::request);
    keepTranslated(*this, [this] { retranslate(); });
    m_reason->setFocus();
}

void GiveBackDialog::makeLayout() {
    auto* form = new QFormLayout;
    form->addRow(m_permitCaption, m_permit);
    m_permitCaption->setBuddy(m_permit);
    addFields(*form);
    auto* layout = new QVBoxLayout;
    layout->setSpacing(10);
    layout->addWidget(m_connection);
    layout->addWidget(m_headline);
    layout->addLayout(form);
    layout->addWidget(m_missing);
    layout->addWidget(m_warning);
    layout->addWidget(m_commands, 1);
    layout->addStretch(0);
    setContent(layout, {buttonBox()});
    setUsualWidth(giveBackWidth);
    orderTabs({m_permit}, m_commands->tabOrder());
}

void GiveBackDialog::retranslate() {
    setWindowTitle(tr("Return a permit"));
    m_permitCaption->setText(tr("&Permit:"));
    m_permit->setAccessibleName(tr("Permit"));
    m_name->setAccessibleName(tr("Name of the semaphore"));
    askFor(nameProof(m_semaphore.name), tr("type the name of the semaphore: this is production"));
    retranslateFields();
    m_warning->setMessage({Tone::Warning, changeWarning(givesBack)});
    m_button->setText(withoutMnemonic(changeTitle(chosen(), plainName(m_semaphore.name, nameInGiveBack))));
    fillPermits();
    showMissing();
}

void GiveBackDialog::fillPermits() {
    const int current = std::max(m_permit->currentIndex(), 0);
    m_permit->clear();
    for (const monitor::PermitLease& permit : m_permits)
        m_permit->addItem(leaseText(permit, m_time));
    m_permit->setCurrentIndex(current);
    m_permit->setEnabled(m_permit->count() > 1);
}

void GiveBackDialog::follow(const monitor::Synchronizer* now) {
    if (now) {
        m_semaphore = *now;
    } else {
        m_semaphore.leases.clear();
        m_semaphore.leased = 0;
    }
    showMissing();
}

// Only the leases that end first are read: one that is missing may end later than all of them now.
QString GiveBackDialog::newsOf(const monitor::PermitLease& permit) const {
    const std::vector<monitor::PermitLease>& now = m_semaphore.leases;
    const auto same = std::ranges::find(now, permit.id, &monitor::PermitLease::id);
    if (same != now.end())
        return same->ends == permit.ends ? QString() : tr("This permit has another lease meanwhile: choose again.");
    if (m_semaphore.leased && *m_semaphore.leased <= static_cast<qint64>(now.size()))
        return tr("This permit has been returned meanwhile.");
    const bool isBeforeLast = !now.empty() && (!now.back().ends || *now.back().ends > *permit.ends);
    return isBeforeLast ? tr("This permit has been returned, or its lease extended meanwhile.") : QString();
}

void GiveBackDialog::setRefusal(const QString& refusal) {
    m_refusal = refusal;
    showMissing();
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
    if (m_permits.empty())
        return tr("No lease of its permits is over.");
    if (const QString news = newsOf(*chosen().permit); !news.isEmpty())
        return news;
    if (!m_refusal.isEmpty())
        return m_refusal;
    return missingInFields(nameProof(m_semaphore.name),
                           tr("Type the name of the semaphore, because %1 is production.").arg(m_server));
}

void GiveBackDialog::showMissing() {
    const QString missing = missingText();
    m_headline->setChange(chosen(), m_semaphore.name);
    m_missing->setText(missing);
    m_button->setEnabled(missing.isEmpty());
    m_button->setToolTip(helpTip(missing));
    if (!m_commands->isUnfolded())
        return;
    monitor::LockSnapshot named;
    named.name = m_semaphore.name;
    m_commands->setCommands(sentCommandsText(named, chosen(), m_time.wallNow()));
}

void GiveBackDialog::request() {
    control::ForceReleaseRequest request;
    request.confirmed.name = m_semaphore.name;
    request.reason = trimmedReason();
    request.change = chosen();
    Q_EMIT giveBackRequested(request);
    accept();
}

}  // namespace lockkeeper::ui

#include "moc_givebackdialog.cpp"
