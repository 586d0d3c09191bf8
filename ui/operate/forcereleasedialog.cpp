// SPDX-License-Identifier: Apache-2.0
#include "ui/operate/forcereleasedialog.h"

#include "control/plannedcommands.h"
#include "ui/base/durationedit.h"
#include "ui/base/helptip.h"
#include "ui/base/inlinemessage.h"
#include "ui/base/plainlabel.h"
#include "ui/base/retranslating.h"
#include "ui/base/wrappedtext.h"
#include "ui/connections/connectionbadge.h"
#include "ui/operate/changeheadline.h"
#include "ui/operate/forcetexts.h"
#include "ui/operate/sentcommandsview.h"
#include "ui/words/causetext.h"

#include <QCheckBox>
#include <QComboBox>
#include <QFormLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalBlocker>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

using namespace std::chrono_literals;

namespace lockkeeper::ui {

namespace {

constexpr Milliseconds stateRefreshInterval = 250ms;
constexpr int usualWidth = 36;  // heights of a line
// The key of the button for every kind of change, whatever its text begins with. No other control of the dialog has
// it.
constexpr QKeyCombination forceKey = Qt::ALT | Qt::Key_F;
constexpr Milliseconds longestQuarantine = 60s;
constexpr qsizetype longestInButton = 32;  // characters of the lock's name

}  // namespace

ForceReleaseDialog::ForceReleaseDialog(const monitor::LockRow& row, const ViewTime& time, Clock& clock, QWidget* parent)
    : ChangeDialog(QStringLiteral("force"), parent),
      m_viewTime(time),
      m_clock(clock),
      m_ticker(clock, stateRefreshInterval),
      m_row(row),
      m_confirmed(row.lock),
      m_headline(new ChangeHeadline(this)),
      m_facts(new WrappedText(8, this)),
      m_ladder(plainLabel(this)),
      m_findOut(new QPushButton(this)),
      m_choiceCaption(plainLabel(this)),
      m_choice(new QComboBox(this)),
      m_removeDead(new QCheckBox(this)),
      m_time(new DurationEdit(1s, 30s, this)),
      m_warning(new InlineMessage(this)),
      m_news(new InlineMessage(this)),
      m_readAgain(new QPushButton(this)),
      m_commands(new SentCommandsView(this)) {
    makeWidgets();
    makeChoice();
    makeLayout();
    connect(m_readAgain, &QPushButton::clicked, this, &ForceReleaseDialog::confirmAgain);
    connect(m_findOut, &QPushButton::clicked, this, &ForceReleaseDialog::findOut);
    connect(m_button, &QPushButton::clicked, this, &ForceReleaseDialog::requestForce);
    connect(&m_ticker, &Ticker::ticked, this, &ForceReleaseDialog::showTimes);
    m_ticker.set(Ticker::State::Running);
    follow(row);
    keepTranslated(*this, [this] { retranslate(); });
    m_reason->setFocus();
}

void ForceReleaseDialog::retranslate() {
    showTitle();
    m_facts->setAccessibleName(tr("The lock as it is now"));
    m_findOut->setText(tr("Find &out who"));
    m_choiceCaption->setText(tr("&What to do:"));
    m_choice->setAccessibleName(tr("What to do"));
    m_time->setWhat(tr("For how long"));
    m_readAgain->setText(tr("I have read it &again"));
    m_name->setAccessibleName(tr("Name of the lock"));
    askForName();
    retranslateFields();
    fillChoices();
    showState();
}

// The key is what is changed, whatever the program calls it.
void ForceReleaseDialog::askForName() {
    askFor(nameProof(m_row.lock.name), m_knowledge.names.renames(m_row.lock.name)
                                           ? tr("type the key of the lock: this is production")
                                           : tr("type the name of the lock: this is production"));
}

void ForceReleaseDialog::makeWidgets() {
    m_headline->setObjectName(QStringLiteral("forceHeadline"));
    m_facts->setObjectName(QStringLiteral("forceFacts"));
    m_ladder->setObjectName(QStringLiteral("forceLadder"));
    m_ladder->setWordWrap(true);
    m_findOut->setObjectName(QStringLiteral("forceFindOut"));
    m_findOut->setAutoDefault(false);
    m_warning->setObjectName(QStringLiteral("forceWarning"));
    m_news->setObjectName(QStringLiteral("forceChange"));
    m_news->addButton(m_readAgain);
    m_readAgain->setObjectName(QStringLiteral("forceReadAgain"));
    m_readAgain->setAutoDefault(false);
}

void ForceReleaseDialog::makeChoice() {
    m_choice->setObjectName(QStringLiteral("forceChoice"));
    m_choice->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_time->setObjectName(QStringLiteral("forceTime"));
    connect(m_choice, &QComboBox::currentIndexChanged, this, &ForceReleaseDialog::choose);
    m_removeDead->setObjectName(QStringLiteral("forceRemoveDead"));
    connect(m_removeDead, &QCheckBox::toggled, this, [this] {
        showTimes();
        showCommands();
    });
    connect(m_time, &DurationEdit::changed, this, &ForceReleaseDialog::showMissing);
    connect(m_commands, &SentCommandsView::foldChanged, this, &ForceReleaseDialog::foldCommands);
}

void ForceReleaseDialog::makeLayout() {
    auto* form = new QFormLayout;
    form->addRow(m_choiceCaption, m_choice);
    form->addRow(QString(), m_time);
    form->addRow(QString(), m_removeDead);
    m_choiceCaption->setBuddy(m_choice);
    addFields(*form);
    auto* advice = new QHBoxLayout;
    advice->addWidget(m_ladder, 1);
    advice->addWidget(m_findOut, 0, Qt::AlignBottom | Qt::AlignRight);
    auto* layout = new QVBoxLayout;
    layout->setSpacing(10);
    layout->addWidget(m_connection);
    layout->addWidget(m_headline);
    layout->addWidget(m_news);
    layout->addWidget(m_facts);
    layout->addLayout(advice);
    layout->addLayout(form);
    // Not in the form: with a wrapped label in it, Qt 6.4 gives no height to the row of the time, which is hidden at
    // first.
    layout->addWidget(m_missing);
    layout->addWidget(m_warning);
    layout->addWidget(m_commands, 1);
    layout->addStretch(0);
    setContent(layout, {buttonBox()});
    setUsualWidth(usualWidth);
    orderTabs({m_findOut, m_choice, m_time, m_removeDead}, m_commands->tabOrder());
}

void ForceReleaseDialog::setReason(const QString& reason) {
    m_reason->setText(reason);
}

QString ForceReleaseDialog::reason() const {
    return m_reason->text();
}

// ---- what to do ----

// The choice stays while it is offered, and also afterwards: then the dialog says why it cannot be done.
void ForceReleaseDialog::fillChoices() {
    const QSignalBlocker silent(m_choice);
    m_choice->clear();
    for (const control::LockChange& offer : m_offers) {
        m_choice->addItem(choiceText(offer, m_knowledge.aliases));
        if (isSameChange(offer, m_change))
            m_choice->setCurrentIndex(m_choice->count() - 1);
    }
    m_choice->setEnabled(m_choice->count() > 1);
}

void ForceReleaseDialog::showTitle() {
    setWindowTitle(m_change.kind == control::ChangeKind::ReleaseLock ? tr("Force-release a lock")
                                                                     : tr("Change a lock of others"));
}

void ForceReleaseDialog::choose() {
    const int index = m_choice->currentIndex();
    if (index < 0 || index >= m_offers.size())
        return;
    m_change = m_offers[index];
    showTitle();
    m_standing = standingNow();
    showState();
}

// What showed that a waiter is dead may no longer be true.
ChangeStanding ForceReleaseDialog::standingNow() const {
    const QList<control::LockChange> offers = offeredChanges(m_row);
    const auto isChosen = [this](const control::LockChange& offer) { return isSameChange(offer, m_change); };
    const bool isOffered = std::any_of(offers.begin(), offers.end(), isChosen);
    if (m_change.kind == control::ChangeKind::RemoveWaiter && !isOffered)
        return ChangeStanding::Gone;
    return standingOf(m_change, m_confirmed, m_row.lock);
}

control::LockChange ForceReleaseDialog::chosen() const {
    control::LockChange change = m_change;
    if (takesTime(change.kind))
        change.time = m_time->duration();
    return change;
}

void ForceReleaseDialog::findOut() {
    if (m_row.lock.isHeld())
        Q_EMIT identityWanted(m_row.lock.holders.first().id.client(), m_row);
}

void ForceReleaseDialog::showCommands() {
    if (!m_commands->isUnfolded())
        return;
    QString commands;
    for (const control::ForceReleaseRequest& removal : removals())
        commands += sentCommandsText(removal.confirmed, removal.change, m_clock.wallNow()) + u'\n';
    m_commands->setCommands(commands + sentCommandsText(m_confirmed, chosen(), m_clock.wallNow()));
}

void ForceReleaseDialog::foldCommands() {
    showCommands();
    if (!m_commands->isUnfolded())
        shrinkToFit();
}

// ---- the lock as it is ----

void ForceReleaseDialog::follow(const monitor::LockRow& row) {
    m_row = row;
    const QList<control::LockChange> offers = offeredChanges(row);
    const bool isFirst = m_offers.isEmpty();
    if (offers != m_offers && !offers.isEmpty()) {
        m_offers = offers;
        if (isFirst)
            m_change = m_offers.first();
        const auto isChosen = [this](const control::LockChange& offer) { return isSameChange(offer, m_change); };
        // The change as it was confirmed, even if the lock has changed since.
        if (std::none_of(m_offers.begin(), m_offers.end(), isChosen))
            m_offers.prepend(m_change);
        fillChoices();
    }
    m_standing = standingNow();
    showState();
}

void ForceReleaseDialog::preselect(const control::LockChange& wanted) {
    auto offer =
        std::ranges::find_if(m_offers, [&wanted](const control::LockChange& one) { return isSameChange(one, wanted); });
    if (offer == m_offers.end())
        offer = std::ranges::find(m_offers, wanted.kind, &control::LockChange::kind);
    if (offer != m_offers.end())
        m_choice->setCurrentIndex(static_cast<int>(offer - m_offers.begin()));
}

void ForceReleaseDialog::forget() {
    m_row.lock.holders.clear();
    m_standing = ChangeStanding::Gone;
    showState();
}

void ForceReleaseDialog::setPermission(const Permission& permission) {
    m_permission = permission;
    showState();
}

void ForceReleaseDialog::setOwnership(Ownership ownership) {
    if (std::exchange(m_ownership, ownership) != ownership)
        showState();
}

void ForceReleaseDialog::setKnowledge(const HolderKnowledge& knowledge) {
    const bool isOtherName = knowledge.names != m_knowledge.names;
    m_knowledge = knowledge;
    fillChoices();
    if (isOtherName) {
        askForName();
        showState();
    }
    showTimes();
}

void ForceReleaseDialog::confirmAgain() {
    m_confirmed = m_row.lock;
    m_change = changeAsOf(m_change, m_confirmed);
    m_standing = standingOf(m_change, m_confirmed, m_row.lock);
    showState();
    m_reason->setFocus();
}

void ForceReleaseDialog::showState() {
    if (m_standing == ChangeStanding::Changed)
        m_news->setMessage({Tone::Danger, tr("The lock has changed while this was open. Its present state is below.")});
    else if (m_standing == ChangeStanding::Gone)
        m_news->setMessage({Tone::Info, goneText(m_change.kind)});
    else
        m_news->setMessage({});
    m_readAgain->setVisible(m_standing == ChangeStanding::Changed);
    m_headline->setChange(m_change, m_row.lock.name, m_knowledge.names);
    m_button->setText(
        withoutMnemonic(changeTitle(m_change, m_knowledge.names.shown(m_row.lock.name, longestInButton))));
    m_button->setShortcut(forceKey);  // setText() takes it away
    m_warning->setMessage(
        {m_change.kind == control::ChangeKind::WakeWaiters ? Tone::Info : Tone::Warning, changeWarning(m_change.kind)});
    m_time->setVisible(takesTime(m_change.kind));
    showDeadWaiters();
    m_findOut->setVisible(m_row.lock.isHeld() && m_ownership == Ownership::Others);
    showTimes();
    showMissing();
}

// The release of a lock whose head is dead wakes nobody, so its dead waiters can be removed with it. If another one is
// proven dead meanwhile, the operator has to agree again.
void ForceReleaseDialog::showDeadWaiters() {
    using enum control::ChangeKind;
    QList<monitor::FairWaiter> dead = m_row.deadWaiters();
    if (m_change.kind == RemoveWaiter)
        dead.removeIf([this](const monitor::FairWaiter& waiter) { return waiter.id == m_change.waiter->id; });
    else if (m_change.kind != ReleaseLock && m_change.kind != WakeWaiters && m_change.kind != Quarantine)
        dead.clear();
    const bool areMore =
        std::ranges::any_of(dead, [this](const monitor::FairWaiter& waiter) { return !m_dead.contains(waiter); });
    m_dead = dead;
    if (areMore || m_dead.isEmpty())
        m_removeDead->setChecked(false);
    m_removeDead->setVisible(!m_dead.isEmpty());
    const int count = static_cast<int>(m_dead.size());
    m_removeDead->setText(m_change.kind == RemoveWaiter
                              ? tr("Remove also %Ln other dea&d waiter(s) of its queue", nullptr, count)
                              : tr("Remove also %Ln dea&d waiter(s) of its queue", nullptr, count));
    m_removeDead->setToolTip(helpTip(
        tr("Each is compared and proven dead by itself, and has its own line in the audit. A waiter that lives is not "
           "touched.")));
}

void ForceReleaseDialog::showTimes() {
    const DeadWaiters dead = m_removeDead->isChecked() ? DeadWaiters::Removed : DeadWaiters::Stay;
    m_facts->setText(forceFacts(m_row, m_change, m_viewTime, m_knowledge, dead));
    const QString refusal = findOutRefusal();
    m_findOut->setEnabled(refusal.isEmpty());
    m_findOut->setToolTip(helpTip(refusal));
    m_ladder->setText(ladderText(m_row, m_viewTime, m_ownership));
    // If the lock is held, the ladder is about the holder, who keeps it when a waiter is removed.
    const bool isAboutOthers = m_change.kind == control::ChangeKind::RemoveWaiter && m_row.lock.isHeld();
    m_ladder->setVisible(m_standing != ChangeStanding::Gone && !isAboutOthers);
}

QString ForceReleaseDialog::findOutRefusal() const {
    if (!m_viewTime.of(m_row.lock).isLive())
        return tr("Not connected.");
    return m_knowledge.searching ? tr("A MONITOR is under way; there is one at a time.") : QString();
}

QString ForceReleaseDialog::missingText() const {
    const bool comparesAll = m_change.kind != control::ChangeKind::ReleaseReader;
    if (m_standing == ChangeStanding::Gone)
        return goneText(m_change.kind);
    if (!m_permission.isGiven())
        return sentencesText(
            {m_permission.refusal, reason().isEmpty() ? QString() : tr("The reason is kept when you cancel.")});
    if (m_standing == ChangeStanding::Changed)
        return tr("Read the new state first.");
    if (m_row.lock.isCut() && comparesAll)
        return tr("It has too many readers to compare and release them all in one step.");
    if (const std::optional<Error> why = control::whyNotPossible(m_confirmed, chosen()))  // no script can do it
        return tr("It cannot be done: %1.").arg(reasonText(*why));
    if (control::isQuarantine(m_change.kind) && m_time->duration() > longestQuarantine)
        return tr("A quarantine lasts 60 seconds at most.");
    return missingInFields(nameProof(m_row.lock.name),
                           tr("Type the name of the lock, because %1 is production.").arg(m_server));
}

void ForceReleaseDialog::showMissing() {
    const QString missing = missingText();
    m_missing->setText(missing);
    m_button->setEnabled(missing.isEmpty());
    m_button->setToolTip(
        helpTip(missing.isEmpty() ? QKeySequence(forceKey).toString(QKeySequence::NativeText) : missing));
    showCommands();
}

std::vector<control::ForceReleaseRequest> ForceReleaseDialog::removals() const {
    std::vector<control::ForceReleaseRequest> removals;
    if (!m_removeDead->isChecked())
        return removals;
    for (const monitor::FairWaiter& waiter : m_dead) {
        control::ForceReleaseRequest& removal = removals.emplace_back();
        removal.confirmed = m_row.lock;
        removal.reason = trimmedReason();
        removal.change.kind = control::ChangeKind::RemoveWaiter;
        removal.change.waiter = waiter;
    }
    return removals;
}

// Dead waiters are requested first, so that the message of the release goes to one that lives.
void ForceReleaseDialog::requestForce() {
    control::ForceReleaseRequest request;
    request.confirmed = m_confirmed;
    request.reason = trimmedReason();
    request.change = chosen();
    for (const control::ForceReleaseRequest& removal : removals())  // a list of its own: each updates this dialog
        Q_EMIT forceReleaseRequested(removal);
    Q_EMIT forceReleaseRequested(request);
    accept();
}

}  // namespace lockkeeper::ui

#include "moc_forcereleasedialog.cpp"
