// SPDX-License-Identifier: Apache-2.0
#include "monitor/format/watchingwords.h"
#include "support/monitorprobe.h"
#include "support/redisserver.h"
#include "support/serverhand.h"
#include "support/testprogram.h"

#include <QTest>

namespace tst_trackingtable {

using namespace lockkeeper;
using namespace lockkeeper::monitor;
using namespace lockkeeper::test;
using namespace std::chrono_literals;

// A server whose table of tracked keys is too small. It then removes keys from the table, and reports each as if it had
// changed.
class TestTrackingTable : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() {
        QVERIFY(m_server.start());
        m_client = connection();
    }
    void cleanup() {
        m_client.reset();
        m_server.stop();
    }

    void locksThatAreGoneAreNotRead_data();
    void locksThatAreGoneAreNotRead();
    void locksBeyondTheTableAreReadRarely();

private:
    static constexpr int tableSize = 1000;

    std::unique_ptr<redis::Connection> connection();
    // Each lock is acquired and released by one script, so no read finds it held.
    void holdShortly(int locks);
    // The server then tracks this many keys for another client.
    void fillTable(int keys);
    void waitForAnswers();
    // Reads of locks from now to the end of the next sweep.
    int readsDuringSweep(MonitorProbe& probe);
    // Whether one of the next sweeps has fewer reads beside it.
    bool fallsBelow(MonitorProbe& probe, int reads);

    RedisServer m_server{{"--tracking-table-max-keys", QString::number(tableSize)}};
    ServerHand m_hand{m_server};
    SystemClock m_clock;
    std::unique_ptr<redis::Connection> m_client;
};

std::unique_ptr<redis::Connection> TestTrackingTable::connection() {
    const auto options = m_server.options();
    auto made = std::make_unique<redis::Connection>(
        options, [options] { return redis::makeSocketTransport(options.endpoint); }, m_clock);
    made->open();
    if (!QTest::qWaitFor([&] { return made->isReady(); }))
        qFatal("no connection");
    return made;
}

void TestTrackingTable::waitForAnswers() {
    bool isDone = false;
    m_client->send(redis::Command("PING")).then([&isDone](const Result<redis::RespValue>&) { isDone = true; });
    QTRY_VERIFY_WITH_TIMEOUT(isDone, 30000);
}

void TestTrackingTable::holdShortly(int locks) {
    const QByteArray script =
        "redis.call('hset', KEYS[1], ARGV[1], 1) redis.call('del', KEYS[1]) redis.call('publish', KEYS[2], '0')";
    for (int i = 0; i < locks; ++i) {
        const QByteArray name = "short:" + QByteArray::number(i);
        m_client->send(
            redis::Command("EVAL", {script, "2", name, "redisson_lock__channel:{" + name + '}', alice.bytes()}));
    }
    waitForAnswers();
}

void TestTrackingTable::fillTable(int keys) {
    m_client->send(redis::Command("CLIENT", {"TRACKING", "ON"}));
    for (int i = 0; i < keys; ++i)
        m_client->send(redis::Command("GET", {"other:" + QByteArray::number(i)}));
    waitForAnswers();
}

int TestTrackingTable::readsDuringSweep(MonitorProbe& probe) {
    const int before = m_hand.calls("evalsha_ro");
    return probe.waitForSweep() ? m_hand.calls("evalsha_ro") - before : -1;
}

bool TestTrackingTable::fallsBelow(MonitorProbe& probe, int reads) {
    for (int sweeps = 0; sweeps < 30; ++sweeps) {
        const int now = readsDuringSweep(probe);
        if (now >= 0 && now < reads)
            return true;
    }
    return false;
}

void TestTrackingTable::locksThatAreGoneAreNotRead_data() {
    QTest::addColumn<int>("keepFree");
    QTest::addColumn<int>("keysOfAnother");
    QTest::newRow("forgotten soon") << 500 << 0;
    QTest::newRow("forgotten soon, another client fills the table") << 500 << 5000;
    QTest::newRow("known while the table is full") << 3000 << 0;
}

void TestTrackingTable::locksThatAreGoneAreNotRead() {
    QFETCH(const int, keepFree);
    QFETCH(const int, keysOfAnother);
    constexpr int locks = 2500;
    MonitorOptions options;
    options.limits.keepFree = Milliseconds(keepFree);
    m_hand.take("known", bob, 3'600'000);
    MonitorProbe probe(m_server.options(), options);
    QVERIFY(probe.waitForSweep());
    holdShortly(locks);
    QTRY_VERIFY_WITH_TIMEOUT(std::ranges::count(probe.events, EventType::Released, &LockEvent::type) == locks, 30000);
    QTRY_COMPARE_WITH_TIMEOUT(probe.stats.knownLocks, 1, 30000);
    fillTable(keysOfAnother);
    QVERIFY(fallsBelow(probe, 1));
    // All goes on as before.
    probe.events.clear();
    m_server.cli({"HINCRBY", "known", bob.display(), "1"});
    QCOMPARE(probe.next(1, 30000), QByteArrayList{"reentered bob"});
    m_hand.take("new", alice);
    QCOMPARE(probe.next(1, 30000), QByteArrayList{"acquired alice"});
    m_hand.release("new");
    QCOMPARE(probe.next(1, 30000), QByteArrayList{"released alice"});
    m_hand.take("short:7", carol);
    QCOMPARE(probe.next(1, 30000), QByteArrayList{"acquired carol"});
}

void TestTrackingTable::locksBeyondTheTableAreReadRarely() {
    constexpr int locks = 2 * tableSize / 3;
    for (int i = 0; i < locks; ++i)
        m_client->send(redis::Command("HSET", {"held:" + QByteArray::number(i), alice.bytes(), "1"}));
    waitForAnswers();
    MonitorProbe probe(m_server.options());
    QCOMPARE(probe.next(locks, 120000).size(), locks);
    QTRY_COMPARE_WITH_TIMEOUT(
        denialLines(probe.stats.denied),
        QStringList{"tracking-table-max-keys: the server tracks too few keys, changes of locks may "
                    "be seen late"},
        30000);
    // Without that, each read of a lock leads to the read of another one: thousands in each sweep.
    QVERIFY(fallsBelow(probe, locks));
    // Messages are as fast as ever, and each change is seen in the end.
    QCOMPARE(probe.events.size(), size_t{0});
    m_hand.release("held:7");
    QCOMPARE(probe.next(1, 30000), QByteArrayList{"released alice"});
    m_server.cli({"HINCRBY", "held:8", alice.display(), "1"});
    QCOMPARE(probe.next(1, 30000), QByteArrayList{"reentered alice"});
}

LOCKKEEPER_TEST(TestTrackingTable, Guiless)

}  // namespace tst_trackingtable

#include "tst_trackingtable.moc"
