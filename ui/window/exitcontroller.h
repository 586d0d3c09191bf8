// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/engine.h"

#include <QObject>
#include <QPointer>

namespace lockkeeper::ui {

class ExitDialog;
class MainWindow;
class SessionPage;

// How the program ends: asks about the locks that its consoles hold, waits until the engine has shut down, and closes
// the window. Asks also when one page with such locks is closed.
class ExitController final : public QObject {
    Q_OBJECT
public:
    // Both outlive it.
    ExitController(Engine& engine, MainWindow& window);

    [[nodiscard]] bool isUnderWay() const noexcept { return m_phase != Phase::No; }
    // The window was asked to close. False: it closes later, if at all.
    [[nodiscard]] bool mayClose();
    // The user logs out. True: the logout is to wait, because the user is asked about own locks. If nothing may be
    // asked, own locks are released.
    [[nodiscard]] bool holdsUpLogout(bool mayAsk);
    // Ends the program without questions: own locks are released.
    void quitAtOnce();
    // code: of the program, in place of 0.
    void setExitCode(int code) { m_exitCode = code; }
    // Emits answered() later, unless the user stays.
    void askAboutLocksOf(SessionPage& page);
    // Own locks or connections of pages have changed.
    void update();
    void retranslate();

Q_SIGNALS:
    void answered(lockkeeper::ui::SessionPage* page, lockkeeper::control::OwnLocksAtExit ownLocks);

private:
    enum class Phase { No, ShuttingDown, Done };

    void ask(SessionPage* page);
    void shutDown(control::OwnLocksAtExit ownLocks);
    void onShutDown();
    void showClosing();
    [[nodiscard]] bool hasOwnLocks() const;

    Engine& m_engine;
    MainWindow& m_window;
    Phase m_phase = Phase::No;
    bool m_releasing = false;  // own locks, before the program ends
    int m_exitCode = 0;
    QPointer<ExitDialog> m_dialog;
    QPointer<SessionPage> m_page;  // whose locks the dialog asks about; null: of all pages
};

}  // namespace lockkeeper::ui
