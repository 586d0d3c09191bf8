// SPDX-License-Identifier: Apache-2.0
#include "ui/window/windowmessages.h"

#include "engine/engine.h"
#include "ui/base/messagebar.h"
#include "ui/base/storedvalues.h"
#include "ui/session/sessionpage.h"
#include "ui/window/mainwindow.h"
#include "ui/words/causetext.h"
#include "ui/words/locktext.h"

#include <QCoreApplication>

namespace lockkeeper::ui {

namespace {

struct WindowMessages {
    Q_DECLARE_TR_FUNCTIONS(WindowMessages)
};

}  // namespace

void postDroppedSettings(QSettings& settings, MainWindow& window) {
    constexpr qsizetype mostNamed = 300;  // characters
    const QString keys = takeDropped(settings).join(QStringLiteral(", "));
    if (keys.isEmpty())
        return;
    const auto message = [keys, file = settings.fileName()] {
        return Message{Tone::Warning,
                       WindowMessages::tr(
                           "Some settings in %1 cannot be used: %2. They were removed, and what they were for is as "
                           "at first; set it again if you need it.")
                           .arg(file, shortened(keys, mostNamed))};
    };
    // A connection that the command line asks for takes the place of the start page before anybody has read it there.
    window.messages().post(message);
    window.currentPage().messages().post(message);
}

void postHistoryProblems(const Engine& engine, MainWindow& window) {
    QObject::connect(&engine, &Engine::historyFailed, &window, [&window](const Error& error) {
        window.messages().post([error] {
            return Message{Tone::Warning,
                           WindowMessages::tr("Events are shown, but cannot be kept on disk for the next time: %1. "
                                              "Lockkeeper keeps trying; events that are lost meanwhile show as not "
                                              "watched.")
                               .arg(reasonText(error))};
        });
    });
    QObject::connect(&engine, &Engine::historySetAside, &window, [&window](const QString& path) {
        window.messages().post([path] {
            return Message{
                Tone::Warning,
                WindowMessages::tr("The file of earlier events could not be used. It was renamed to %1, with "
                                   "all that is in it; a new one was created.")
                    .arg(path)};
        });
    });
}

}  // namespace lockkeeper::ui
