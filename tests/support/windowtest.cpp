// SPDX-License-Identifier: Apache-2.0
#include "support/windowtest.h"

#include "support/emptysettings.h"
#include "support/samplelocks.h"
#include "ui/locks/lockspage.h"
#include "ui/session/sessionpage.h"

#include <QTest>

namespace lockkeeper::test {

WindowTest::WindowTest() = default;

WindowTest::~WindowTest() = default;

void WindowTest::begin() {
    m_directory = std::make_unique<QTemporaryDir>();
    m_settings = emptySettings(*m_directory);
    m_profiles = std::make_unique<profile::ProfileStore>(m_directory->filePath(QStringLiteral("profiles.json")));
    m_engine = std::make_unique<FakeEngine>();
}

void WindowTest::makeWindow() {
    m_window = std::make_unique<ui::MainWindow>(*m_engine, m_clock, *m_settings, *m_profiles);
    m_window->show();
}

void WindowTest::beginConnected() {
    begin();
    makeWindow();
    m_engine->report(connected());
}

void WindowTest::reportChange(const monitor::LockRow& row) {
    using monitor::EventType;
    monitor::MonitorBatch batch = batchOf({row});
    batch.events = {eventOf(m_clock, row.lock.isHeld() ? EventType::Acquired : EventType::Released, row)};
    m_engine->report(batch);
}

void WindowTest::end() {
    m_window.reset();
    m_engine.reset();
}

void WindowTest::restart() {
    m_window.reset();
    makeWindow();
}

void WindowTest::activate() {
    m_window->activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(m_window.get()));
}

ui::LockTableView& WindowTest::table() const {
    return m_window->currentPage().locksPage().table();
}

}  // namespace lockkeeper::test
