// SPDX-License-Identifier: Apache-2.0
#include "app/tools/checkcommand.h"

#include "app/cli/commandline.h"
#include "app/cli/terminal.h"
#include "control/check/checkjson.h"
#include "control/check/serverchecker.h"
#include "platform/standardoutput.h"
#include "ui/words/causetext.h"
#include "ui/words/checktext.h"

#include <algorithm>

namespace lockkeeper::app {

namespace {

const QByteArray clientName = QByteArrayLiteral("lockkeeper-check");

control::CheckedUsers usersOf(const profile::ConnectionProfile& profile) {
    control::CheckedUsers users{profile.connectionOptions(), std::nullopt};
    users.watching.clientName = clientName;
    if (!profile.writing.user.isEmpty())
        users.writing = profile.writing;
    return users;
}

QByteArray linesOf(const control::ServerCheck& check, bool isJson) {
    QByteArray lines;
    if (isJson) {
        for (const control::NodeCheck& node : check.nodes)
            lines += jsonForTerminal(control::toJsonLine(node)) + '\n';
        return lines;
    }
    for (const QString& line : ui::checkLines(check))
        lines += textForTerminal(line) + '\n';
    return lines;
}

}  // namespace

CheckCommand::CheckCommand(Arguments arguments, QObject* parent)
    : ServerCommand(std::move(arguments), clientName, parent, ConnectAs::WatchingUser) {}

CheckCommand::~CheckCommand() {
    endTasks();
}

Task<Result<Done>> CheckCommand::connect() {
    m_route.shards().open();
    return endedTask<Result<Done>>(Done());
}

Task<void> CheckCommand::work() {
    control::ServerChecker checker(usersOf(m_arguments.profile), m_route.shards(), m_clock,
                                   profile::sampleName(m_arguments.profile.discovery.matches));
    const Result<control::ServerCheck> checked = co_await checker.run(m_waiting.get_token());
    if (checked) {
        report(*checked);
    } else if (checked.error().code != ErrorCode::Cancelled) {
        complain(CommandLine::tr("cannot connect to %1: %2")
                     .arg(m_arguments.profile.display(), ui::errorClause(checked.error())));
        setExitCode(exitCodeOf(checked.error()));
    }
}

void CheckCommand::report(const control::ServerCheck& check) {
    const auto unasked = std::ranges::find_if(check.nodes, [](const auto& node) { return node.error.has_value(); });
    if (unasked != check.nodes.end()) {
        complain(CommandLine::tr("cannot connect to %1: %2").arg(unasked->address, ui::errorClause(*unasked->error)));
        setExitCode(exitCodeOf(*unasked->error));
    } else {
        setExitCode(check.isClear() ? ExitCode::Done : ExitCode::Limited);
    }
    const bool isAllUnasked = std::ranges::all_of(check.nodes, [](const auto& node) { return node.error.has_value(); });
    if (isAllUnasked && !m_arguments.json)
        return;
    const auto isToEnd = [this] { return m_waiting.stop_requested(); };
    if (platform::writeToStandardOutput(linesOf(check, m_arguments.json), isToEnd) == platform::Written::Failed) {
        complain(CommandLine::tr("the output cannot be written: %1").arg(qt_error_string()));
        setExitCode(ExitCode::OutputFailed);
    }
}

}  // namespace lockkeeper::app

#include "moc_checkcommand.cpp"
