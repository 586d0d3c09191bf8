// SPDX-License-Identifier: Apache-2.0
#include "app/tools/explaincommand.h"

#include "app/cli/commandline.h"
#include "app/cli/terminal.h"
#include "app/tools/explainprinter.h"
#include "app/tools/historyplace.h"
#include "async/pause.h"
#include "history/eventstore.h"
#include "jvm/holderthread.h"
#include "monitor/analyse/threaddumps.h"
#include "monitor/monitor.h"
#include "ui/words/causetext.h"

#include <QFile>

#include <algorithm>
#include <array>

namespace lockkeeper::app {

namespace {

using namespace std::chrono_literals;

constexpr size_t mostLocksRead = 50;
// Two sweeps of a large database take their time, within the limit of reads.
constexpr Milliseconds longestSearch = 30s;
constexpr Milliseconds pauseInSearch = 100ms;  // between checks, which send nothing

// As the user who reads, and for reading alone.
Arguments readOnly(Arguments arguments) {
    arguments.profile.access = redis::AccessMode::ReadOnly;
    arguments.profile.writing = {};
    return arguments;
}

bool isOfClient(const monitor::LockSnapshot& lock, const ClientId& client) {
    return std::ranges::any_of(lock.holders,
                               [&client](const monitor::Holder& holder) { return holder.id.client() == client; });
}

bool isSearchNeeded(const monitor::ErrorFinding& finding) {
    return !finding.namesLock() && finding.client;
}

// Whether a sweep may have missed locks because of it.
bool hidesLocks(const monitor::Denial& denial) {
    using enum monitor::Consequence;
    static constexpr std::array hiding{LocksUnreadable, SomeKeysUnreadable, LocksLeftOut,
                                       LocksNotScanned, NoConnectionToScan, FairLocksLookPlain};
    return std::ranges::find(hiding, denial.consequence) != hiding.end();
}

// Whether a sweep has read all locks of all nodes.
bool isWhole(const monitor::MonitorStats& stats) {
    const auto isUnwatched = [](const monitor::NodeStatus& node) { return node.phase != monitor::NodePhase::Watching; };
    return stats.discovery == monitor::DiscoveryState::Running && std::ranges::none_of(stats.denied, hidesLocks) &&
           std::ranges::none_of(stats.nodes, isUnwatched) && stats.unservedSlots.isEmpty() && stats.notRead.isEmpty();
}

}  // namespace

ExplainCommand::ExplainCommand(ExplainOrder order, QObject* parent)
    : ServerCommand(readOnly(std::move(order.arguments)), QByteArrayLiteral("lockkeeper-explain"), parent),
      m_report(std::move(order.report)),
      m_states(m_report.findings.size()),
      m_dumps(std::move(order.dumps)),
      m_reader(m_client.connections(), m_client.options().commandTimeout, nullptr, {}) {}

ExplainCommand::~ExplainCommand() {
    endTasks();
}

Task<Result<Done>> ExplainCommand::connect() {
    const Result<Done> connected = co_await ServerCommand::connect();
    if (connected || connected.error().code == ErrorCode::Cancelled)
        co_return connected;
    m_notConnected = connected.error();
    co_return Done();
}

Task<void> ExplainCommand::work() {
    if (m_notConnected) {
        complain(CommandLine::tr("cannot connect to %1: %2")
                     .arg(m_arguments.profile.display(), failureWords(*m_notConnected)));
    } else {
        co_await readLocks();
        co_await searchClients();
        judgeThreads();
    }
    lookUpHistory();
    const ExitCode printed =
        printExplanation(m_arguments, m_report, m_states, [this] { return m_waiting.stop_requested(); });
    const bool isPrinted = printed == ExitCode::Done || printed == ExitCode::NothingFound;
    setExitCode(isPrinted && m_notConnected ? exitCodeOf(*m_notConnected) : printed);
}

// Each lock once, however many errors name it.
Task<void> ExplainCommand::readLocks() {
    std::map<QByteArray, monitor::ErrorState> known;
    int notRead = 0;
    for (size_t i = 0; i < m_states.size() && !m_waiting.stop_requested(); ++i) {
        const LockName lock = m_report.findings[i].lock;
        if (!m_report.findings[i].namesLock())
            continue;
        if (known.size() == mostLocksRead && !known.contains(lock.bytes())) {
            ++notRead;
            continue;
        }
        if (!known.contains(lock.bytes())) {
            const Result<monitor::LockReading> read = co_await m_reader.read(lock, m_waiting.get_token());
            monitor::ErrorState state;
            const auto* snapshot = read ? std::get_if<monitor::LockSnapshot>(&*read) : nullptr;
            state.read = snapshot ? monitor::ErrorState::Lock::Read
                         : read   ? monitor::ErrorState::Lock::Other
                                  : monitor::ErrorState::Lock::Unread;
            if (snapshot)
                state.lock = *snapshot;
            if (!read)
                state.error = read.error();
            known.insert_or_assign(lock.bytes(), state);
        }
        m_states[i] = known.at(lock.bytes());
    }
    if (notRead > 0)
        complain(
            CommandLine::tr("only the first %1 locks of the text were read; those of %Ln further error(s) were not",
                            nullptr, notRead)
                .arg(mostLocksRead));
}

// The most frequent error names no lock: which locks its client holds now, only a sweep shows.
Task<void> ExplainCommand::searchClients() {
    if (std::ranges::none_of(m_report.findings, isSearchNeeded))
        co_return;
    complain(CommandLine::tr("searching for locks that the clients of the text hold, for up to %1 s")
                 .arg(secondsText(longestSearch)));
    redis::ConnectionOptions reading = m_arguments.profile.connectionOptions();
    reading.access = redis::AccessMode::ReadOnly;
    m_search = std::make_unique<monitor::Monitor>(reading, m_route.shards(), m_clock);
    QObject::connect(m_search.get(), &monitor::Monitor::batchReady, this,
                     [this](const monitor::SharedBatch& batch) { noteRows(*batch); });
    m_search->setDiscovery(monitor::DiscoveryState::Running);
    m_search->start();
    const Deadline end = Deadline::in(m_clock, longestSearch);
    while (!isSearched() && !end.hasPassed()) {
        const Deadline next = end.earlier(Deadline::in(m_clock, pauseInSearch));
        const bool goesOn = co_await pauseUntil(next, m_waiting.get_token());
        if (!goesOn)
            co_return;
    }
    if (!isSwept())
        complain(CommandLine::tr("the keys could not be searched in time"));
    for (size_t i = 0; i < m_states.size(); ++i) {
        if (isSearchNeeded(m_report.findings[i]))
            noteSearch(m_states[i], *m_report.findings[i].client);
    }
}

void ExplainCommand::noteSearch(monitor::ErrorState& state, const ClientId& client) const {
    const bool isAllRead = isSwept() && isWhole(*m_stats);
    state.search = isAllRead ? monitor::ErrorState::Search::Whole : monitor::ErrorState::Search::Partial;
    for (const auto& [name, row] : m_rows) {
        if (isAllRead && isOfClient(row->lock, client))
            state.ofClient.push_back(row->lock);
    }
}

bool ExplainCommand::isSearched() const {
    const bool isRefused = m_stats && m_stats->discovery == monitor::DiscoveryState::Refused;
    return isSwept() || isRefused || m_search->status().phase == monitor::MonitorPhase::Failed;
}

// The figures, which say what could not be read, may come after the event.
bool ExplainCommand::isSwept() const {
    return m_sweeps >= 1 && m_stats && m_stats->sweepsDone >= 1;
}

void ExplainCommand::noteRows(const monitor::MonitorBatch& batch) {
    if (batch.reset)
        m_rows.clear();
    if (batch.stats)
        m_stats = *batch.stats;
    for (const monitor::SharedRow& row : batch.changed)
        m_rows.insert_or_assign(row->lock.name.bytes(), row);
    for (const LockName& removed : batch.removed)
        m_rows.erase(removed.bytes());
    m_sweeps += std::ranges::count(batch.events, monitor::EventType::Swept, &monitor::LockEvent::type);
}

// A file that is not there is not created.
void ExplainCommand::lookUpHistory() {
    const QString path = historyPath();
    if (!QFile::exists(path))
        return;
    history::EventStore store(path);
    const Result<Done> opened = store.open();
    if (!opened) {
        complain(CommandLine::tr("the history cannot be read: %1").arg(ui::errorClause(opened.error())));
        return;
    }
    for (size_t i = 0; i < m_states.size(); ++i) {
        const std::optional<monitor::LookupSubject> subject = subjectOf(m_report.findings[i]);
        if (!subject)
            continue;
        history::HistoryQuery query;
        query.profile = m_arguments.profile.id;
        if (const std::optional<ClientId> client = subject->client())
            query.about = *client;
        else
            query.about = std::get<LockName>(subject->whom);
        const Result<history::HistoryExcerpt> excerpt = store.read(query);
        if (!excerpt || excerpt->events.empty())
            continue;
        monitor::LookupSources sources;
        sources.events = excerpt->events;
        sources.eventsReachTo = excerpt->reachesTo;
        sources.now = m_clock.wallNow();
        sources.rows = rowsOf(i);
        m_states[i].past = monitor::lookUp(*subject, sources);
    }
}

// Of which client the dump is, all locks show that were read.
void ExplainCommand::judgeThreads() {
    if (m_dumps.empty())
        return;
    std::map<QByteArray, monitor::SharedRow> rows;
    for (size_t i = 0; i < m_states.size(); ++i) {
        for (monitor::LockRow& row : rowsOf(i))
            rows.insert_or_assign(row.lock.name.bytes(), std::make_shared<monitor::LockRow>(std::move(row)));
    }
    std::vector<monitor::SharedRow> all;
    for (const auto& [name, row] : rows)
        all.push_back(row);
    jvm::DumpClock clock;
    clock.readAt = m_clock.wallNow();
    const jvm::DumpReading reading = jvm::readDumps(m_dumps, all, std::nullopt, m_arguments.threads.application, clock);
    monitor::ThreadDumps dumps;
    for (const monitor::SharedDump& dump : reading.kept)
        (void)dumps.note(dump);
    if (dumps.isEmpty())
        complain(CommandLine::tr("the thread dump is of none of the clients that hold these locks"));
    for (size_t i = 0; i < m_states.size(); ++i) {
        for (const monitor::LockRow& row : rowsOf(i))
            m_states[i].threads += dumps.verdicts(row.lock, monitor::seenOf(row.lock, row.hold));
    }
}

std::vector<monitor::LockRow> ExplainCommand::rowsOf(size_t finding) const {
    std::vector<monitor::LockRow> rows;
    const monitor::ErrorState& state = m_states[finding];
    if (state.lock)
        rows.push_back(monitor::rowOf(*state.lock));
    for (const monitor::LockSnapshot& lock : state.ofClient)
        rows.push_back(monitor::rowOf(lock));
    return rows;
}

}  // namespace lockkeeper::app

#include "moc_explaincommand.cpp"
