// SPDX-License-Identifier: Apache-2.0
#include "app/headless.h"

#include "app/errorwords.h"
#include "app/terminal.h"
#include "base/safetext.h"
#include "monitor/format/eventjson.h"
#include "monitor/format/statsjson.h"
#include "monitor/format/synchronizerjson.h"
#include "monitor/format/watchingwords.h"
#include "platform/standardoutput.h"
#include "platform/terminationsignals.h"

namespace lockkeeper::app {

namespace {

// The first ones, and how many there are in all.
QString namesText(const QList<LockName>& names) {
    constexpr qsizetype shown = 10;
    QStringList texts;
    for (const LockName& name : names.first(std::min(shown, names.size())))
        texts += boundedName(name);
    return names.size() > shown ? texts.join(QLatin1String(", ")) + QLatin1String(", ...")
                                : texts.join(QLatin1String(", "));
}

}  // namespace

Headless::Headless(Engine& engine, Arguments arguments, monitor::AliasOf aliasOf, QObject* parent)
    : QObject(parent), m_engine(engine), m_arguments(std::move(arguments)), m_aliasOf(std::move(aliasOf)) {
    connect(&m_engine, &Engine::connectionChanged, this,
            [this](SessionId, const ConnectionStatus& status) { onConnectionChanged(status); });
    connect(&m_engine, &Engine::batchReady, this,
            [this](SessionId, const monitor::SharedBatch& batch) { onBatch(*batch); });
    connect(&m_engine, &Engine::shutDownFinished, this, [this] { Q_EMIT finished(static_cast<int>(m_exitCode)); });
    m_end.setSingleShot(true);
    connect(&m_end, &QTimer::timeout, this, [this] { finish(ExitCode::Done); });
}

void Headless::start() {
    if (m_arguments.source == Arguments::Source::Demo)
        (void)m_engine.openDemo(m_arguments.profile.access);
    else
        (void)m_engine.open(m_arguments.profile, {});
    if (m_arguments.watchFor)
        m_end.start(*m_arguments.watchFor);
}

void Headless::finish(ExitCode code) {
    if (m_finishing)
        return;
    m_finishing = true;
    m_exitCode = code;
    m_engine.shutDown(control::OwnLocksAtExit::Release);
}

void Headless::onConnectionChanged(const ConnectionStatus& status) {
    if (status.phase == ConnectionPhase::Connected && status.isReplica)
        tellOfReplica(status);
    if (status.phase == ConnectionPhase::Connected && status.isClusterNode && !std::exchange(m_toldOfCluster, true))
        complain(oneNodeWords(m_arguments.profile));
    const bool lostDuringList = m_arguments.face == Arguments::Face::List && status.phase == ConnectionPhase::Reconnecting;
    if (status.phase != ConnectionPhase::Failed && status.phase != ConnectionPhase::Reconnecting)
        return;
    const QString sentence = status.phase == ConnectionPhase::Failed
                                 ? QStringLiteral("cannot connect to %1: %2")
                                 : QStringLiteral("the connection to %1 is lost: %2");
    const Error why = status.error.value_or(Error());
    complain(sentence.arg(status.server, errorWords(why)));
    if (status.phase == ConnectionPhase::Failed || lostDuringList)
        finish(exitCodeOf(why));
}

void Headless::tellOfReplica(const ConnectionStatus& status) {
    if (std::exchange(m_toldMaster, status.master) == status.master)
        return;
    const QString master = status.master.isEmpty() ? QStringLiteral("another server") : status.master;
    complain(
        QStringLiteral("%1 is a replica of %2: what it shows may be late, and locks cannot be taken or released there")
            .arg(status.server, master));
}

void Headless::onBatch(const monitor::MonitorBatch& batch) {
    if (m_finishing)
        return;
    if (m_arguments.face == Arguments::Face::List)
        return keepForList(batch);
    if (batch.stats)
        tellOfWatching(*batch.stats);
    for (const monitor::LockEvent& event : batch.events)
        print(event);
    if (batch.synchronizers)
        tellOfSynchronizers(*batch.synchronizers);
    flush();
}

void Headless::printLine(const QByteArray& line) {
    m_output += line + '\n';
}

bool Headless::isToEnd() const {
    return platform::TerminationSignals::arePending() || (m_end.isActive() && m_end.remainingTime() == 0);
}

// After a failure nothing that follows would be whole, either.
bool Headless::flush() {
    const platform::Written written =
        platform::writeToStandardOutput(std::exchange(m_output, {}), [this] { return isToEnd(); });
    if (written != platform::Written::Failed)
        return written == platform::Written::Whole;
    complain(QStringLiteral("the output cannot be written: %1").arg(qt_error_string()));
    finish(ExitCode::OutputFailed);
    return false;
}

// A refused read says nothing about the semaphores and latches, so it must not report them as ended.
void Headless::tellOfSynchronizers(const monitor::SynchronizerReading& reading) {
    if (reading.sight == monitor::SynchronizerReading::Sight::Refused)
        return;
    const WallTime now = std::chrono::system_clock::now();
    for (const monitor::SynchronizerChange& change : monitor::changesBetween(m_synchronizers, reading))
        printLine(m_arguments.json ? jsonForTerminal(monitor::toJsonLine(change, now)) : textForTerminal(monitor::toTextLine(change, now)));
    m_synchronizers = reading;
}

void Headless::tellOfWatching(const monitor::MonitorStats& stats) {
    const WallTime now = std::chrono::system_clock::now();
    if (!isSameSource(stats, m_told))
        printLine(m_arguments.json ? jsonForTerminal(sourceToJsonLine(stats, now)) : textForTerminal(sourceToTextLine(stats, now)));
    for (const monitor::NodeStatus& node : goneNodes(m_told.nodes, stats.nodes))
        printLine(m_arguments.json ? jsonForTerminal(goneNodeToJsonLine(node, now))
                                   : textForTerminal(goneNodeToTextLine(node, now)));
    if (!hasSameGaps(stats, m_told))
        printLine(m_arguments.json ? jsonForTerminal(gapsToJsonLine(stats, now))
                                   : textForTerminal(gapsToTextLine(stats, now)));
    for (const monitor::NodeStatus& node : changedNodes(m_told.nodes, stats.nodes))
        printLine(m_arguments.json ? jsonForTerminal(nodeToJsonLine(node, now))
                                   : textForTerminal(nodeToTextLine(node, now)));
    if (stats.sweepsDone == 0 && stats.keysThisSweep > m_told.keysThisSweep)
        printLine(m_arguments.json ? jsonForTerminal(progressToJsonLine(stats, now)) : textForTerminal(progressToTextLine(stats, now)));
    tellOfLitter(stats, now);
    for (const monitor::StormChange& change : monitor::changedStorms(m_told.scriptStorms, stats.scriptStorms))
        printLine(m_arguments.json ? jsonForTerminal(stormToJsonLine(change.storm, change.phase, now))
                                   : textForTerminal(stormToTextLine(change.storm, change.phase, now)));
    m_told = stats;
}

void Headless::tellOfLitter(const monitor::MonitorStats& stats, WallTime at) {
    if (hasLitter(stats) == hasLitter(m_told))
        return;
    const bool begun = hasLitter(stats);
    const monitor::TokenLitter litter = begun ? *stats.tokenLitter : *m_told.tokenLitter;
    const auto phase = begun ? monitor::DiagnosisPhase::Begun : monitor::DiagnosisPhase::Ended;
    printLine(m_arguments.json ? jsonForTerminal(litterToJsonLine(litter, phase, at)) : textForTerminal(litterToTextLine(litter, phase, at)));
}

void Headless::keepForList(const monitor::MonitorBatch& batch) {
    if (batch.stats)
        m_told = *batch.stats;
    if (batch.stats && batch.stats->discovery == monitor::DiscoveryState::Refused) {
        complain(QStringLiteral("cannot list the locks: ") +
                 denialLines(batch.stats->denied).join(QLatin1String("; ")));
        return finish(ExitCode::Denied);
    }
    for (const monitor::LockRow& row : batch.changed) {
        if (row.lock.isHeld())
            m_found.insert_or_assign(row.lock.name.bytes(), monitor::foundEvent(row.lock));
        else
            m_found.erase(row.lock.name.bytes());
    }
    for (const LockName& name : batch.removed)
        m_found.erase(name.bytes());
    for (const monitor::LockEvent& event : batch.events) {
        // A slot that has just moved is read at its new node by the next sweep.
        if (event.type == monitor::EventType::Swept && !m_told.notRead.isEmpty() && !std::exchange(m_sweptAgain, true))
            continue;
        if (event.type == monitor::EventType::Swept) {
            if (!printList())
                return;
            return finish(complainOfGaps() ? ExitCode::NoConnection : ExitCode::Done);
        }
    }
}

bool Headless::complainOfGaps() {
    bool areSome = !m_told.unservedSlots.isEmpty() || !m_told.notRead.isEmpty();
    if (!m_told.unservedSlots.isEmpty())
        complain(QStringLiteral("no node serves these slots, so their locks are not listed: %1")
                     .arg(topology::displayOf(m_told.unservedSlots)));
    if (!m_told.notRead.isEmpty())
        complain(QStringLiteral("not read, because their slots are moving (%1; not all of them need be locks): %2")
                     .arg(m_told.notRead.size())
                     .arg(namesText(m_told.notRead)));
    for (const monitor::NodeStatus& node : std::as_const(m_told.nodes)) {
        if (node.phase == monitor::NodePhase::Watching)
            continue;
        areSome = true;
        complain(QStringLiteral("the locks of %1 are not listed: %2")
                     .arg(node.address, errorWords(node.error.value_or(Error()))));
    }
    return areSome;
}

bool Headless::printList() {
    for (const auto& [name, event] : m_found)
        print(event);
    return flush();
}

void Headless::print(const monitor::LockEvent& event) {
    printLine(m_arguments.json ? jsonForTerminal(monitor::toJsonLine(event, m_aliasOf)) : textForTerminal(monitor::toTextLine(event)));
}

}  // namespace lockkeeper::app

#include "moc_headless.cpp"
