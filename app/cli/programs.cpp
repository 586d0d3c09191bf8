// SPDX-License-Identifier: Apache-2.0
#include "app/cli/programs.h"

#include "app/cli/commandline.h"
#include "app/cli/exitcode.h"
#include "app/cli/options.h"
#include "app/cli/terminal.h"
#include "platform/otherprogram.h"

#include <QDir>
#include <QStandardPaths>

#include <cerrno>

namespace lockkeeper::app {

namespace {

// A program that people do not start themselves. LOCKKEEPER_HELPERS leads to it from the folder of `lockkeeper`; from
// another helper it is beside.
QString helperProgram(const QString& name) {
    const QString own = platform::programFolder();
    const QString folder = QDir::cleanPath(own + QStringLiteral("/" LOCKKEEPER_HELPERS));
    const QString found = QStandardPaths::findExecutable(name, {folder, own});
    return found.isEmpty() ? folder + u'/' + name : found;
}

QString guiProgram() {
    const QString name = QStringLiteral("lockkeeper-gui");
    const QString beside = QStandardPaths::findExecutable(name, {platform::programFolder()});
    return beside.isEmpty() ? QStandardPaths::findExecutable(name) : beside;
}

int notStarted(const QString& program) {
    const int why = errno;
    complain(CommandLine::tr("cannot run %1: %2").arg(program, qt_error_string(why)));
    return codeOf(why == ENOENT ? ExitCode::NotFound : ExitCode::NotExecutable);
}

}  // namespace

Program programFor(const QStringList& arguments) {
    const Options options;
    QCommandLineParser parser;
    if (!parseOptions(parser, options, arguments) || isAnySet(parser, {&options.help, &options.version}))
        return Program::Itself;
    const std::optional<Arguments::Face> face = faceOf(parser.positionalArguments().value(0));
    const bool isForWindow = parser.positionalArguments().size() <= 1;  // the window opens one URL, or one recording
    if (!face)
        return isForWindow ? Program::Gui : Program::Itself;
    if (*face == Arguments::Face::Replay && parser.isSet(options.window))
        return Program::Gui;
    const bool needsFiles = isAnySet(parser, {&options.profile, &options.redisson});
    return isLocking(*face) && !needsFiles ? Program::Itself : Program::Tools;
}

int becomeTools(char* argv[]) {
    const QString tools = helperProgram(QStringLiteral("lockkeeper-tools"));
    const std::optional<int> exitCode = platform::becomeProgram(tools, argv);
    return exitCode ? *exitCode : notStarted(tools);
}

int becomeGui(char* argv[]) {
    const QString gui = guiProgram();
    if (gui.isEmpty()) {
        complain(
            CommandLine::tr("the window is a program of its own, and it is not installed: install the package "
                            "lockkeeper-gui. 'lockkeeper --help' names the commands that need no window"));
        return codeOf(ExitCode::NotFound);
    }
    const std::optional<int> exitCode = platform::becomeProgram(gui, argv);
    return exitCode ? *exitCode : notStarted(gui);
}

QString guardProgram() {
    return helperProgram(QStringLiteral("lockkeeper-guard"));
}

}  // namespace lockkeeper::app
