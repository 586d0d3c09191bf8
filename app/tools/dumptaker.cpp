// SPDX-License-Identifier: Apache-2.0
#include "app/tools/dumptaker.h"

#include "app/cli/commandline.h"
#include "app/cli/terminal.h"
#include "jvm/dumpreader.h"
#include "ui/words/causetext.h"

#include <algorithm>
#include <iterator>

namespace lockkeeper::app {

using profile::DumpWay;

namespace {

std::optional<jvm::ClientPlace> clientPlaceOf(const Arguments& arguments) {
    return jvm::ClientPlace::parse(arguments.threads.address);
}

jvm::DumpCount dumpCountOf(const Arguments& arguments) {
    return arguments.threads.isTwice ? jvm::DumpCount::Twice : jvm::DumpCount::Once;
}

// Nothing but ssh needs a search first. The user has typed the address or the URL, which confirms the host.
Result<jvm::DumpOrder> dumpOrderOf(const Arguments& arguments) {
    if (arguments.profile.dumps.way == DumpWay::Kubectl) {
        const Result<jvm::PodDump> pod = jvm::podDumpOf(arguments.profile.dumps);
        return pod ? Result<jvm::DumpOrder>(jvm::DumpOrder{*pod, dumpCountOf(arguments)}) : pod.error();
    }
    Result<jvm::WebDump> web = jvm::webDumpOf(arguments.profile.dumps, clientPlaceOf(arguments));
    if (!web)
        return web.error();
    web.value().isHostConfirmed = true;
    return jvm::DumpOrder{*web, dumpCountOf(arguments)};
}

}  // namespace

DumpTaker::DumpTaker(Engine& engine, const Arguments& arguments, QObject* parent)
    : QObject(parent), m_engine(engine), m_arguments(arguments) {
    m_engine.onReport<ProcessesFound>(this, [this](SessionId, const ProcessesFound& found) { onProcesses(found); });
    m_engine.onReport<DumpsTaken>(this, [this](SessionId, const DumpsTaken& dumps) { onDumps(dumps); });
}

Result<QString> DumpTaker::plan(const Arguments& arguments) {
    const profile::DumpSettings& dumps = arguments.profile.dumps;
    QStringList commands;
    if (dumps.way == DumpWay::Ssh) {
        const Result<jvm::ProcessSearch> search = jvm::processSearchOf(dumps, clientPlaceOf(arguments));
        if (!search)
            return search.error();
        commands << jvm::shellLine(jvm::commandOf(*search));
        if (arguments.threads.process)
            commands << jvm::shellLine(
                jvm::commandOf(jvm::SshDump{search->host, {*arguments.threads.process, {}, 0}, dumps.usesSudo}));
    } else {
        const Result<jvm::DumpOrder> order = dumpOrderOf(arguments);
        if (!order)
            return order.error();
        if (const auto* pod = std::get_if<jvm::PodDump>(&order->way))
            commands << jvm::shellLine(jvm::commandOf(*pod));
        if (const auto* web = std::get_if<jvm::WebDump>(&order->way))
            commands << jvm::shellLine(jvm::commandOf(*web, QString::fromUtf8(dumps.credentials.user)));
    }
    return commands.join(u'\n') + u'\n';
}

void DumpTaker::begin(SessionId session) {
    m_session = session;
    if (m_arguments.profile.dumps.way != DumpWay::Ssh) {
        const Result<jvm::DumpOrder> order = dumpOrderOf(m_arguments);
        return order ? take(*order) : fail(order.error());
    }
    const Result<jvm::ProcessSearch> search =
        jvm::processSearchOf(m_arguments.profile.dumps, clientPlaceOf(m_arguments));
    if (!search)
        return fail(search.error());
    m_search = *search;
    m_running = m_engine.request(m_session, m_search);
}

void DumpTaker::take(const jvm::DumpOrder& order) {
    m_askedAt = m_clock.wallNow();
    m_running = m_engine.request(m_session, order);
}

void DumpTaker::onProcesses(const ProcessesFound& found) {
    if (found.operation != m_running)
        return;
    if (!found.processes)
        return fail(found.processes.error());
    const std::optional<qint64>& wanted = m_arguments.threads.process;
    const auto process = std::ranges::find(*found.processes, wanted.value_or(0), &jvm::RemoteProcess::id);
    if (wanted && process != found.processes->end()) {
        const Result<jvm::SshDump> dump = jvm::sshDumpOf(m_search, *process);
        return dump ? take({*dump, dumpCountOf(m_arguments)}) : fail(dump.error());
    }
    for (const jvm::RemoteProcess& other : *found.processes)
        complain(CommandLine::tr("process %1 has the connection: %2, of user %3; if it is the right one, add --pid %1")
                     .arg(QString::number(other.id), other.name, QString::number(other.user)));
    Q_EMIT ended(ExitCode::Refused);
}

void DumpTaker::onDumps(const DumpsTaken& dumps) {
    if (dumps.operation != m_running)
        return;
    if (!dumps.dumps)
        return fail(dumps.dumps.error());
    std::vector<jvm::ThreadDump> all;
    for (const QByteArray& text : *dumps.dumps) {
        Result<std::vector<jvm::ThreadDump>> read = jvm::threadDumpsIn(text, m_arguments.zone);
        if (!read)
            return fail(read.error());
        std::ranges::move(read.value(), std::back_inserter(all));
    }
    jvm::DumpClock clock;
    clock.askedAt = m_askedAt;
    clock.receivedAt = clock.readAt = m_clock.wallNow();
    Q_EMIT taken(all, clock);
}

void DumpTaker::fail(const Error& error) {
    complain(CommandLine::tr("there is no thread dump: %1").arg(ui::errorClause(error)));
    Q_EMIT ended(ExitCode::NotReadable);
}

}  // namespace lockkeeper::app

#include "moc_dumptaker.cpp"
