// SPDX-License-Identifier: Apache-2.0
#include "ui/session/sessionpage.h"

#include "session/linkstatus.h"
#include "ui/base/messagebar.h"
#include "ui/base/retranslating.h"
#include "ui/base/windowstate.h"
#include "ui/connections/nodepanel.h"
#include "ui/events/log/eventlogpanel.h"
#include "ui/locks/clienttable/clientpanel.h"
#include "ui/locks/details/detailpanel.h"
#include "ui/locks/filter/lockfilter.h"
#include "ui/locks/holders/holdercontroller.h"
#include "ui/locks/holders/holdersection.h"
#include "ui/locks/lockspage.h"
#include "ui/locks/synchronizers/synchronizerpanel.h"
#include "ui/session/lossbanner.h"
#include "ui/session/sessionbody.h"
#include "ui/session/sessiondocks.h"
#include "ui/session/sessiontools.h"
#include "ui/session/statusbar.h"
#include "ui/timeline/timelinepanel.h"
#include "ui/words/errortext.h"
#include "ui/words/locktext.h"
#include "ui/words/recordingtext.h"

#include <QFileInfo>
#include <QSettings>

#include <algorithm>

namespace lockkeeper::ui {

namespace {

const auto stateKey = QStringLiteral("window/state");

}  // namespace

SessionPage::SessionPage(Engine& engine, Clock& clock, QSettings& settings, ClientNames& names, QWidget* parent)
    : SessionPage(engine, clock, settings, names, parent, nullptr) {}

SessionPage::SessionPage(ReplayEngine& replay, QSettings& settings, ClientNames& names, QWidget* parent)
    : SessionPage(replay, replay.clock(), settings, names, parent, &replay) {
    connect(this, &QObject::destroyed, &replay, &QObject::deleteLater);
}

SessionPage::SessionPage(Engine& engine, Clock& clock, QSettings& settings, ClientNames& names, QWidget* parent,
                         ReplayEngine* replay)
    : QMainWindow(parent, Qt::Widget),
      m_replay(replay),
      m_link(engine),
      m_clock(clock),
      m_settings(settings),
      m_time(clock),
      m_locks(m_time),
      m_log(m_time),
      m_connection(m_link, settings),
      m_body(new SessionBody(m_locks, m_time, clock, replay, this)),
      m_page(&m_body->locks()),
      m_operations(new PageOperations(
          {m_link, clock, m_connection, m_locks, m_time, m_status, *m_page, m_body->messages()}, *this)),
      m_statusBar(new StatusBar(this)) {
    setObjectName(QStringLiteral("sessionPage"));
    // Docks take their first sizes from the room that there is before the page is shown.
    if (parent)
        resize(parent->window()->size());
    setStatusBar(m_statusBar);
    m_locks.setClientColors(m_colors);
    m_log.setClientColors(m_colors);
    makeBody();
    makeDocks();
    makeHolderController(names);
    followLink();
    m_tools = new SessionTools({m_link, m_clock, m_settings, m_locks, m_log, m_time, *m_page, *m_docks,
                                m_body->messages(), *m_holders, label()},
                               *this);
    restoreSettings();
    showStatus({});
    keepTranslated(*this, [this] { retranslate(); });
}

// For what is no widget: widgets follow the language themselves.
void SessionPage::retranslate() {
    m_docks->retranslate();
    m_body->setStatus(m_status);
    m_holders->retranslate();
    m_operations->update();
}

SessionPage::~SessionPage() {
    // Nothing may follow the session while the page is destroyed.
    m_link.blockSignals(true);
}

void SessionPage::showEvent(QShowEvent* event) {
    QMainWindow::showEvent(event);
    m_docks->fit(window()->size());
}

void SessionPage::resizeEvent(QResizeEvent* event) {
    QMainWindow::resizeEvent(event);
    if (isVisible())
        m_docks->fit(window()->size());
}

void SessionPage::makeBody() {
    setCentralWidget(m_body);
    connect(m_body, &SessionBody::retryWanted, this, &SessionPage::reconnect);
    connect(m_body, &SessionBody::retryNowWanted, this, [this] { m_link.request(RetryNow()); });
    connect(m_body, &SessionBody::editWanted, this, &SessionPage::editWanted);
    connect(m_body, &SessionBody::masterWanted, this, [this] { openOther(m_connection.atMaster(m_status.master)); });
    connect(m_body, &SessionBody::clusterWanted, this, [this] { openOther(m_connection.asCluster()); });
    connect(m_body, &SessionBody::connectWanted, this, &SessionPage::connectWanted);
    connect(m_body, &SessionBody::currentChanged, this, &SessionPage::showCurrentLock);
    connect(&m_body->losses(), &LossBanner::changed, this, &SessionPage::lossChanged);
}

void SessionPage::makeDocks() {
    m_docks = new SessionDocks(m_locks, m_log, m_time, m_clock, m_colors, *this);
    m_docks->details().setClientColors(m_colors);
    m_docks->timeline().timeline().setClientColors(m_colors);
    connect(m_docks, &SessionDocks::lockChosen, m_page, &LocksPage::reveal);
    connect(m_docks, &SessionDocks::lockSelected, m_page, &LocksPage::select);
    connect(m_docks, &SessionDocks::filterWanted, m_page, &LocksPage::showOnly);
    connect(&m_docks->details(), &DetailPanel::showWanted, m_page, &LocksPage::revealSelected);
    connect(&m_docks->details(), &DetailPanel::removalWanted, m_operations, &PageOperations::openWaiterRemoval);
    connect(&m_docks->nodes(), &NodePanel::locksWanted, m_page, &LocksPage::showNode);
    connect(m_body, &SessionBody::nodesWanted, m_docks, &SessionDocks::showNodes);
    connect(m_statusBar, &StatusBar::faultyLocksWanted, m_page, &LocksPage::showFaultyOnly);
    m_eventActions = {&m_docks->events().pauseAction(), &m_docks->events().clearAction(),
                      &m_docks->timeline().followAction()};
    // Their keys work on this page while it is in sight.
    addActions(m_docks->toggleActions());
    addActions(m_eventActions);
}

void SessionPage::makeHolderController(ClientNames& names) {
    m_holders = new HolderController(m_link, m_clock, names, m_body->messages(), *this);
    const HolderSection* section = &m_docks->details().holderSection();
    connect(section, &HolderSection::identityWanted, m_holders, &HolderController::askToIdentify);
    connect(section, &HolderSection::stopWanted, m_holders, &HolderController::stopListening);
    connect(section, &HolderSection::aliasWanted, m_holders, &HolderController::askForAlias);
    connect(section, &HolderSection::locksWanted, this,
            [this](const ClientId& client) { m_page->showOnly(QString::fromLatin1(client.bytes())); });
    connect(section, &HolderSection::clientWanted, m_docks, &SessionDocks::showClient);
    connect(m_page, &LocksPage::clientWanted, m_docks, &SessionDocks::showClient);
    connectClients();
    connect(m_operations, &PageOperations::identityWanted, m_holders, &HolderController::askToIdentify);
    connect(&m_docks->synchronizers(), &SynchronizerPanel::giveBackWanted, m_operations, &PageOperations::openGiveBack);
    connect(m_holders, &HolderController::lockChosen, m_page, &LocksPage::reveal);
    connect(m_holders, &HolderController::knowledgeChanged, this, &SessionPage::showKnowledge);
    showKnowledge();
}

void SessionPage::connectClients() {
    const ClientPanel* clients = &m_docks->clients();
    connect(clients, &ClientPanel::locksWanted, this, [this](const ClientId& client) {
        m_page->showOnly(filterTerm(QLatin1String("client"), QString::fromLatin1(client.bytes())));
        m_page->selectFirst();
        m_page->table().setFocus();
    });
    connect(clients, &ClientPanel::aliasWanted, m_holders, &HolderController::askForAlias);
    connect(clients, &ClientPanel::removalWanted, m_operations, &PageOperations::openClientRemoval);
    connect(clients, &ClientPanel::identityWanted, this, [this](const ClientId& client) {
        if (const monitor::LockRow* lock = heldBy(client))
            m_holders->askToIdentify(client, *lock);
    });
}

// A lock of the client; null if it holds none.
const monitor::LockRow* SessionPage::heldBy(const ClientId& client) const {
    for (int row = 0; row < m_locks.rowCount(); ++row) {
        const monitor::LockRow& lock = m_locks.rowAt(row);
        if (std::ranges::any_of(lock.lock.holders,
                                [&](const monitor::Holder& holder) { return holder.id.client() == client; }))
            return &lock;
    }
    return nullptr;
}

void SessionPage::followLink() {
    m_link.onReport<ConnectionStatus>(this, &SessionPage::showStatus);
    m_link.onReport<BatchReady>(this, &SessionPage::applyBatch);
    m_link.onReport<HistoryLoaded>(this, &SessionPage::showHistory);
    m_link.onReport<OwnLocksChanged>(this, &SessionPage::showOwnLocks);
    connect(m_operations, &PageOperations::armingChanged, this, &SessionPage::armingChanged);
    connect(m_operations, &PageOperations::armingChanged, this, &SessionPage::actionsChanged);
    m_link.onReport<OwnLockLost>(this, &SessionPage::showLoss);
    m_link.onReport<ReleaseRefused>(this, [this](const ReleaseRefused& refused) {
        m_body->messages().post([refused] { return refusedReleaseMessage(refused.name, refused.why); });
    });
    m_link.onReport<recording::RecordingStatus>(this, &SessionPage::showRecording);
    m_link.onReport<SessionClosed>(this, [this](SessionClosed) { Q_EMIT closed(); });
    if (m_replay)
        connect(m_replay, &ReplayEngine::courseChanged, this, &SessionPage::showReplayTime);
}

void SessionPage::restoreSettings() {
    if (restoreDocks(m_settings, stateKey, *this))
        m_docks->restoreFit(m_settings);
    m_page->restore(m_settings);
    m_docks->timeline().restore(m_settings);
}

void SessionPage::saveSettings() {
    saveDocks(m_settings, stateKey, *this);
    m_docks->saveFit(m_settings);
    m_page->save(m_settings);
    m_connection.names().save();
    m_docks->timeline().save(m_settings);
}

// ---- connecting ----

void SessionPage::connectTo(const profile::ConnectionProfile& profile, const profile::ProfileLabel& label) {
    m_operations->endChanges();
    m_holders->setNames(ProgramNames(profile.locks.names));
    m_connection.open(profile, label);
}

void SessionPage::connectToDemo(redis::AccessMode access) {
    m_operations->endChanges();
    m_holders->setNames({});
    m_connection.openDemo(access);
}

void SessionPage::openReplay() {
    // The tab shows the page once there is a status.
    recording::LinkStatus loading;
    loading.phase = recording::LinkStatus::Phase::Connecting;
    loading.server = QFileInfo(m_replay->path()).fileName();
    showStatus(replayedStatus(loading));
    m_connection.openReplay();
}

void SessionPage::reconnect() {
    m_operations->endChanges();
    m_connection.reopen();
}

void SessionPage::openOther(const std::optional<profile::ConnectionProfile>& other) {
    if (other)
        Q_EMIT otherWanted(*other);
}

void SessionPage::closeSession(control::OwnLocksAtExit ownLocks) {
    m_connection.names().save();
    if (m_link.isOpen())
        m_link.disconnectFromServer(ownLocks);
    else
        Q_EMIT closed();
}

MessageBar& SessionPage::messages() noexcept {
    return m_body->messages();
}

QString SessionPage::server() const {
    return serverText(m_status);
}

int SessionPage::faultyLocks() const {
    const bool isWatched = m_status.phase == ConnectionPhase::Connected && !m_status.isRecording;
    return m_stats && isWatched ? m_stats->faultyLocks : 0;
}

bool SessionPage::isFree() const {
    const bool isAtRest = m_status.phase == ConnectionPhase::Disconnected || m_status.phase == ConnectionPhase::Failed;
    return isAtRest && !m_replay;
}

// ---- what comes from the session ----

void SessionPage::showStatus(const ConnectionStatus& status) {
    const bool otherServer = status.phase == ConnectionPhase::Connecting && status.server != m_status.server;
    m_status = status;
    if (otherServer) {
        m_colors.clear();
        m_locks.clear();
        m_log.startOver();
        m_docks->clear();
        m_holders->forgetClients();
        m_operations->startOver();
        m_body->losses().clear();
        m_stats.reset();
    }
    if (otherServer || (status.phase == ConnectionPhase::Disconnected && m_locks.rowCount() == 0))
        m_page->selection().clear();
    m_time.follow(status);
    m_operations->refreshPlace();
    m_operations->update();
    m_docks->follow(status);
    m_locks.refreshAll();
    showCurrentLock();
    m_statusBar->setStatus(status);
    m_body->setStatus(status);
    Q_EMIT statusChanged(status);
}

void SessionPage::setLabel(const profile::ProfileLabel& label) {
    if (label == m_connection.label())
        return;
    m_connection.setLabel(label);
    m_link.request(SetLabel{label});
    m_operations->refreshPlace();
    Q_EMIT statusChanged(m_status);
}

void SessionPage::applyBatch(const BatchReady& ready) {
    const monitor::MonitorBatch& batch = *ready.batch;
    m_colors.note(batch);  // before a view needs the colors
    m_locks.apply(batch);
    m_body->follow(batch);
    m_log.append(batch.events);
    m_connection.names().note(m_status.profile, batch.changed);
    m_docks->apply(batch);
    if (batch.changesStats())
        applyStats(batch.stats);
    if (batch.synchronizers)
        m_operations->setSynchronizers(*batch.synchronizers);
    m_operations->update();
    showCurrentLock();
}

void SessionPage::followNodes(const QList<monitor::NodeStatus>& nodes) {
    if (!m_time.follow(nodes))
        return;
    m_locks.refreshAll();
    m_docks->timeline().interrupt(m_locks.oldLocks());
}

void SessionPage::applyStats(const std::optional<monitor::MonitorStats>& stats) {
    const monitor::MonitorStats shown = stats.value_or(monitor::MonitorStats());
    followNodes(shown.nodes);
    m_statusBar->setStats(stats);
    m_discovery = shown.discovery;
    m_stats = stats;
    m_operations->setStats(m_stats);
    Q_EMIT diagnosesChanged();
    m_body->setStats(shown);
}

// Events from the same server before the reconnection are part of the history.
void SessionPage::showHistory(const HistoryLoaded& history) {
    m_colors.note(history.events);
    m_log.startOver();
    m_docks->timeline().clear();
    m_log.append(history.events);
    m_docks->timeline().append(history.events);
}

void SessionPage::showRecording(const recording::RecordingStatus& status) {
    const bool ends = m_recording.phase == recording::RecordingPhase::Running && status.phase != m_recording.phase;
    m_recording = status;
    m_statusBar->setRecording(status);
    if (ends && status.phase != recording::RecordingPhase::Off)
        m_body->messages().post([status] { return recordingEndMessage(status); });
    Q_EMIT recordingChanged();
}

// Times left and ages are as of the replay's time, which may have gone back.
void SessionPage::showReplayTime() {
    m_locks.refreshAll();
    showCurrentLock();
}

void SessionPage::showLoss(const OwnLockLost& loss) {
    m_body->losses().add(loss.name, loss.why);
    Q_EMIT lost(m_body->losses().lastText());
}

bool SessionPage::hasLoss() const {
    return m_body->losses().hasLoss();
}

void SessionPage::showOwnLocks(const OwnLocksChanged& own) {
    m_locks.setOwnLocks(own.locks);
    m_statusBar->setOwnLocks(static_cast<int>(own.locks.size()));
    m_operations->setOwnLocks(own.locks);
    m_holders->addOwn(ownClients());
    showCurrentLock();
    Q_EMIT ownLocksChanged();
}

void SessionPage::showCurrentLock() {
    LockSelection& selection = m_page->selection();
    selection.refresh();
    if (const monitor::LockRow* row = selection.row())
        m_docks->details().showLock(*row, m_locks.ownLease(row->lock.name),
                                    {selection.absence(), selection.canBeShown()});
    else
        m_docks->details().showNothing();
    m_docks->events().setSubject(selection.row(), m_holders->knowledge().aliases);
    m_docks->timeline().timeline().setSelected(selection.name());
    Q_EMIT actionsChanged();
}

void SessionPage::showKnowledge() {
    const HolderKnowledge& knowledge = m_holders->knowledge();
    m_locks.setAliases(knowledge.aliases);
    m_locks.setNames(knowledge.names);
    m_log.setAliases(knowledge.aliases);
    m_log.setNames(knowledge.names);
    m_docks->details().setKnowledge(knowledge);
    m_docks->clients().setKnowledge(knowledge);
    m_docks->timeline().timeline().setAliases(knowledge.aliases);
    m_docks->timeline().timeline().setNames(knowledge.names);
    m_operations->setKnowledge(knowledge);
    // An alias is among what the filter searches.
    showCurrentLock();
}

// ---- actions ----

QString SessionPage::lockForActions() const {
    const monitor::LockRow* row = m_page->selection().actionRow();
    return row ? m_locks.names().shown(row->lock.name) : QString();
}

LockName SessionPage::selectedLock() const {
    const monitor::LockRow* row = m_page->selection().actionRow();
    return row ? row->lock.name : LockName();
}

PageActions SessionPage::pageActions() const {
    return {m_page->sortActions(),   m_page->table().columns().actions(),
            {m_page->groupAction()}, m_docks->toggleActions(),
            m_eventActions,          m_docks->details().holderSection().clientActions()};
}

void SessionPage::offerLockActions(const QList<QAction*>& actions) {
    m_docks->details().offerActions(actions);
    m_page->table().offerActions(actions + m_docks->lockActions());
}

QList<QWidget*> SessionPage::lockViews() const {
    return {&m_page->table(), &m_docks->timeline().timeline()};
}

void SessionPage::openWaits() {
    m_holders->openWaits(m_locks, m_time);
}

}  // namespace lockkeeper::ui

#include "moc_sessionpage.cpp"
