#include "app/arguments.h"
#include "app/headless.h"
#include "app/screenshotrun.h"
#include "app/terminationsignals.h"
#include "base/systemclock.h"
#include "engine/threadedengine.h"
#include "ui/window/mainwindow.h"

#include <QApplication>
#include <QSettings>
#include <QTextStream>

using namespace lockkeeper;

namespace {

constexpr int usageError = static_cast<int>(app::ExitCode::Usage);

QStringList argumentsOf(int argc, char* argv[]) {
    QStringList arguments;
    for (int i = 1; i < argc; ++i)
        arguments += QString::fromLocal8Bit(argv[i]);
    return arguments;
}

// Taken out of the environment at once: nothing this program starts needs to see it.
QByteArray takePassword() {
    const QByteArray password = qgetenv("LOCKKEEPER_PASSWORD");
    qunsetenv("LOCKKEEPER_PASSWORD");
    return password;
}

void nameApplication() {
    QCoreApplication::setOrganizationName(QStringLiteral("lockkeeper"));
    QCoreApplication::setApplicationName(QStringLiteral("lockkeeper"));
    QCoreApplication::setApplicationVersion(QStringLiteral(LOCKKEEPER_VERSION));
}

int runHeadless(int argc, char* argv[], const app::Arguments& arguments) {
    const QCoreApplication application(argc, argv);
    nameApplication();
    monitor::MonitorOptions options;
    options.batchInterval = Milliseconds(0);  // a script wants each event at once
    ThreadedEngine engine(options);
    app::Headless headless(engine, arguments);
    const app::TerminationSignals termination;
    QObject::connect(&termination, &app::TerminationSignals::received, &headless, [&headless] { headless.finish(app::ExitCode::Done); });
    QObject::connect(&headless, &app::Headless::finished, &application, &QCoreApplication::exit);
    headless.start();
    return QCoreApplication::exec();
}

int runWindow(int argc, char* argv[], const app::Arguments& arguments) {
    const QApplication application(argc, argv);
    nameApplication();
    SystemClock clock;
    QSettings settings;
    ThreadedEngine engine;
    ui::MainWindow window(engine, clock, settings);
    // Told to end from outside there is nobody to ask: own locks are given back.
    const app::TerminationSignals termination;
    QObject::connect(&termination, &app::TerminationSignals::received, &engine,
                     [&engine] { engine.shutDown(control::OwnLocksAtExit::Release); });
    QObject::connect(&engine, &Engine::shutDownFinished, &application, &QApplication::quit, Qt::QueuedConnection);
    std::unique_ptr<app::ScreenshotRun> screenshot;
    if (!arguments.screenshotFile.isEmpty()) {
        screenshot = std::make_unique<app::ScreenshotRun>(engine, window, arguments.screenshotFile);
        QObject::connect(screenshot.get(), &app::ScreenshotRun::finished, &application, &QApplication::exit);
    }
    window.show();
    if (arguments.source == app::Arguments::Source::Demo)
        window.connectToDemo(arguments.profile.access);
    else if (arguments.source == app::Arguments::Source::Url)
        window.connectTo(arguments.profile);
    return QApplication::exec();
}

}  // namespace

int main(int argc, char* argv[]) {
    const Result<app::Arguments> arguments = app::Arguments::parse(argumentsOf(argc, argv), takePassword());
    if (!arguments) {
        QTextStream(stderr) << "lockkeeper: " << arguments.error().text << "\nTry 'lockkeeper --help'.\n";
        return usageError;
    }
    if (!arguments->printInstead.isEmpty()) {
        QTextStream(stdout) << arguments->printInstead;
        return 0;
    }
    return arguments->face == app::Arguments::Face::Window ? runWindow(argc, argv, *arguments) : runHeadless(argc, argv, *arguments);
}
