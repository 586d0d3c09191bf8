// SPDX-License-Identifier: Apache-2.0
#include "app/cli/commandline.h"
#include "app/cli/exitcode.h"
#include "app/cli/lockcommand.h"
#include "app/cli/options.h"
#include "app/cli/startup.h"
#include "app/cli/synchronizercommand.h"
#include "app/cli/terminal.h"
#include "app/tools/auditcommand.h"
#include "app/tools/checkcommand.h"
#include "app/tools/configfile.h"
#include "app/tools/dumpfile.h"
#include "app/tools/dumptaker.h"
#include "app/tools/explaincommand.h"
#include "app/tools/explainprinter.h"
#include "app/tools/exportercommand.h"
#include "app/tools/forcecommand.h"
#include "app/tools/headless.h"
#include "app/tools/historyplace.h"
#include "app/tools/labcommand.h"
#include "app/tools/lookups.h"
#include "app/tools/notifycommand.h"
#include "app/tools/replaycommand.h"
#include "app/tools/savedprofile.h"
#include "engine/threadedengine.h"
#include "platform/memory.h"
#include "platform/standardoutput.h"
#include "platform/terminationsignals.h"
#include "ui/words/causetext.h"
#include "ui/words/holderaliases.h"
#include "ui/words/translation.h"

#include <QSettings>

using namespace lockkeeper;

namespace {

class Application final : public QCoreApplication {
public:
    Application(int& argc, char* argv[]) : QCoreApplication(argc, argv) { ui::installTranslation(*this); }
};

// Empty if none is given.
Result<std::vector<jvm::ThreadDump>> dumpsOf(const app::Arguments& arguments) {
    if (arguments.threads.dumpFile.isEmpty())
        return std::vector<jvm::ThreadDump>();
    Result<std::vector<jvm::ThreadDump>> dumps =
        app::threadDumpsOf(arguments.threads.dumpFile, arguments.zone, arguments.isZoneGiven);
    if (!dumps)
        app::complain(QStringLiteral("%1: %2").arg(arguments.threads.dumpFile, ui::reasonText(dumps.error())));
    return dumps;
}

int runHeadless(int argc, char* argv[], const app::Arguments& arguments) {
    const Application application(argc, argv);
    if (arguments.threads.isPlanPrinted) {
        const Result<QString> printed = app::DumpTaker::plan(arguments);
        return printed ? app::print(*printed) : app::refuse(printed.error());
    }
    // What cannot be run is said before anything connects.
    const Result<QString> plan = arguments.threads.isFetched ? app::DumpTaker::plan(arguments) : QString();
    if (!plan)
        return app::refuse(plan.error());
    Result<std::vector<jvm::ThreadDump>> dumps = dumpsOf(arguments);
    if (!dumps)
        return app::codeOf(app::ExitCode::NotReadable);
    monitor::MonitorOptions options;
    options.batchInterval = Milliseconds(0);  // a script needs each event at once
    options.mostReadsPerSecond = monitor::MonitorOptions::mostReadsForScript;
    // What is read once says nothing about the time before: the history of the window does.
    history::HistoryOptions past;
    past.use = history::HistoryOptions::Use::Read;
    if (arguments.face != app::Arguments::Face::Watch)
        past.path = app::historyPath();
    ThreadedEngine engine(options, past);
    if (!arguments.recording.path.isEmpty())
        engine.recordNext(arguments.recording);
    // The aliases that the window has saved.
    const ui::HolderAliases aliases = ui::HolderAliases::load(QSettings());
    app::Headless headless(engine, app::withKeychain(arguments),
                           [aliases](const ClientId& client) { return aliases.of(client); });
    headless.setDumps(std::move(dumps).value());
    platform::TerminationSignals termination;
    QObject::connect(&termination, &platform::TerminationSignals::received, &headless,
                     [&headless, isList = arguments.face != app::Arguments::Face::Watch](int signal) {
                         // A truncated list must not be taken for a whole one.
                         headless.finish(isList ? app::ExitCode{app::signalled + signal} : app::ExitCode::Done);
                     });
    QObject::connect(&headless, &app::Headless::finished, &application, &QCoreApplication::exit);
    headless.start();
    return QCoreApplication::exec();
}

// The application of the command answers for the keychain, too.
template <typename Command>
int runCommand(int argc, char* argv[], const app::Arguments& arguments) {
    return app::runCommand<Command>(argc, argv, [&arguments] {
        ui::installTranslation(*QCoreApplication::instance());
        return app::withKeychain(arguments);
    });
}

int runForce(int argc, char* argv[], const app::Arguments& arguments) {
    if (app::ForceCommand::canBeConfirmed(arguments))
        return runCommand<app::ForceCommand>(argc, argv, arguments);
    const bool isOfPermit = arguments.force.kind == control::ChangeKind::GiveBackPermit;
    app::complain(
        isOfPermit
            ? app::CommandLine::tr(
                  "nobody can confirm it at a terminal: repeat the name of the semaphore with --confirm")
            : app::CommandLine::tr("nobody can confirm it at a terminal: repeat the name of the lock with --confirm"));
    return app::codeOf(app::ExitCode::Usage);
}

int runAudit(int argc, char* argv[], const app::Arguments& arguments) {
    const Application application(argc, argv);
    return app::codeOf(app::runAudit(arguments));
}

// The text is read before the command has signal handlers: the terminal can interrupt it.
int runExplain(int argc, char* argv[], const app::Arguments& arguments) {
    Result<monitor::ErrorReport> report = monitor::ErrorReport();
    Result<std::vector<jvm::ThreadDump>> dumps = std::vector<jvm::ThreadDump>();
    {
        const Application application(argc, argv);
        report = app::readErrors(arguments.explain.path, arguments.zone);
        if (!report) {
            app::complain(ui::errorClause(report.error()));
            return app::codeOf(app::ExitCode::NotReadable);
        }
        dumps = dumpsOf(arguments);
        if (!dumps)
            return app::codeOf(app::ExitCode::NotReadable);
        if (arguments.source == app::Arguments::Source::None || report->findings.empty()) {
            const std::vector<monitor::ErrorState> states(report->findings.size());
            return app::codeOf(app::printExplanation(arguments, *report, states, [] { return false; }));
        }
    }
    return app::runCommand<app::ExplainCommand>(argc, argv, [&arguments, &report, &dumps] {
        ui::installTranslation(*QCoreApplication::instance());
        return app::ExplainOrder{app::withKeychain(arguments), *report, *dumps};
    });
}

int runReplay(int argc, char* argv[], const app::Arguments& arguments) {
    const Application application(argc, argv);
    const platform::TerminationSignals termination;
    const ui::HolderAliases aliases = ui::HolderAliases::load(QSettings());
    return app::codeOf(app::runReplay(arguments, [&aliases](const ClientId& client) { return aliases.of(client); }));
}

int runLab(int argc, char* argv[], const app::Arguments& arguments) {
    const Application application(argc, argv);
    app::LabCommand command(arguments);
    const platform::TerminationSignals termination;
    QObject::connect(&termination, &platform::TerminationSignals::received, &command, &app::LabCommand::onSignal);
    QObject::connect(&command, &app::LabCommand::finished, &application, &QCoreApplication::exit, Qt::QueuedConnection);
    command.start();
    return QCoreApplication::exec();
}

// whole: the command line with its file of options.
Result<app::Arguments> argumentsOf(const Result<QStringList>& whole, const app::Passwords& passwords) {
    return whole ? app::Arguments::parse(*whole, passwords, app::allLookups()) : Result<app::Arguments>(whole.error());
}

// The arguments as they are now, for a reload.
Result<app::Arguments> argumentsAgain(const QStringList& words, const app::Passwords& passwords) {
    return argumentsOf(app::withConfigFileAgain(words), passwords);
}

int runExporter(int argc, char* argv[], const QStringList& words, const app::Passwords& passwords,
                const app::Arguments& arguments) {
    const Application application(argc, argv);
    ThreadedEngine engine;
    app::ExporterCommand command(engine, arguments.exporter,
                                 [&words, &passwords] { return argumentsAgain(words, passwords); });
    const platform::TerminationSignals signalsOfSystem(platform::TerminationSignals::Taken::ForService);
    QObject::connect(&signalsOfSystem, &platform::TerminationSignals::received, &command,
                     [&command](int) { command.finish(app::ExitCode::Done); });
    QObject::connect(&signalsOfSystem, &platform::TerminationSignals::reloadRequested, &command,
                     &app::ExporterCommand::reload);
    QObject::connect(&command, &app::ExporterCommand::finished, &application, &QCoreApplication::exit,
                     Qt::QueuedConnection);
    command.start();
    return QCoreApplication::exec();
}

int runNotify(int argc, char* argv[], const QStringList& words, const app::Passwords& passwords,
              const app::Arguments& arguments) {
    const Application application(argc, argv);
    app::NotifyCommand command(arguments, [&words, &passwords] { return argumentsAgain(words, passwords); });
    const platform::TerminationSignals signalsOfSystem(platform::TerminationSignals::Taken::ForService);
    QObject::connect(&signalsOfSystem, &platform::TerminationSignals::received, &command, &app::NotifyCommand::stop);
    QObject::connect(&signalsOfSystem, &platform::TerminationSignals::reloadRequested, &command,
                     &app::NotifyCommand::reload);
    QObject::connect(&command, &app::NotifyCommand::finished, &application, &QCoreApplication::exit,
                     Qt::QueuedConnection);
    command.start();
    return QCoreApplication::exec();
}

}  // namespace

// `lockkeeper` becomes this program for the commands that need more than liblockkeeper-core.
int main(int argc, char* argv[]) {
    platform::reserveStandardStreams();
    platform::returnLargeBlocks();
    app::nameApplication();
    const Result<QStringList> words = app::wordsOf(argc, argv);
    const app::Passwords passwords = app::takePasswords();
    const Result<app::Arguments> arguments =
        words ? argumentsOf(app::withConfigFile(*words), passwords) : Result<app::Arguments>(words.error());
    if (!arguments)
        return app::refuse(arguments.error());
    if (arguments->face != app::Arguments::Face::Window)
        app::printNotes(*arguments);
    if (!arguments->printInstead.isEmpty())
        return app::print(arguments->printInstead);
    switch (arguments->face) {
        case app::Arguments::Face::Window:
            break;
        case app::Arguments::Face::Lock:
            return runCommand<app::LockCommand>(argc, argv, *arguments);
        case app::Arguments::Face::Semaphore:
        case app::Arguments::Face::Latch:
            return runCommand<app::SynchronizerCommand>(argc, argv, *arguments);
        case app::Arguments::Face::Check:
            return runCommand<app::CheckCommand>(argc, argv, *arguments);
        case app::Arguments::Face::Explain:
            return runExplain(argc, argv, *arguments);
        case app::Arguments::Face::ForceRelease:
            return runForce(argc, argv, *arguments);
        case app::Arguments::Face::Audit:
            return runAudit(argc, argv, *arguments);
        case app::Arguments::Face::Lab:
            return runLab(argc, argv, *arguments);
        case app::Arguments::Face::Exporter:
            return runExporter(argc, argv, *words, passwords, *arguments);
        case app::Arguments::Face::Replay:
            return runReplay(argc, argv, *arguments);
        case app::Arguments::Face::Notify:
            return runNotify(argc, argv, *words, passwords, *arguments);
        case app::Arguments::Face::List:
        case app::Arguments::Face::Threads:
        case app::Arguments::Face::Watch:
            return runHeadless(argc, argv, *arguments);
    }
    return app::refuse(app::usage(app::CommandLine::tr("lockkeeper-tools has no window: use lockkeeper-gui")));
}
