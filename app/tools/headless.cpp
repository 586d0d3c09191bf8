// SPDX-License-Identifier: Apache-2.0
#include "app/tools/headless.h"

#include "app/cli/commandline.h"
#include "app/cli/connectionwords.h"
#include "app/cli/terminal.h"
#include "app/tools/dumptaker.h"
#include "app/tools/replaycommand.h"
#include "base/safetext.h"
#include "base/systemclock.h"
#include "monitor/analyse/diagnose.h"
#include "monitor/format/eventjson.h"
#include "monitor/monitoroptions.h"
#include "platform/standardoutput.h"
#include "platform/terminationsignals.h"
#include "ui/words/causetext.h"
#include "ui/words/watchingtext.h"

#include <algorithm>

namespace lockkeeper::app {

namespace {

// The first names; dots stand for all others.
QString namesText(const QList<LockName>& names) {
    constexpr qsizetype shown = 10;
    QStringList texts;
    for (const LockName& name : names.first(std::min(shown, names.size())))
        texts += boundedName(name);
    return names.size() > shown ? texts.join(QLatin1String(", ")) + QLatin1String(", ...")
                                : texts.join(QLatin1String(", "));
}

// A diagnosis of a free lock needs a read when its waiters should have taken it, and a count of them.
constexpr Milliseconds patience = monitor::wakeTime + Milliseconds(3000);

}  // namespace

Headless::Headless(Engine& engine, Arguments arguments, monitor::AliasOf aliasOf, QObject* parent)
    : QObject(parent),
      m_engine(engine),
      m_arguments(std::move(arguments)),
      m_printer(m_arguments.json ? WatchPrinter::Form::Json : WatchPrinter::Form::Text, std::move(aliasOf),
                m_arguments.profile.locks.names) {
    m_engine.onReport<ConnectionStatus>(
        this, [this](SessionId, const ConnectionStatus& status) { onConnectionChanged(status); });
    m_engine.onReport<BatchReady>(this, [this](SessionId, const BatchReady& ready) { onBatch(*ready.batch); });
    m_engine.onReport<recording::RecordingStatus>(
        this, [this](SessionId, const recording::RecordingStatus& status) { onRecordingChanged(status); });
    connect(&m_engine, &Engine::historyFailed, this, [](const Error& error) {
        complain(CommandLine::tr("the history cannot be read: %1").arg(ui::errorClause(error)));
    });
    connect(&m_engine, &Engine::shutDownFinished, this, [this] { Q_EMIT finished(static_cast<int>(m_exitCode)); });
    m_end.setSingleShot(true);
    connect(&m_end, &QTimer::timeout, this, [this] {
        // A list that is not whole waits for the sweep.
        if (!m_arguments.areClientsListed)
            finish(ExitCode::Done);
        else if (m_areSwept)
            endList();
    });
    m_patience.setSingleShot(true);
    connect(&m_patience, &QTimer::timeout, this, &Headless::endList);
}

void Headless::setDumps(std::vector<jvm::ThreadDump> dumps) {
    m_dumps = std::move(dumps);
    m_dumpClock.readAt = SystemClock().wallNow();
}

void Headless::start() {
    if (m_arguments.source == Arguments::Source::Demo)
        (void)m_engine.openDemo(m_arguments.profile.access);
    else
        takeDump(m_engine.open(m_arguments.profile, {}));
    if (m_arguments.watchFor)
        m_end.start(*m_arguments.watchFor);
}

// While the locks are read.
void Headless::takeDump(SessionId session) {
    if (!m_arguments.threads.isFetched)
        return;
    m_taker = new DumpTaker(m_engine, m_arguments, this);
    connect(m_taker, &DumpTaker::taken, this,
            [this](const std::vector<jvm::ThreadDump>& dumps, const jvm::DumpClock& clock) {
                m_dumps = dumps;
                m_dumpClock = clock;
                m_taker = nullptr;
                if (m_isListReady)
                    endList();
            });
    connect(m_taker, &DumpTaker::ended, this, &Headless::finish);
    m_taker->begin(session);
}

void Headless::finish(ExitCode code) {
    if (m_finishing)
        return;
    m_finishing = true;
    m_exitCode = code;
    m_engine.shutDown(control::OwnLocksAtExit::Release);
}

void Headless::onConnectionChanged(const ConnectionStatus& status) {
    if (status.phase == ConnectionPhase::Connected)
        m_toldLosses.clear();
    if (status.phase == ConnectionPhase::Connected && status.isReplica)
        tellOfReplica(status);
    if (status.phase == ConnectionPhase::Connected && status.isClusterNode && !std::exchange(m_toldOfCluster, true))
        complain(oneNodeWords(m_arguments.profile));
    const bool lostDuringList = isList() && status.phase == ConnectionPhase::Reconnecting;
    if (status.phase != ConnectionPhase::Failed && status.phase != ConnectionPhase::Reconnecting)
        return;
    complainOnce(connectionWords(status));
    if (status.phase == ConnectionPhase::Failed || lostDuringList)
        finish(exitCodeOf(status.error.value_or(Error())));
}

// Each attempt to connect again has a status of its own, and attempts may fail for some reasons in turn.
void Headless::complainOnce(const QString& loss) {
    constexpr qsizetype mostRemembered = 20;
    if (m_toldLosses.contains(loss))
        return;
    m_toldLosses.append(loss);
    if (m_toldLosses.size() > mostRemembered)
        m_toldLosses.removeFirst();
    complain(loss);
}

void Headless::tellOfReplica(const ConnectionStatus& status) {
    if (std::exchange(m_toldMaster, status.master) == status.master)
        return;
    const QString master = status.master.isEmpty() ? CommandLine::tr("another server") : status.master;
    complain(
        CommandLine::tr("%1 is a replica of %2: what it shows may be late, and locks cannot be taken or released there")
            .arg(status.server, master));
}

void Headless::onBatch(const monitor::MonitorBatch& batch) {
    // What was seen before the end is still printed: a recording has it, too.
    if (m_finishing && (isList() || m_exitCode == ExitCode::OutputFailed))
        return;
    if (isList())
        return keepForList(batch);
    m_printer.add(batch);
    flush();
}

// If the recording cannot be started, watching is of no use. A recording that ends later must not end the watching.
void Headless::onRecordingChanged(const recording::RecordingStatus& status) {
    const QString words = recordingEndWords(status);
    if (words.isEmpty())
        return;
    if (status.bytes > 0)
        return complain(words);
    complain(CommandLine::tr("cannot record: %1").arg(ui::errorClause(status.error.value_or(Error()))));
    finish(ExitCode::OutputFailed);
}

bool Headless::isToEnd() const {
    return m_finishing || platform::TerminationSignals::arePending() ||
           (m_end.isActive() && m_end.remainingTime() == 0);
}

// After a failure the output would not be whole, so nothing more is printed.
bool Headless::flush() {
    const platform::Written written = platform::writeToStandardOutput(m_printer.take(), [this] { return isToEnd(); });
    if (written != platform::Written::Failed)
        return written == platform::Written::Whole;
    complain(CommandLine::tr("the output cannot be written: %1").arg(qt_error_string()));
    finish(ExitCode::OutputFailed);
    m_exitCode = ExitCode::OutputFailed;  // also if it is already finishing
    return false;
}

void Headless::keepForList(const monitor::MonitorBatch& batch) {
    m_listedAt = batch.at;
    if (batch.stats)
        m_stats = *batch.stats;
    if (batch.stats && batch.stats->discovery == monitor::DiscoveryState::Refused) {
        complain(CommandLine::tr("cannot list the locks: ") +
                 ui::denialTexts(batch.stats->denied).join(QLatin1String("; ")));
        return finish(ExitCode::Denied);
    }
    for (const monitor::SharedRow& row : batch.changed) {
        const monitor::LockSnapshot& lock = row->lock;
        if (lock.isHeld() || lock.isWaitedFor())
            m_found.insert_or_assign(lock.name.bytes(), row);
        else
            m_found.erase(lock.name.bytes());
    }
    for (const LockName& name : batch.removed)
        m_found.erase(name.bytes());
    for (const monitor::SharedClient& client : batch.clients)
        m_clients.insert_or_assign(client->id.bytes(), client);
    for (const ClientId& client : batch.removedClients)
        m_clients.erase(client.bytes());
    if (batch.synchronizers) {
        m_synchronizers.at = batch.at;
        m_synchronizers.synchronizers = batch.synchronizers;
    }
    for (const monitor::LockEvent& event : batch.events)
        endListIfWhole(event);
    if (m_patience.isActive() && !isListUnclear())
        endList();
}

void Headless::endListIfWhole(const monitor::LockEvent& swept) {
    if (swept.type != monitor::EventType::Swept || m_finishing)
        return;
    // A slot that has just moved is read at its new node by the next sweep.
    if (++m_sweeps < monitor::sweepsForAll || (!m_stats.notRead.isEmpty() && !std::exchange(m_sweptAgain, true)))
        return;
    m_areSwept = true;
    if (m_end.isActive())  // the clients are watched for longer
        return;
    if (m_arguments.areClientsListed || !isListUnclear())
        endList();
    else if (!m_patience.isActive())
        m_patience.start(patience);
}

bool Headless::isListUnclear() const {
    return std::ranges::any_of(
        m_found, [](const auto& found) { return !found.second->lock.isHeld() && found.second->diagnoses.isEmpty(); });
}

void Headless::endList() {
    m_patience.stop();
    m_isListReady = true;
    if (m_taker)
        return;
    if (!m_finishing && printList())
        finish(complainOfGaps() ? ExitCode::NoConnection : m_fitsNoClient ? ExitCode::FitsNoClient : ExitCode::Done);
}

bool Headless::complainOfGaps() {
    bool areSome = !m_stats.unservedSlots.isEmpty() || !m_stats.notRead.isEmpty();
    if (!m_stats.unservedSlots.isEmpty())
        complain(CommandLine::tr("no node serves these slots, so their locks are not listed: %1")
                     .arg(topology::displayOf(m_stats.unservedSlots)));
    if (!m_stats.notRead.isEmpty())
        complain(CommandLine::tr("not read, because their slots are moving (%1; not all of them need be locks): %2")
                     .arg(m_stats.notRead.size())
                     .arg(namesText(m_stats.notRead)));
    for (const monitor::NodeStatus& node : std::as_const(m_stats.nodes)) {
        if (node.phase == monitor::NodePhase::Watching)
            continue;
        areSome = true;
        complain(CommandLine::tr("the locks of %1 are not listed: %2")
                     .arg(node.address, ui::errorClause(node.error.value_or(Error()))));
    }
    return areSome;
}

void Headless::printDiagnoses(const monitor::LockRow& row) {
    monitor::LockEvent found = monitor::foundEvent(row.lock);
    found.type = monitor::EventType::Diagnosed;
    for (const monitor::Diagnosis& diagnosis : row.diagnoses) {
        found.diagnosis = diagnosis;
        m_printer.add(found);
    }
}

std::vector<ListedClient> Headless::listedClients() const {
    const std::map<QByteArray, QList<LockName>> locks = locksOfClients();
    std::vector<ListedClient> listed;
    for (const auto& [id, client] : m_clients) {
        const auto own = locks.find(id);
        listed.push_back({client, own == locks.end() ? QList<LockName>() : own->second});
    }
    return listed;
}

// The store watches a limited number of clients.
void Headless::complainOfLeftOut() const {
    const auto isLeftOut = [this](const auto& locks) { return !m_clients.contains(locks.first); };
    const std::map<QByteArray, QList<LockName>> locks = locksOfClients();
    if (const auto count = std::ranges::count_if(locks, isLeftOut); count > 0)
        complain(
            CommandLine::tr("%Ln client(s) more hold locks or wait for them than can be watched at once; they are not "
                            "listed",
                            nullptr, static_cast<int>(count)));
}

std::map<QByteArray, QList<LockName>> Headless::locksOfClients() const {
    std::map<QByteArray, QList<LockName>> locks;
    for (const auto& [name, row] : m_found) {
        QSet<ClientId> clients;
        for (const monitor::Holder& holder : row->lock.holders)
            clients.insert(holder.id.client());
        for (const monitor::FairWaiter& waiter : row->lock.fairQueue)
            clients.insert(waiter.id.client());
        for (const ClientId& client : clients)
            locks[client.bytes()] += row->lock.name;
    }
    return locks;
}

bool Headless::isList() const {
    return m_arguments.face == Arguments::Face::List || m_arguments.face == Arguments::Face::Threads;
}

bool Headless::printThreads() {
    std::vector<monitor::SharedRow> rows;
    for (const auto& [name, row] : m_found)
        rows.push_back(row);
    const jvm::DumpReading reading =
        jvm::readDumps(m_dumps, rows, m_arguments.threads.client, m_arguments.threads.application, m_dumpClock);
    m_fitsNoClient =
        std::ranges::all_of(reading.matches, [](const auto& match) { return match.fit == jvm::Fit::Contradicts; });
    m_printer.add(reading, m_dumps);
    return flush();
}

bool Headless::printList() {
    if (m_arguments.face == Arguments::Face::Threads)
        return printThreads();
    if (m_arguments.areClientsListed) {
        m_printer.add(listedClients(), m_listedAt);
        complainOfLeftOut();
        return flush();
    }
    for (const auto& [name, row] : m_found) {
        monitor::LockEvent found = monitor::foundEvent(row->lock);
        if (!row->lock.isHeld())
            found.type = monitor::EventType::Waiters;
        found.waits = row->waits;
        if (row->lock.isHeld())
            found.seenBefore = row->hold.seenBefore;
        m_printer.add(found);
        if (!row->lock.isHeld())
            printDiagnoses(*row);
    }
    m_printer.add(m_synchronizers);
    return flush();
}

}  // namespace lockkeeper::app

#include "moc_headless.cpp"
