// SPDX-License-Identifier: Apache-2.0
#include "support/guitestprogram.h"
#include "support/serverwindowtest.h"
#include "ui/locks/lockspage.h"
#include "ui/operate/armingbadge.h"
#include "ui/session/sessionpage.h"

#include <QAction>
#include <QComboBox>
#include <QDialog>
#include <QLabel>
#include <QLineEdit>
#include <QSpinBox>
#include <QTabWidget>
#include <QTest>

namespace tst_operatorwindow {

using namespace lockkeeper;
using namespace lockkeeper::test;
using namespace lockkeeper::ui;
using namespace std::chrono_literals;

// What an operator may do besides breaking a whole lock (tst_breakingrules), what happens to locks of this console,
// and how long these actions are possible: the real window, its engine and a real server.
class TestOperatorWindow : public ServerWindowTest {
    Q_OBJECT

private:
    // A waiter of the lock's fair queue, with ten minutes left.
    void queueUp(const QString& waiter) {
        const QString deadline = QString::number(QDateTime::currentMSecsSinceEpoch() + 600'000);
        m_server.cli({"RPUSH", "redisson_lock_queue:{orders}", waiter});
        m_server.cli({"ZADD", "redisson_lock_timeout:{orders}", deadline, waiter});
    }
    void read(const QString& reader) {
        m_server.cli({"HSET", "orders", "mode", "read", reader, "1"});
        m_server.cli({"PEXPIRE", "orders", "600000"});
        m_server.cli({"SET", readTimeout(reader), "1", "PX", "600000"});
    }
    static QString readTimeout(const QString& reader) {
        return QStringLiteral("{orders}:%1:rwlock_timeout:1").arg(reader);
    }
    void makeChange() {
        giveReason();
        force().click();
    }
    [[nodiscard]] bool acquire() {
        action("actionAcquire").trigger();
        dialog("acquireDialog")->findChild<QLineEdit*>(QStringLiteral("acquireName"))->setText(QStringLiteral("mine"));
        dialog("acquireDialog")->findChild<QAbstractButton*>(QStringLiteral("acquireButton"))->click();
        return QTest::qWaitFor([this] { return said().contains(QStringLiteral("mine is held by this console now")); });
    }
    [[nodiscard]] QString badge() const {
        return m_window->findChild<ArmingBadge*>(QStringLiteral("armingBadge"))->text();
    }
    [[nodiscard]] bool mayWrite() const {
        return action("actionAcquire").isEnabled() || action("actionForceRelease").isEnabled() ||
               action("actionRelease").isEnabled();
    }

private Q_SLOTS:
    void init() { QVERIFY(begin()); }
    void cleanup() { end(); }

    // ---- the other changes of a lock of others ----

    void oneReaderIsReleasedAndTheOthersKeepTheLock() {
        read(worker);
        read(second);
        QVERIFY(listen(QStringLiteral("redisson_rwlock:{orders}")));
        QVERIFY(open(profile::Environment::Staging));
        QVERIFY(openForce());
        QVERIFY(choose(QByteArray("Release one reader: " + worker.toLatin1()).constData()));
        makeChange();
        QTRY_COMPARE(m_server.cli({"HEXISTS", "orders", worker}), "0");
        QCOMPARE(m_server.cli({"EXISTS", readTimeout(worker)}), "0");
        QCOMPARE(m_server.cli({"HGET", "orders", second}), "1");
        QCOMPARE(m_server.cli({"EXISTS", readTimeout(second)}), "1");
        QTRY_COMPARE(audit().constLast().outcome, control::AuditOutcome::Done);
        QCOMPARE(audit().constLast().change.reader->id.display(), worker);
        QCOMPARE(m_listener.bytesAvailable(), 0);  // the lock is not free
    }

    void aDeadWaiterIsRemovedAndTheNextOneWoken() {
        hold(worker, 600'000);
        queueUp(worker);
        queueUp(second);
        const QString deadline = m_server.cli({"ZSCORE", "redisson_lock_timeout:{orders}", second});
        QVERIFY(listen(channel + u':' + second));
        QVERIFY(open(profile::Environment::Staging));
        m_server.cli({"DEL", "orders"});
        QTRY_VERIFY(openForce("actionWakeWaiters"));
        // Nobody is subscribed to its channel, in two reads at least 10 s apart.
        QTRY_VERIFY_WITH_TIMEOUT(choose("Remove the dead waiter"), 40000);
        makeChange();
        QVERIFY(isWoken());
        QCOMPARE(m_server.cli({"LRANGE", "redisson_lock_queue:{orders}", "0", "-1"}), second);
        QCOMPARE(m_server.cli({"ZRANGE", "redisson_lock_timeout:{orders}", "0", "-1", "WITHSCORES"}),
                 second + u'\n' + deadline);
        QCOMPARE(m_server.cli({"EXISTS", "orders"}), "0");
        QTRY_COMPARE(audit().constLast().outcome, control::AuditOutcome::Done);
    }

    void aLockThatNeverExpiresGetsAnExpiry() {
        m_server.cli({"HSET", "orders", worker, "2"});
        QVERIFY(open(profile::Environment::Staging));
        QVERIFY(openForce());
        QVERIFY(choose("Set an expiry"));
        inForce<QWidget>("forceTime").findChild<QSpinBox*>()->setValue(45);
        makeChange();
        QTRY_VERIFY(m_server.cli({"PTTL", "orders"}).toInt() > 0);
        const int left = m_server.cli({"PTTL", "orders"}).toInt();
        QVERIFY2(left > 30'000 && left <= 45'000, qPrintable(QString::number(left)));
        QCOMPARE(m_server.cli({"HGETALL", "orders"}), worker + QStringLiteral("\n2"));
    }

    // The lock's key was deleted without the message of a release.
    void sleepingWaitersAreWokenAndNoKeyIsTouched() {
        hold(worker, 600'000);
        QVERIFY(listen(channel));
        QVERIFY(open(profile::Environment::Staging));
        m_server.cli({"DEL", "orders"});
        QTRY_VERIFY(openForce("actionWakeWaiters"));
        const QString written = m_server.cli({"INFO", "persistence"})
                                    .section(QStringLiteral("rdb_changes_since_last_save:"), 1)
                                    .section(u'\r', 0, 0);
        makeChange();
        QVERIFY(isWoken());
        QTRY_COMPARE(audit().constLast().outcome, control::AuditOutcome::Done);
        QCOMPARE(m_server.cli({"INFO", "persistence"})
                     .section(QStringLiteral("rdb_changes_since_last_save:"), 1)
                     .section(u'\r', 0, 0),
                 written);
        QCOMPARE(m_server.cli({"DBSIZE"}), "0");
    }

    // ---- a lock of this console ----

    void anOwnLockThatIsLostIsShownAtOnce() {
        hold(worker, 600'000);
        QVERIFY(open(profile::Environment::Staging));
        QVERIFY(acquire());
        auto& tabs = *m_window->findChild<QTabWidget*>(QStringLiteral("sessionTabs"));
        auto& banner = *m_window->findChild<QWidget*>(QStringLiteral("lossBanner"));
        QVERIFY(!banner.isVisible());
        const qint64 icon = tabs.tabIcon(0).cacheKey();
        m_server.cli(
            {"EVAL", "redis.call('DEL', KEYS[1]); redis.call('HSET', KEYS[1], ARGV[1], 1)", "1", "mine", second});
        QTRY_VERIFY(banner.isVisible());
        const QString text = banner.findChild<QLabel*>(QStringLiteral("messageText"))->text();
        QVERIFY2(
            text.startsWith(QStringLiteral("mine is not held by this console any more: another holder has it now")),
            qPrintable(text));
        QVERIFY2(text.contains(QStringLiteral("Stop what you were doing")), qPrintable(text));
        QVERIFY2(tabs.tabToolTip(0).contains(QStringLiteral("A lock of this console was lost.")),
                 qPrintable(tabs.tabToolTip(0)));
        QVERIFY(tabs.tabIcon(0).cacheKey() != icon);
        QVERIFY2(!said().contains(QStringLiteral("held by this console now")), qPrintable(said()));
        QTRY_COMPARE(audit().constLast().action, control::AuditAction::Lost);
        QCOMPARE(audit().constLast().lock, LockName("mine"));
        QVERIFY(page().ownLocks().isEmpty());
    }

    // ---- armed, not assumed ----

    void theTimeIsCountedDownInSightAndEndedByHand() {
        hold(worker, 600'000);
        QVERIFY(open(profile::Environment::Staging));
        QTRY_VERIFY2(badge().startsWith(QStringLiteral("ARMED 9:5")), qPrintable(badge()));
        const QString first = badge();
        QTRY_VERIFY2(badge() < first && badge().startsWith(QStringLiteral("ARMED 9:5")), qPrintable(badge()));
        QVERIFY(openForce());
        giveReason();
        QVERIFY(force().isEnabled());
        action("actionDisarm").trigger();
        QTRY_COMPARE(badge(), QStringLiteral("READ-ONLY"));
        QVERIFY(!force().isEnabled());
        QVERIFY(!mayWrite());
        QTRY_VERIFY(!hasWritingConnection());
        QCOMPARE(m_server.cli({"HGET", "orders", worker}), "1");
    }

    void aLostConnectionEndsIt() {
        hold(worker, 600'000);
        QVERIFY(open(profile::Environment::Staging));
        QVERIFY(openForce());
        giveReason();
        QVERIFY(force().isEnabled());
        killWritingConnection();
        QTRY_COMPARE(badge(), QStringLiteral("READ-ONLY"));
        QVERIFY(!force().isEnabled());
        QVERIFY(!mayWrite());
        QTRY_VERIFY(!hasWritingConnection());
        QCOMPARE(page().arming().ended, ArmingEnd::ConnectionLost);
        QVERIFY2(!said().isEmpty(), "why is said");
        QCOMPARE(page().status().phase, ConnectionPhase::Connected);  // the connection that reads goes on
    }
};

LOCKKEEPER_TEST(TestOperatorWindow, Gui)

}  // namespace tst_operatorwindow

#include "tst_operatorwindow.moc"
