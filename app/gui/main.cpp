// SPDX-License-Identifier: Apache-2.0
#include "app/cli/commandline.h"
#include "app/cli/options.h"
#include "app/cli/startup.h"
#include "app/gui/askpass.h"
#include "app/gui/privatefile.h"
#include "app/tools/auditcommand.h"
#include "app/tools/historyplace.h"
#include "app/tools/lookups.h"
#include "app/tools/savedprofile.h"
#include "base/systemclock.h"
#include "engine/threadedengine.h"
#include "platform/memory.h"
#include "platform/standardoutput.h"
#include "platform/terminationsignals.h"
#include "ui/window/mainwindow.h"
#include "ui/window/settings/retentioncontroller.h"
#include "ui/words/translation.h"

#include <QApplication>
#include <QSettings>

using namespace lockkeeper;

namespace {

// How much history the window keeps, and where.
history::HistoryOptions historyOptions(QSettings& settings) {
    history::HistoryOptions options;
    options.path = app::historyPath();
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
        app::complain(
            app::CommandLine::tr("other users may be able to read the settings in %1").arg(settings.fileName()));
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
    if (app::isAskpass(argc))
        return app::runAskpass(argc, argv);
    platform::returnLargeBlocks();
    app::nameApplication();
    const Result<QStringList> words = app::wordsOf(argc, argv);
    const Result<app::Arguments> arguments =
        words ? app::readArguments(*words, app::allLookups()) : Result<app::Arguments>(words.error());
    if (!arguments)
        return app::refuse(arguments.error());
    if (!arguments->printInstead.isEmpty())
        return app::print(arguments->printInstead);
    if (arguments->face == app::Arguments::Face::Window)
        return runWindow(argc, argv, *arguments);
    return app::refuse(
        app::usage(app::CommandLine::tr("lockkeeper-gui opens the window: use lockkeeper for commands")));
}
