// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/systemclock.h"
#include "engine/threadedengine.h"
#include "profile/profilestore.h"
#include "support/widgettest.h"
#include "ui/window/mainwindow.h"

#include <QSettings>
#include <QTemporaryDir>

#include <memory>

namespace lockkeeper::test {

// Base of tests that drive the real window with its real engine, with settings, saved connections and an audit of their
// own.
class EngineWindowTest : public WidgetTest {
protected:
    EngineWindowTest();
    ~EngineWindowTest() override;

    void makeWindow();
    void endWindow();
    [[nodiscard]] QString auditFolder() const { return m_directory.filePath(QStringLiteral("audit")); }

    QTemporaryDir m_directory;
    std::unique_ptr<ui::MainWindow> m_window;

private:
    [[nodiscard]] const QWidget& top() const override { return *m_window; }

    SystemClock m_clock;
    std::unique_ptr<QSettings> m_settings;
    std::unique_ptr<profile::ProfileStore> m_profiles;
    std::unique_ptr<ThreadedEngine> m_engine;
};

}  // namespace lockkeeper::test
