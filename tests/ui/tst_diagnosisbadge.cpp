// SPDX-License-Identifier: Apache-2.0
#include "support/guitestprogram.h"
#include "support/samplelocks.h"
#include "support/windowtest.h"
#include "ui/base/icons.h"
#include "ui/window/notices/badgedicon.h"
#include "ui/window/notices/diagnosisbadge.h"

#include <QAction>
#include <QCheckBox>
#include <QMenu>
#include <QSignalSpy>
#include <QSystemTrayIcon>
#include <QTest>

namespace tst_diagnosisbadge {

using namespace lockkeeper;
using namespace lockkeeper::test;
using namespace lockkeeper::ui;
using namespace std::chrono_literals;

// The count of diagnoses on the icon of the window and in the system tray.
class TestDiagnosisBadge : public WindowTest {
    Q_OBJECT

private:
    static QImage image(const QIcon& icon) { return icon.pixmap(QSize(64, 64), 1.0).toImage(); }
    static QImage plain() { return image(applicationIcon()); }
    QSystemTrayIcon& tray() const { return find<QSystemTrayIcon>("trayIcon"); }
    void sayFaulty(int count) const {
        monitor::MonitorBatch batch;
        batch.stats = monitor::MonitorStats();
        batch.stats->faultyLocks = count;
        m_engine->report(batch);
    }
    // Makes the badge for a window of its own: the desktop of the tests has no tray.
    std::unique_ptr<DiagnosisBadge> onDesktop(DiagnosisBadge::Tray desktop, QWidget& window) {
        return std::make_unique<DiagnosisBadge>(*m_settings, desktop, m_history, window);
    }

    QAction m_history;

private Q_SLOTS:
    void init() { begin(); }
    void cleanup() { end(); }

    // ---- the window ----

    void theIconOfTheWindowHasTheCount() {
        makeWindow();
        m_engine->report(connected());
        QCOMPARE(image(m_window->windowIcon()), plain());
        sayFaulty(3);
        QCOMPARE(image(m_window->windowIcon()), image(badgedIcon(applicationIcon(), 3)));
        sayFaulty(0);
        QCOMPARE(image(m_window->windowIcon()), plain());
    }

    void allSessionsAreCounted() {
        makeWindow();
        m_window->connectToDemo(redis::AccessMode::ReadOnly);
        m_engine->report(connected());
        sayFaulty(3);
        m_window->connectToDemo(redis::AccessMode::ReadOnly);
        m_engine->report(connected());
        sayFaulty(2);
        QCOMPARE(tray().toolTip(), QStringLiteral("Lockkeeper: 5 locks with a diagnosis"));
        ConnectionStatus gone = connected();
        gone.phase = ConnectionPhase::Disconnected;
        m_engine->report(gone);
        QCOMPARE(tray().toolTip(), QStringLiteral("Lockkeeper: 3 locks with a diagnosis"));
    }

    void aClosedConnectionCountsNoMore() {
        makeWindow();
        m_window->connectToDemo(redis::AccessMode::ReadOnly);
        m_engine->report(connected());
        sayFaulty(3);
        find<QAction>("actionClosePage").trigger();
        m_engine->finishClosing(m_engine->session);
        QCoreApplication::processEvents();
        QCOMPARE(tray().toolTip(), QStringLiteral("Lockkeeper: no lock with a diagnosis"));
        QCOMPARE(image(m_window->windowIcon()), plain());
    }

    // ---- the picture ----

    void theBadgeSaysItsCount_data() {
        QTest::addColumn<int>("one");
        QTest::addColumn<int>("other");
        QTest::addColumn<bool>("isSame");
        QTest::newRow("none") << 0 << -1 << true;
        QTest::newRow("none, one") << 0 << 1 << false;
        QTest::newRow("one, two") << 1 << 2 << false;
        QTest::newRow("99, more") << 99 << 100 << false;
        QTest::newRow("many") << 100 << 1000 << true;
    }
    void theBadgeSaysItsCount() {
        QFETCH(const int, one);
        QFETCH(const int, other);
        const bool isSame = image(badgedIcon(applicationIcon(), one)) == image(badgedIcon(applicationIcon(), other));
        QTEST(isSame, "isSame");
    }

    // ---- the tray ----

    void theTrayIsShownAsWanted_data() {
        QTest::addColumn<DiagnosisBadge::Tray>("desktop");
        QTest::addColumn<QVariant>("wanted");
        QTest::addColumn<bool>("isShown");
        QTest::newRow("a tray, nothing chosen") << DiagnosisBadge::Tray::Available << QVariant() << true;
        QTest::newRow("a tray, off") << DiagnosisBadge::Tray::Available << QVariant(false) << false;
        QTest::newRow("no tray, nothing chosen") << DiagnosisBadge::Tray::Missing << QVariant() << false;
        QTest::newRow("no tray, on") << DiagnosisBadge::Tray::Missing << QVariant(true) << false;
    }
    void theTrayIsShownAsWanted() {
        QFETCH(const DiagnosisBadge::Tray, desktop);
        QFETCH(const QVariant, wanted);
        QWidget window;
        const auto badge = onDesktop(desktop, window);
        if (wanted.isValid())
            badge->setTrayWanted(wanted.toBool());
        QTEST(badge->findChild<QSystemTrayIcon*>()->isVisible(), "isShown");
        const auto next = onDesktop(desktop, window);
        QTEST(next->findChild<QSystemTrayIcon*>()->isVisible(), "isShown");
    }

    void theMenuShowsTheWindowTheHistoryAndQuits() {
        QWidget window;
        const auto badge = onDesktop(DiagnosisBadge::Tray::Available, window);
        const QSystemTrayIcon& icon = *badge->findChild<QSystemTrayIcon*>();
        QVERIFY(icon.contextMenu()->actions().contains(&m_history));
        badge->findChild<QAction*>(QStringLiteral("trayShow"))->trigger();
        QVERIFY(window.isVisible());
        badge->findChild<QAction*>(QStringLiteral("trayQuit"))->trigger();
        QVERIFY(!window.isVisible());
    }

    void aClickShowsTheWindow() {
        QWidget window;
        const auto badge = onDesktop(DiagnosisBadge::Tray::Available, window);
        window.showMinimized();
        Q_EMIT badge->findChild<QSystemTrayIcon*>()->activated(QSystemTrayIcon::Trigger);
        QVERIFY(!window.isMinimized());
    }

    void withoutATrayTheSettingsSaySo() {
        makeWindow();
        find<QAction>("actionSettings").trigger();
        QVERIFY(!find<QCheckBox>("settingsTray").isEnabled());
        QVERIFY(!find<QCheckBox>("settingsTray").isChecked());
    }
};

LOCKKEEPER_TEST(TestDiagnosisBadge, Gui)

}  // namespace tst_diagnosisbadge

#include "tst_diagnosisbadge.moc"
