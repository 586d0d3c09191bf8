// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "profile/profilestore.h"
#include "support/fakeengine.h"
#include "support/manualclock.h"
#include "support/widgettest.h"
#include "ui/window/mainwindow.h"

#include <QSettings>
#include <QTemporaryDir>

#include <memory>

namespace lockkeeper::ui {
class LockTableView;
}

namespace lockkeeper::test {

// Base of tests that drive the real window on an engine that is played, with settings and saved connections of their
// own.
class WindowTest : public WidgetTest {
protected:
    WindowTest();
    ~WindowTest() override;

    // Settings, connections and engine are new. To be called before makeWindow().
    void begin();
    void makeWindow();
    // begin() and makeWindow(); then the window's session is connected.
    void beginConnected();
    void end();
    // Reports a row, and the event that made it: acquired, or released if the lock is free.
    void reportChange(const monitor::LockRow& row);
    // Makes everything as if the program was started again.
    void restart();
    // Gives the window the keyboard.
    void activate();
    // The table of the page in front.
    [[nodiscard]] ui::LockTableView& table() const;

    ManualClock m_clock;
    std::unique_ptr<QTemporaryDir> m_directory;
    std::unique_ptr<QSettings> m_settings;
    std::unique_ptr<profile::ProfileStore> m_profiles;
    std::unique_ptr<FakeEngine> m_engine;
    std::unique_ptr<ui::MainWindow> m_window;

private:
    [[nodiscard]] const QWidget& top() const override { return *m_window; }
};

}  // namespace lockkeeper::test
