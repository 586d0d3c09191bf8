// SPDX-License-Identifier: Apache-2.0
#include "ui/dialogs/forcereleasedialog.h"

#include "ui/connections/connectionbadge.h"
#include "ui/detail/wrappedtext.h"
#include "ui/dialogs/growtofit.h"
#include "ui/help/helptip.h"
#include "ui/look/plainlabel.h"
#include "ui/look/retranslating.h"
#include "ui/message/inlinemessage.h"
#include "ui/table/ttlbar.h"
#include "ui/words/identitytext.h"
#include "ui/words/locktext.h"
#include "ui/words/timetext.h"

#include <QDialogButtonBox>
#include <QFormLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QVBoxLayout>

#include <algorithm>

using namespace std::chrono_literals;

namespace lockkeeper::ui {

namespace {

constexpr Milliseconds stateRefreshInterval = 250ms;
constexpr qsizetype confirmedAtMost = 20;
constexpr int usualWidth = 36;  // heights of a line

QString holderLine(const monitor::Holder& holder, const HolderKnowledge& knowledge) {
    const QString address = addressText(knowledge.identities.value(holder.id.client()));
    const QString who = knowledge.aliases.fullDisplay(holder.id);
    const QString mode = modeText(holder);
    const QString count = numberText(holder.count);
    return address.isEmpty() ? ForceReleaseDialog::tr("Held by %1 (%2, count %3)").arg(who, mode, count)
                             : ForceReleaseDialog::tr("Held by %1 (%2, count %3), at %4").arg(who, mode, count, address);
}

QString holderLines(const monitor::LockSnapshot& lock, const HolderKnowledge& knowledge) {
    QStringList lines;
    for (const monitor::Holder& holder : lock.holders.first(std::min(lock.holders.size(), confirmedAtMost)))
        lines << holderLine(holder, knowledge);
    if (lock.holderCount() > lines.size())
        lines << ForceReleaseDialog::tr("and by %Ln more", nullptr,
                                        static_cast<int>(lock.holderCount() - lines.size()));
    return lines.join(QLatin1Char('\n'));
}

QString waitersLine(const monitor::LockSnapshot& lock) {
    if (!lock.fairQueue.isEmpty())
        return ForceReleaseDialog::tr("Waiting: %Ln queued; the head of the queue will be woken", nullptr,
                                      static_cast<int>(queueLength(lock)));
    if (!lock.waiters)
        return ForceReleaseDialog::tr("Waiting: not known");
    if (*lock.waiters == 0)
        return ForceReleaseDialog::tr("Waiting: no client");
    if (lock.monitorsAmongWaiters > 0)
        return ForceReleaseDialog::tr("Waiting: up to %Ln client instance(s), which will be woken", nullptr,
                                      static_cast<int>(*lock.waiters));
    return ForceReleaseDialog::tr("Waiting: %Ln client instance(s), which will be woken", nullptr,
                                  static_cast<int>(*lock.waiters));
}

}  // namespace

bool isSameHold(const monitor::LockSnapshot& confirmed, const monitor::LockSnapshot& now) {
    // Two reads of very many readers name different ones of them.
    if (confirmed.isCut() && now.isCut())
        return true;
    return confirmed.token == now.token && confirmed.holders.size() == now.holders.size() &&
           std::is_permutation(confirmed.holders.begin(), confirmed.holders.end(), now.holders.begin());
}

ForceReleaseDialog::ForceReleaseDialog(const monitor::LockRow& row, const ViewTime& time, Clock& clock, QWidget* parent)
    : QDialog(parent),
      m_time(time),
      m_ticker(clock, stateRefreshInterval),
      m_row(row),
      m_confirmed(row.lock),
      m_connection(new ConnectionBadge(this)),
      m_headline(plainLabel(this)),
      m_facts(new WrappedText(12, this)),
      m_ladder(plainLabel(this)),
      m_warning(new InlineMessage(this)),
      m_change(new InlineMessage(this)),
      m_readAgain(new QPushButton(this)),
      m_reasonCaption(plainLabel(this)),
      m_reason(new QLineEdit(this)),
      m_missing(plainLabel(this)),
      m_force(new QPushButton(this)),
      m_cancel(new QPushButton(this)) {
    makeWidgets();
    makeLayout();
    connect(m_reason, &QLineEdit::textChanged, this, &ForceReleaseDialog::updateForce);
    connect(m_readAgain, &QPushButton::clicked, this, &ForceReleaseDialog::confirmAgain);
    connect(m_force, &QPushButton::clicked, this, &ForceReleaseDialog::requestForce);
    connect(m_cancel, &QPushButton::clicked, this, &ForceReleaseDialog::reject);
    connect(&m_ticker, &Ticker::ticked, this, &ForceReleaseDialog::showTimes);
    m_ticker.set(Ticker::State::Running);
    follow(row);
    keepTranslated(*this, [this] { retranslate(); });
    m_reason->setFocus();
}

void ForceReleaseDialog::retranslate() {
    const QString name = plainName(m_row.lock.name);
    setWindowTitle(tr("Force-release a lock"));
    m_headline->setText(tr("Force-release %1?").arg(shortened(name, 60)));
    m_facts->setAccessibleName(tr("The lock as it is now"));
    m_warning->setMessage(
        {Tone::Warning,
         tr("This does not stop the holder. Two workers may run at once, and the holder's own unlock will fail.")});
    m_readAgain->setText(tr("I have &read it again"));
    m_reasonCaption->setText(tr("&Reason:"));
    m_reason->setAccessibleName(tr("Reason"));
    m_reason->setPlaceholderText(tr("required, for example: worker-7 crashed, ticket 1234"));
    m_force->setText(tr("&Force-release %1").arg(withoutMnemonic(shortened(name, 32))));
    m_cancel->setText(tr("Cancel"));
    showState();
}

void ForceReleaseDialog::makeWidgets() {
    QFont headline = m_headline->font();
    headline.setBold(true);
    headline.setPointSizeF(headline.pointSizeF() * 1.2);
    m_headline->setFont(headline);
    m_headline->setToolTip(helpTip(plainName(m_row.lock.name)));
    m_facts->setObjectName(QStringLiteral("forceFacts"));
    m_ladder->setObjectName(QStringLiteral("forceLadder"));
    m_ladder->setWordWrap(true);
    m_warning->setObjectName(QStringLiteral("forceWarning"));
    m_change->setObjectName(QStringLiteral("forceChange"));
    m_change->addButton(m_readAgain);
    m_readAgain->setObjectName(QStringLiteral("forceReadAgain"));
    m_readAgain->setAutoDefault(false);
    m_reason->setObjectName(QStringLiteral("forceReason"));
    m_missing->setObjectName(QStringLiteral("forceMissing"));
    m_missing->setWordWrap(true);
    m_missing->setForegroundRole(QPalette::PlaceholderText);
    m_force->setObjectName(QStringLiteral("forceButton"));
    m_force->setAutoDefault(false);
    m_cancel->setObjectName(QStringLiteral("forceCancel"));
    m_cancel->setDefault(true);
}

void ForceReleaseDialog::makeLayout() {
    auto* reason = new QFormLayout;
    reason->addRow(m_reasonCaption, m_reason);
    m_reasonCaption->setBuddy(m_reason);
    reason->addRow(QString(), m_missing);
    auto* buttons = new QDialogButtonBox(this);
    buttons->addButton(m_force, QDialogButtonBox::DestructiveRole);
    buttons->addButton(m_cancel, QDialogButtonBox::RejectRole);
    auto* layout = new QVBoxLayout(this);
    layout->setSpacing(12);
    layout->addWidget(m_connection);
    layout->addWidget(m_headline);
    layout->addWidget(m_change);
    layout->addWidget(m_facts);
    layout->addWidget(m_ladder);
    layout->addWidget(m_warning);
    layout->addLayout(reason);
    layout->addStretch(1);
    layout->addWidget(buttons);
    setMinimumWidth(fontMetrics().height() * usualWidth);
}

void ForceReleaseDialog::setConnection(const profile::ProfileLabel& label, const QString& server) {
    m_connection->set(label, server);
}

void ForceReleaseDialog::follow(const monitor::LockRow& row) {
    m_row = row;
    if (!row.lock.isHeld())
        m_standing = Standing::Gone;
    else
        m_standing = isSameHold(m_confirmed, row.lock) ? Standing::Confirmed : Standing::Changed;
    showState();
}

void ForceReleaseDialog::forget() {
    m_row.lock.holders.clear();
    m_standing = Standing::Gone;
    showState();
}

void ForceReleaseDialog::setPermission(const Permission& permission) {
    m_permission = permission;
    showState();
}

void ForceReleaseDialog::setKnowledge(const HolderKnowledge& knowledge) {
    m_knowledge = knowledge;
    showTimes();
}

void ForceReleaseDialog::confirmAgain() {
    m_confirmed = m_row.lock;
    m_standing = Standing::Confirmed;
    showState();
    m_reason->setFocus();
}

void ForceReleaseDialog::showState() {
    if (m_standing == Standing::Changed)
        m_change->setMessage({Tone::Danger, tr("The lock has changed while this was open. Its present state is below.")});
    else if (m_standing == Standing::Gone)
        m_change->setMessage({Tone::Info, tr("The lock is free now. There is nothing to release.")});
    else
        m_change->setMessage({});
    m_readAgain->setVisible(m_standing == Standing::Changed);
    showTimes();
    updateForce();
    growToFit(*this);
}

void ForceReleaseDialog::showTimes() {
    m_facts->setText(factsText());
    m_ladder->setText(ladderText());
    m_ladder->setVisible(m_standing != Standing::Gone);
}

QString ForceReleaseDialog::factsText() const {
    if (!m_row.lock.isHeld())
        return tr("Free");
    const ViewTime& time = m_time.of(m_row.lock);
    QStringList lines{holderLines(m_row.lock, m_knowledge)};
    const QString since = clockText(m_row.hold.sinceWall, time.wallNow());
    const QString age = countText(toMilliseconds(time.moment() - m_row.hold.since));
    lines << (m_row.hold.isBeginSeen() ? tr("Since %1 (for %2)").arg(since, age)
                                       : tr("Since %1 at the latest (%2 or longer)").arg(since, age));
    const QString ttl = ttlBar(m_row, m_time).text;
    lines << tr("TTL: %1").arg(ttl);
    if (m_row.hold.renewals > 0)
        lines << tr("Last renewal: %1 ago").arg(countText(toMilliseconds(time.moment() - m_row.hold.lastRenewal)));
    else
        lines << tr("Last renewal: none seen");
    lines << waitersLine(m_row.lock);
    if (m_row.lock.token)
        lines << tr("Fencing token: %1").arg(*m_row.lock.token);
    return lines.join(QLatin1Char('\n'));
}

QString ForceReleaseDialog::ladderText() const {
    const std::optional<Milliseconds> left = timeLeft(m_row, m_time.of(m_row.lock).moment());
    const QString first = left ? tr("1. Wait: unless it is renewed, it expires by itself in %1.").arg(countText(*left))
                               : tr("1. Waiting does not help: it has no expiry.");
    return tr("Before you force it:\n%1\n2. Ask its owner to release it.\n3. Force it, if neither will do.").arg(first);
}

void ForceReleaseDialog::updateForce() {
    QString missing;
    if (m_standing == Standing::Gone)
        missing = tr("There is nothing to release.");
    else if (!m_permission.isGiven())
        missing = m_permission.refusal;
    else if (m_standing == Standing::Changed)
        missing = tr("Read the new state first.");
    else if (m_row.lock.isCut())
        missing = tr("It has too many readers to compare and release them all in one step.");
    else if (m_reason->text().trimmed().isEmpty())
        missing = tr("A reason is needed.");
    m_missing->setText(missing);
    m_force->setEnabled(missing.isEmpty());
    m_force->setToolTip(helpTip(missing));
}

void ForceReleaseDialog::requestForce() {
    control::ForceReleaseRequest request;
    request.confirmed = m_confirmed;
    request.reason = m_reason->text().trimmed();
    Q_EMIT forceReleaseRequested(request);
    accept();
}

}  // namespace lockkeeper::ui

#include "moc_forcereleasedialog.cpp"
