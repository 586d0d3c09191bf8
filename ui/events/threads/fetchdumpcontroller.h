// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/sessionlink.h"
#include "jvm/keptdump.h"
#include "ui/events/threads/fetchdumpdialog.h"

#include <QPointer>

namespace lockkeeper::ui {

// Gets a thread dump when the user has seen and confirmed how. What runs, runs in the session.
class FetchDumpController final : public QObject {
    Q_OBJECT
public:
    // All outlive the controller. The window owns the dialog.
    FetchDumpController(SessionLink& link, const Clock& clock, QWidget& window);

    void open(const FetchSubject& subject);

Q_SIGNALS:
    // One or two, of one JVM.
    void dumpsTaken(const lockkeeper::jvm::TakenDumps& taken);
    void fileWanted();

private:
    void request(const SessionRequest& wanted);
    void onProcesses(const ProcessesFound& found);
    void onDumps(const DumpsTaken& taken);

    SessionLink& m_link;
    const Clock& m_clock;
    QWidget& m_window;
    ClientId m_client;                          // of the dialog
    std::optional<OperationId> m_running;       // whose answer is shown
    jvm::ClientBy m_by = jvm::ClientBy::Asked;  // of the request that runs
    WallTime m_askedAt{};                       // for it
    QPointer<FetchDumpDialog> m_dialog;
};

}  // namespace lockkeeper::ui
