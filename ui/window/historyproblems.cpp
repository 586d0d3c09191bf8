// SPDX-License-Identifier: Apache-2.0
#include "ui/window/historyproblems.h"

#include "engine/engine.h"
#include "ui/base/messagebar.h"
#include "ui/window/mainwindow.h"
#include "ui/words/causetext.h"

#include <QCoreApplication>

namespace lockkeeper::ui {

namespace {

struct HistoryProblems {
    Q_DECLARE_TR_FUNCTIONS(HistoryProblems)
};

}  // namespace

void postHistoryProblems(const Engine& engine, MainWindow& window) {
    QObject::connect(&engine, &Engine::historyFailed, &window, [&window](const Error& error) {
        window.messages().post([error] {
            return Message{Tone::Warning,
                           HistoryProblems::tr("Events are shown, but cannot be kept on disk for the next time: %1. "
                                               "Lockkeeper keeps trying; events that are lost meanwhile show as not "
                                               "watched.")
                               .arg(reasonText(error))};
        });
    });
    QObject::connect(&engine, &Engine::historySetAside, &window, [&window](const QString& path) {
        window.messages().post([path] {
            return Message{
                Tone::Warning,
                HistoryProblems::tr("The file of earlier events could not be used. It was renamed to %1, with "
                                    "all that is in it; a new one was created.")
                    .arg(path)};
        });
    });
}

}  // namespace lockkeeper::ui
