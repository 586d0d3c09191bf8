// SPDX-License-Identifier: Apache-2.0
#include "app/tools/watchprinter.h"

#include "app/cli/terminal.h"
#include "base/safetext.h"
#include "jvm/threadjson.h"
#include "monitor/format/clientjson.h"
#include "monitor/format/eventjson.h"
#include "monitor/format/eventline.h"
#include "monitor/format/statsjson.h"
#include "monitor/format/synchronizerjson.h"
#include "ui/words/threadtext.h"

#include <algorithm>

namespace lockkeeper::app {

void WatchPrinter::add(const jvm::DumpReading& reading, const std::vector<jvm::ThreadDump>& dumps) {
    const bool isOfNone =
        std::ranges::all_of(reading.matches, [](const auto& match) { return match.fit == jvm::Fit::Contradicts; });
    if (!isJson())
        addText(ui::dumpText(dumps.at(reading.bestDump().value_or(dumps.size() - 1))));
    if (!isJson() && reading.isTimeAhead)
        addText(ui::timeAheadText());
    if (!isJson() && reading.jvms > 1)
        addText(ui::severalJvmsText(reading));
    for (const jvm::DumpMatch& match : reading.matches) {
        if (isJson())
            addJson(jvm::toJsonLine(match, dumps.at(match.dump), reading.isTimeAhead));
        else if (isOfNone || match.fit != jvm::Fit::Contradicts)
            addText(ui::matchText(match));
    }
    for (const jvm::HolderThread& thread : reading.holders) {
        if (isJson())
            addJson(jvm::toJsonLine(thread, m_names));
        else
            addText(QStringLiteral("%1  %2  %3")
                        .arg(shownName(thread.lock), thread.holder.display(), ui::surenessText(thread)));
    }
}

QString WatchPrinter::shownName(const LockName& key) const {
    const LockName own = monitor::programName(key, m_names);
    return own == key ? boundedName(key) : QStringLiteral("%1  key %2").arg(boundedName(own), boundedName(key));
}

void WatchPrinter::addJson(const QByteArray& line) {
    m_output += jsonForTerminal(line) + '\n';
}

void WatchPrinter::addText(const QString& line) {
    m_output += textForTerminal(line) + '\n';
}

void WatchPrinter::add(const monitor::MonitorBatch& batch) {
    if (batch.stats)
        addStats(*batch.stats, batch.at);
    for (const monitor::LockEvent& event : batch.events)
        add(event);
    if (isJson())
        addClients(batch);
    if (batch.synchronizers)
        addSynchronizers(*batch.synchronizers, batch.at);
}

void WatchPrinter::add(const monitor::LockEvent& event) {
    if (isJson())
        addJson(monitor::toJsonLine(event, m_aliasOf, m_names));
    else
        addText(monitor::toTextLine(event, m_names));
}

// A line for each client whose diagnosis begins, changes or ends. As text, the events of its locks say it.
void WatchPrinter::addClients(const monitor::MonitorBatch& batch) {
    if (batch.reset)
        m_diagnosed.clear();
    for (const monitor::SharedClient& client : batch.clients) {
        const auto printed = m_diagnosed.constFind(client->id);
        const bool wasDiagnosed = printed != m_diagnosed.cend();
        const bool isDiagnosed = !client->diagnoses.isEmpty();
        if (isDiagnosed == wasDiagnosed && (!isDiagnosed || *printed == client->diagnoses.first().kind()))
            continue;
        addJson(monitor::toJsonLine(*client, batch.at, m_aliasOf));
        if (isDiagnosed)
            m_diagnosed.insert(client->id, client->diagnoses.first().kind());
        else
            m_diagnosed.remove(client->id);
    }
    for (const ClientId& client : batch.removedClients)
        m_diagnosed.remove(client);
}

void WatchPrinter::add(const std::vector<ListedClient>& clients, WallTime at) {
    QList<monitor::ClientRow> rows;
    for (const ListedClient& listed : clients) {
        if (isJson())
            addJson(monitor::toJsonLine(*listed.client, listed.locks, at, m_aliasOf));
        else
            rows += *listed.client;
    }
    if (isJson())
        return;
    for (const QString& line : monitor::clientTable(rows, m_aliasOf))
        addText(line);
}

// A refused read says nothing about the semaphores and latches, so it must not report them as ended.
void WatchPrinter::addSynchronizers(const monitor::SynchronizerReading& reading, WallTime at) {
    if (reading.sight == monitor::SynchronizerReading::Sight::Refused)
        return;
    for (const monitor::SynchronizerChange& change : monitor::changesBetween(m_synchronizers, reading)) {
        if (isJson())
            addJson(monitor::toJsonLine(change, at));
        else
            addText(monitor::toTextLine(change, at));
    }
    m_synchronizers = reading;
}

void WatchPrinter::addStats(const monitor::MonitorStats& stats, WallTime at) {
    const auto print = [this](auto toJson, auto toText, const auto&... values) {
        if (isJson())
            addJson(toJson(values...));
        else
            addText(toText(values...));
    };
    if (!isSameSource(stats, m_stats))
        print(monitor::sourceToJsonLine, monitor::sourceToTextLine, stats, at);
    for (const monitor::NodeStatus& node : monitor::goneNodes(m_stats.nodes, stats.nodes))
        print(monitor::goneNodeToJsonLine, monitor::goneNodeToTextLine, node, at);
    if (!hasSameGaps(stats, m_stats))
        print(monitor::gapsToJsonLine, monitor::gapsToTextLine, stats, at);
    for (const monitor::NodeStatus& node : monitor::changedNodes(m_stats.nodes, stats.nodes))
        print(monitor::nodeToJsonLine, monitor::nodeToTextLine, node, at);
    for (const monitor::SilenceChange& change : monitor::changedSilences(m_stats, stats))
        print(monitor::silenceToJsonLine, monitor::silenceToTextLine, change, at);
    if (stats.sweepsDone == 0 && stats.keysThisSweep > m_stats.keysThisSweep)
        print(monitor::progressToJsonLine, monitor::progressToTextLine, stats, at);
    addLitter(stats, at);
    for (const monitor::StormChange& change : monitor::changedStorms(m_stats.scriptStorms, stats.scriptStorms))
        print(monitor::stormToJsonLine, monitor::stormToTextLine, change.storm, change.phase, at);
    m_stats = stats;
}

void WatchPrinter::addLitter(const monitor::MonitorStats& stats, WallTime at) {
    const auto print = [this, at](const auto& now, const auto& before, bool begun, auto toJson, auto toText) {
        const auto phase = begun ? monitor::DiagnosisPhase::Begun : monitor::DiagnosisPhase::Ended;
        if (isJson())
            addJson(toJson(begun ? *now : *before, phase, at));
        else
            addText(toText(begun ? *now : *before, phase, at));
    };
    if (hasLitter(stats) != hasLitter(m_stats))
        print(stats.tokenLitter, m_stats.tokenLitter, hasLitter(stats), monitor::litterToJsonLine,
              monitor::litterToTextLine);
    if (hasLeaseLitter(stats) != hasLeaseLitter(m_stats))
        print(stats.leaseLitter, m_stats.leaseLitter, hasLeaseLitter(stats), monitor::leaseLitterToJsonLine,
              monitor::leaseLitterToTextLine);
}

}  // namespace lockkeeper::app
