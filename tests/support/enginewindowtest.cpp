// SPDX-License-Identifier: Apache-2.0
#include "support/enginewindowtest.h"

#include "support/emptysettings.h"

namespace lockkeeper::test {

EngineWindowTest::EngineWindowTest() = default;

EngineWindowTest::~EngineWindowTest() {
    endWindow();
}

void EngineWindowTest::makeWindow() {
    m_settings = emptySettings(m_directory);
    m_profiles = std::make_unique<profile::ProfileStore>(m_directory.filePath(QStringLiteral("profiles.json")));
    m_engine = std::make_unique<ThreadedEngine>(monitor::MonitorOptions(), history::HistoryOptions(), auditFolder());
    m_window = std::make_unique<ui::MainWindow>(*m_engine, m_clock, *m_settings, *m_profiles);
    m_window->show();
}

void EngineWindowTest::endWindow() {
    m_window.reset();
    m_engine.reset();
}

}  // namespace lockkeeper::test
