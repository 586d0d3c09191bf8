// SPDX-License-Identifier: Apache-2.0
#include "support/monitorprobe.h"
#include "support/redisserver.h"
#include "support/serverhand.h"
#include "support/testprogram.h"

#include <QScopeGuard>
#include <QTcpServer>
#include <QTest>

namespace tst_monitor_loss {

using namespace lockkeeper;
using namespace lockkeeper::monitor;
using namespace lockkeeper::test;
using namespace std::chrono_literals;

// What a Monitor reports when the server disappears, returns, or loses its data.
class TestMonitorLoss : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() { QVERIFY(m_server.start()); }
    void cleanup() { m_server.stop(); }

    void claimsNothingAboutTheTimeItWasCutOff();
    void saysReconnectingAndUpToWhenItWasTrue();
    void aRestartedServerHasLostItsLocks();
    void aServerWithoutDataIsOneEventAboveTheSingleOnes();
    void aServerWithOtherDataIsNotEmpty();
    void aFrozenServerIsSilentAndNothingIsLost();
    void aFlushDeletesEveryLock();
    void aSwappedDatabaseIsReadAgain();
    void aLeaseThatEndsWhileTheServerStandsStillIsNotExplained();
    void theFirstAttemptFailsWithItsReason_data();
    void theFirstAttemptFailsWithItsReason();
    void endsInTheMiddleOfWork();

private:
    RedisServer m_server;
    ServerHand m_hand{m_server};
};

void TestMonitorLoss::claimsNothingAboutTheTimeItWasCutOff() {
    m_hand.take("stays", alice);
    m_hand.take("deleted", bob);
    m_hand.take("changes", carol);
    MonitorProbe probe(m_server.options());
    QVERIFY(probe.waitForSweep());
    QCOMPARE(probe.next(3).size(), 3);
    const WallTime heldSince = probe.row("stays")->hold.sinceWall;
    m_hand.together("CLIENT KILL TYPE normal\nCLIENT KILL TYPE pubsub\nDEL deleted changes\nHSET changes " +
                    alice.bytes() + " 1\nPEXPIRE changes 30000");
    QByteArrayList events = probe.next(5);
    std::sort(events.begin(), events.end());
    QCOMPARE(events, QByteArrayList({"gone bob", "handed_over alice", "not_watched", "not_watched", "not_watched"}));
    QVERIFY(!probe.row("deleted")->lock.isHeld());
    // The lease still ends at the same moment, so it is the same hold.
    QCOMPARE(probe.row("stays")->hold.sinceWall, heldSince);

    // Watching has resumed.
    m_hand.release("stays");
    QCOMPARE(probe.next(1), QByteArrayList{"released alice"});
    m_hand.take("new", bob);
    QCOMPARE(probe.next(1), QByteArrayList{"acquired bob"});
}

void TestMonitorLoss::saysReconnectingAndUpToWhenItWasTrue() {
    const WallTime begun = std::chrono::system_clock::now();
    MonitorProbe probe(m_server.options());
    QVERIFY(probe.waitForSweep());
    m_server.stop();
    QTRY_COMPARE(probe.statuses.back().phase, MonitorPhase::Reconnecting);
    const MonitorStatus lost = probe.statuses.back();
    QVERIFY(lost.error);
    QVERIFY(lost.lastHeard >= begun && lost.lastHeard <= std::chrono::system_clock::now());
    QVERIFY(m_server.start());
    QTRY_COMPARE(probe.statuses.back().phase, MonitorPhase::Watching);
    QCOMPARE(probe.statuses.back().server.version.split('.').size(), 3);
}

void TestMonitorLoss::aRestartedServerHasLostItsLocks() {
    m_hand.take("L", alice);
    MonitorProbe probe(m_server.options());
    QVERIFY(probe.waitForSweep());
    QCOMPARE(probe.next(1), QByteArrayList{"found alice"});
    m_server.stop();
    QVERIFY(m_server.start());
    QCOMPARE(probe.next(3), QByteArrayList({"emptied", "not_watched", "gone alice"}));
    QVERIFY(probe.waitForSweep());
    m_hand.take("L", bob);
    QCOMPARE(probe.next(1), QByteArrayList{"acquired bob"});
}

void TestMonitorLoss::aServerWithoutDataIsOneEventAboveTheSingleOnes() {
    constexpr int locks = 296;
    for (int i = 0; i < locks; ++i)
        m_hand.take("L" + QString::number(i), alice, 60000);
    MonitorProbe probe(m_server.options());
    QVERIFY(probe.waitForSweep());
    QCOMPARE(probe.next(locks).size(), locks);
    m_server.stop();
    QVERIFY(m_server.start());
    QTRY_VERIFY(probe.events.size() >= 1 + 2 * size_t(locks));
    QCOMPARE(probe.events.front().type, EventType::Emptied);
    QCOMPARE(probe.events.front().sweptLocks, quint64{locks});
    const QByteArrayList events = probe.next(1 + 2 * locks);
    QCOMPARE(events.count("emptied"), 1);
    QCOMPARE(events.count("gone alice"), locks);
}

void TestMonitorLoss::aServerWithOtherDataIsNotEmpty() {
    m_hand.take("L", alice);
    MonitorProbe probe(m_server.options());
    QVERIFY(probe.waitForSweep());
    QCOMPARE(probe.next(1).size(), 1);
    m_hand.together("CLIENT KILL TYPE normal\nCLIENT KILL TYPE pubsub\nDEL L\nSET other 1");
    QCOMPARE(probe.next(2), QByteArrayList({"not_watched", "gone alice"}));
}

void TestMonitorLoss::aFrozenServerIsSilentAndNothingIsLost() {
    m_hand.take("L", alice, 60000);
    MonitorProbe probe(m_server.options());
    QVERIFY(probe.waitForSweep());
    QCOMPARE(probe.next(1).size(), 1);
    const auto silence = [&probe] { return probe.stats.master ? probe.stats.master->silence : Milliseconds(0); };
    QCOMPARE(silence(), 0ms);
    m_server.freeze();
    const auto thaw = qScopeGuard([this] { m_server.thaw(); });
    QTRY_VERIFY_WITH_TIMEOUT(silence() >= 1s, 9000);
    QCOMPARE(probe.statuses.back().phase, MonitorPhase::Watching);
    QVERIFY(probe.row("L")->lock.isHeld());
    QVERIFY(probe.events.empty());
    m_server.thaw();
    QTRY_COMPARE(silence(), 0ms);
    QCOMPARE(probe.statuses.back().phase, MonitorPhase::Watching);
    QVERIFY(probe.events.empty());
}

void TestMonitorLoss::aFlushDeletesEveryLock() {
    constexpr int locks = 300;
    for (int i = 0; i < locks; i += 50) {
        QByteArray commands;
        for (int j = i; j < i + 50; ++j)
            commands += "HSET L" + QByteArray::number(j) + ' ' + alice.bytes() + " 1\nPEXPIRE L" +
                        QByteArray::number(j) + " 60000\n";
        m_server.cli({}, commands);
    }
    MonitorProbe probe(m_server.options());
    QVERIFY(probe.waitForSweep());
    QCOMPARE(probe.next(locks).size(), locks);
    m_server.cli({"FLUSHALL"});
    const QByteArrayList events = probe.next(locks);
    QCOMPARE(events.size(), locks);
    QCOMPARE(events.count("deleted alice"), locks);
}

void TestMonitorLoss::aSwappedDatabaseIsReadAgain() {
    m_server.cli({"HSET", "L", alice.display(), "1"});
    m_server.cli({"PEXPIRE", "L", "600000"});
    MonitorProbe probe(m_server.options());
    QVERIFY(probe.waitForSweep());
    QCOMPARE(probe.next(1).size(), 1);
    m_server.cli({"SWAPDB", "0", "1"});
    constexpr int longerThanTheInterval = 15000;  // of INFO, in ms
    QCOMPARE(probe.next(1, longerThanTheInterval), QByteArrayList{"deleted alice"});
}

// A DEL may have been reported as late as the end of the lease.
void TestMonitorLoss::aLeaseThatEndsWhileTheServerStandsStillIsNotExplained() {
    m_hand.take("ends", alice, 3000);
    m_hand.take("stays", bob, 60000);
    MonitorProbe probe(m_server.options());
    QVERIFY(probe.waitForSweep());
    QCOMPARE(probe.next(2).size(), 2);
    const SteadyTime thaw = probe.row("ends")->lock.expiry->latest + 3s;
    m_server.freeze();
    const SystemClock clock;
    QTRY_VERIFY_WITH_TIMEOUT(clock.now() > thaw, 10000);
    m_server.thaw();
    QCOMPARE(probe.next(1), QByteArrayList{"gone alice"});
    QVERIFY(probe.row("stays")->lock.isHeld());
    m_server.cli({"DEL", "stays"});
    QCOMPARE(probe.next(1), QByteArrayList{"released bob without a message"});
}

void TestMonitorLoss::theFirstAttemptFailsWithItsReason_data() {
    QTest::addColumn<QByteArray>("user");
    QTest::addColumn<bool>("running");
    QTest::addColumn<int>("code");
    QTest::newRow("no server") << QByteArray() << false << static_cast<int>(ErrorCode::ConnectionRefused);
    QTest::newRow("wrong password") << QByteArray("nobody") << true << static_cast<int>(ErrorCode::Auth);
}

void TestMonitorLoss::theFirstAttemptFailsWithItsReason() {
    QFETCH(const QByteArray, user);
    QFETCH(const bool, running);
    QFETCH(const int, code);
    redis::ConnectionOptions options = m_server.tcpOptions();
    if (!user.isEmpty())
        options.credentials = {user, "wrong"};
    if (!running)
        m_server.stop();
    MonitorProbe probe(options);
    QTRY_COMPARE(probe.statuses.back().phase, MonitorPhase::Failed);
    QCOMPARE(static_cast<int>(probe.statuses.back().error->code), code);
    QVERIFY(!probe.statuses.back().error->text.isEmpty());
    QCOMPARE(probe.statuses.size(), size_t{2});  // Connecting, Failed
}

void TestMonitorLoss::endsInTheMiddleOfWork() {
    for (int i = 0; i < 20; ++i)
        m_hand.take("L" + QString::number(i), alice);
    // The monitor is destroyed at any moment from the first byte to the first sweep; the sanitizers find leaks and
    // use after free.
    for (int turns = 0; turns < 40; ++turns) {
        MonitorProbe probe(m_server.options());
        for (int i = 0; i < turns; ++i)
            QCoreApplication::processEvents(QEventLoop::WaitForMoreEvents | QEventLoop::AllEvents, 5);
        if (turns % 2)
            probe.monitor().stop();
    }
}

LOCKKEEPER_TEST(TestMonitorLoss, Guiless)

}  // namespace tst_monitor_loss

#include "tst_monitor_loss.moc"
