// SPDX-License-Identifier: Apache-2.0
#include "app/arguments.h"
#include "app/askpass.h"
#include "app/auditcommand.h"
#include "app/forcecommand.h"
#include "app/headless.h"
#include "app/labcommand.h"
#include "app/lockcommand.h"
#include "app/privatefile.h"
#include "app/redissonwords.h"
#include "app/replaycommand.h"
#include "app/savedprofile.h"
#include "app/synchronizercommand.h"
#include "app/terminal.h"
#include "base/exacttext.h"
#include "base/safetext.h"
#include "base/systemclock.h"
#include "engine/threadedengine.h"
#include "platform/guardedcommand.h"
#include "platform/memory.h"
#include "platform/standardoutput.h"
#include "platform/terminationsignals.h"
#include "profile/profilestore.h"
#include "ui/base/translation.h"
#include "ui/window/mainwindow.h"
#include "ui/window/settings/retentioncontroller.h"
#include "ui/words/holderaliases.h"

#include <QApplication>
#include <QSettings>
#include <QStandardPaths>
#include <QTextStream>

#include <algorithm>
#include <cstdlib>
#include <cstring>

using namespace lockkeeper;

namespace {

constexpr int usageError = static_cast<int>(app::ExitCode::Usage);

// Arguments that cannot be converted exactly are refused: a changed name or file would be another one.
Result<QStringList> argumentsOf(int argc, char* argv[]) {
    QStringList arguments;
    for (int i = 1; i < argc; ++i) {
        const std::optional<QString> argument = decodedUtf8(argv[i]);
        if (!argument)
            return Error(ErrorCode::InvalidArgument,
                         QStringLiteral("not UTF-8: argument %1, '%2'").arg(i).arg(boundedName(LockName(argv[i]))));
        arguments += *argument;
    }
    return arguments;
}

// Removed from the environment at once, so that no child process gets the password, and overwritten, because the system
// shows what a program was started with to the user's other programs.
QByteArray takePassword(const char* variable) {
    const QByteArray password = qgetenv(variable);
    if (char* original = std::getenv(variable))
        std::fill_n(original, std::strlen(original), '\0');
    qunsetenv(variable);
    return password;
}

int print(const QString& text) {
    if (platform::writeToStandardOutput(text.toUtf8(), [] { return false; }) == platform::Written::Whole)
        return app::codeOf(app::ExitCode::Done);
    app::complain(QStringLiteral("the output cannot be written: %1").arg(qt_error_string()));
    return app::codeOf(app::ExitCode::OutputFailed);
}

void nameApplication() {
    QCoreApplication::setOrganizationName(QStringLiteral("lockkeeper"));
    QCoreApplication::setApplicationName(QStringLiteral("lockkeeper"));
    QCoreApplication::setApplicationVersion(QStringLiteral(LOCKKEEPER_VERSION));
}

int runHeadless(int argc, char* argv[], const app::Arguments& arguments) {
    const QCoreApplication application(argc, argv);
    monitor::MonitorOptions options;
    options.batchInterval = Milliseconds(0);  // a script needs each event at once
    options.mostReadsPerSecond = monitor::MonitorOptions::mostReadsForScript;
    ThreadedEngine engine(options);
    if (!arguments.recording.path.isEmpty())
        engine.recordNext(arguments.recording);
    // The aliases that the window has saved.
    const ui::HolderAliases aliases = ui::HolderAliases::load(QSettings());
    app::Headless headless(engine, app::withKeychain(arguments),
                           [aliases](const ClientId& client) { return aliases.of(client); });
    platform::TerminationSignals termination;
    QObject::connect(&termination, &platform::TerminationSignals::received, &headless,
                     [&headless, isList = arguments.face == app::Arguments::Face::List](int signal) {
                         // A truncated list must not be taken for a whole one.
                         headless.finish(isList ? app::ExitCode{app::signalled + signal} : app::ExitCode::Done);
                     });
    QObject::connect(&headless, &app::Headless::finished, &application, &QCoreApplication::exit);
    headless.start();
    return QCoreApplication::exec();
}

template <typename Command>
int runCommand(int argc, char* argv[], const app::Arguments& arguments) {
    const QCoreApplication application(argc, argv);
    Command command(app::withKeychain(arguments));
    const platform::TerminationSignals signalsOfSystem(platform::TerminationSignals::Taken::ForCommand);
    QObject::connect(&signalsOfSystem, &platform::TerminationSignals::received, &command,
                     &app::ServerCommand::onSignal);
    QObject::connect(&signalsOfSystem, &platform::TerminationSignals::passedOn, &command, &app::ServerCommand::passOn);
    QObject::connect(&signalsOfSystem, &platform::TerminationSignals::stopRequested, &command,
                     &app::ServerCommand::onStopRequested);
    QObject::connect(&signalsOfSystem, &platform::TerminationSignals::continued, &command,
                     &app::ServerCommand::onContinued);
    QObject::connect(&command, &app::ServerCommand::finished, &application, &QCoreApplication::exit,
                     Qt::QueuedConnection);
    command.start();
    return QCoreApplication::exec();
}

int runForce(int argc, char* argv[], const app::Arguments& arguments) {
    if (app::ForceCommand::canBeConfirmed(arguments))
        return runCommand<app::ForceCommand>(argc, argv, arguments);
    app::complain(QStringLiteral("nobody can confirm it at a terminal: repeat the name of the lock with --confirm"));
    return usageError;
}

int runAudit(int argc, char* argv[], const app::Arguments& arguments) {
    const QCoreApplication application(argc, argv);
    nameApplication();
    return app::codeOf(app::runAudit(arguments));
}

int runReplay(int argc, char* argv[], const app::Arguments& arguments) {
    const QCoreApplication application(argc, argv);
    const platform::TerminationSignals termination;
    const ui::HolderAliases aliases = ui::HolderAliases::load(QSettings());
    return app::codeOf(app::runReplay(arguments, [&aliases](const ClientId& client) { return aliases.of(client); }));
}

int runLab(int argc, char* argv[], const app::Arguments& arguments) {
    const QCoreApplication application(argc, argv);
    app::LabCommand command(arguments);
    const platform::TerminationSignals termination;
    QObject::connect(&termination, &platform::TerminationSignals::received, &command, &app::LabCommand::onSignal);
    QObject::connect(&command, &app::LabCommand::finished, &application, &QCoreApplication::exit, Qt::QueuedConnection);
    command.start();
    return QCoreApplication::exec();
}

// How much history the window keeps, and where.
history::HistoryOptions historyOptions(QSettings& settings) {
    history::HistoryOptions options;
    options.path =
        QStandardPaths::writableLocation(QStandardPaths::AppDataLocation) + QStringLiteral("/history.sqlite");
    options.retention = ui::retentionFrom(settings);
    return options;
}

// The saved connection, changed as the other options ask. A password that was given is not asked for.
profile::StoredProfile savedOf(const app::Arguments& arguments) {
    profile::StoredProfile saved = *arguments.saved;
    saved.profile = arguments.profile;
    if (!saved.profile.credentials.password.isEmpty())
        saved.secrets = profile::StoredProfile::Secrets::InKeychain;
    return saved;
}

int runWindow(int argc, char* argv[], const app::Arguments& arguments) {
    QApplication application(argc, argv);
    ui::installTranslation(application);
    QSettings settings;
    if (!app::keepPrivate(settings.fileName()))
        app::complain(QStringLiteral("other users may be able to read the settings in %1").arg(settings.fileName()));
    ThreadedEngine engine(monitor::MonitorOptions(), historyOptions(settings), app::auditFolder());
    engine.setAskpass(QCoreApplication::applicationFilePath());
    SystemClock clock;
    profile::ProfileStore profiles(app::profilesPath());
    ui::MainWindow window(engine, clock, settings, profiles);
    window.setAuditFolder(app::auditFolder());
    platform::TerminationSignals termination;
    QObject::connect(&termination, &platform::TerminationSignals::received, &window, &ui::MainWindow::quitAtOnce);
    QObject::connect(&termination, &platform::TerminationSignals::received, &termination,
                     &platform::TerminationSignals::restoreDefaults);
    window.show();
    if (arguments.source == app::Arguments::Source::Demo)
        window.connectToDemo(arguments.profile.access);
    else if (arguments.saved)
        window.open(savedOf(arguments));
    else if (arguments.source == app::Arguments::Source::Url)
        window.connectTo(arguments.profile);
    else if (!arguments.recording.path.isEmpty())
        window.openRecording(arguments.recording.path);
    else if (!arguments.redissonFile.isEmpty())
        window.openRedissonFile(arguments.redissonFile);
    window.showNotes(arguments.notes);
    if (!arguments.screenshotFile.isEmpty())
        window.saveScreenshotAndQuit(arguments.screenshotFile);
    return QApplication::exec();
}

}  // namespace

int main(int argc, char* argv[]) {
    platform::reserveStandardStreams();
    if (platform::isGuard(argc, argv))
        return platform::runGuard(argc, argv);
    if (app::isAskpass(argc))
        return app::runAskpass(argc, argv);
    platform::returnLargeBlocks();
    // The application's name decides where the file of the saved connections is.
    nameApplication();
    const app::Passwords passwords{takePassword("LOCKKEEPER_PASSWORD"), takePassword("LOCKKEEPER_SENTINEL_PASSWORD"),
                                   takePassword("LOCKKEEPER_KEY_PASSPHRASE"),
                                   takePassword("LOCKKEEPER_WRITING_PASSWORD")};
    const Result<QStringList> given = argumentsOf(argc, argv);
    const auto profileNamed = [](const QString& name) {
        profile::ProfileStore profiles(app::profilesPath());
        return app::savedProfile(profiles, name);
    };
    const Result<app::Arguments> arguments =
        given ? app::Arguments::parse(*given, passwords, profileNamed) : Result<app::Arguments>(given.error());
    if (!arguments) {
        app::complain(arguments.error().text);
        QTextStream(stderr) << "Try 'lockkeeper --help'.\n";
        return usageError;
    }
    if (!arguments->printInstead.isEmpty())
        return print(arguments->printInstead);
    if (arguments->face == app::Arguments::Face::Window)
        return runWindow(argc, argv, *arguments);
    for (const profile::RedissonNote& note : arguments->notes)
        app::complain(app::redissonWords(note));
    switch (arguments->face) {
        case app::Arguments::Face::Window:
            break;
        case app::Arguments::Face::Lock:
            return runCommand<app::LockCommand>(argc, argv, *arguments);
        case app::Arguments::Face::Semaphore:
        case app::Arguments::Face::Latch:
            return runCommand<app::SynchronizerCommand>(argc, argv, *arguments);
        case app::Arguments::Face::ForceRelease:
            return runForce(argc, argv, *arguments);
        case app::Arguments::Face::Audit:
            return runAudit(argc, argv, *arguments);
        case app::Arguments::Face::Lab:
            return runLab(argc, argv, *arguments);
        case app::Arguments::Face::Replay:
            return runReplay(argc, argv, *arguments);
        case app::Arguments::Face::List:
        case app::Arguments::Face::Watch:
            break;
    }
    return runHeadless(argc, argv, *arguments);
}
