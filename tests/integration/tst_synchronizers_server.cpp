// SPDX-License-Identifier: Apache-2.0
#include "monitor/format/watchingwords.h"
#include "support/leastrights.h"
#include "support/monitorprobe.h"
#include "support/redisserver.h"
#include "support/testprogram.h"

#include <QTest>

namespace tst_synchronizers_server {

using namespace lockkeeper;
using namespace lockkeeper::monitor;
using namespace lockkeeper::test;
using namespace std::chrono_literals;

namespace {

using Kind = SynchronizerKind;

}  // namespace

// Semaphores and latches on a real server; the waiters are plain subscribers.
class TestSynchronizersServer : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init();
    void cleanup();

    void showsThoseThatSomebodyWaitsFor();
    void readsLeasesInTheirRawForm();
    void followsChangesUntilNobodyWaits();
    void showsThoseWithLeasesAndThoseThatAreNamed();
    void diagnosesWhatNobodyTakes();
    void theyAreNoLocks();
    void oddKeysAreReportedAndHarmNothing();
    void overResp2();
    void worksWithTheLeastRights();
    void saysWhatIsRefused_data();
    void saysWhatIsRefused();
    void comesBackAfterALoss();

private:
    // A client that waits: it stays subscribed from now on.
    redis::Connection& wait(const QByteArray& channel);
    void watch(redis::ConnectionOptions options, const MonitorOptions& monitorOptions = {});
    [[nodiscard]] const Synchronizer* seen(const QByteArray& name) const;

    SystemClock m_clock;
    std::unique_ptr<RedisServer> m_server;
    std::vector<std::unique_ptr<redis::Connection>> m_waiters;
    std::unique_ptr<MonitorProbe> m_probe;
    SynchronizerReading m_reading;
};

void TestSynchronizersServer::init() {
    m_server = std::make_unique<RedisServer>();
    QVERIFY(m_server->start());
    m_reading = {};
}

void TestSynchronizersServer::cleanup() {
    m_probe.reset();
    m_waiters.clear();
    m_server.reset();
}

redis::Connection& TestSynchronizersServer::wait(const QByteArray& channel) {
    const redis::ConnectionOptions options = m_server->options();
    m_waiters.push_back(std::make_unique<redis::Connection>(
        options, [options] { return redis::makeSocketTransport(options.endpoint); }, m_clock));
    redis::Connection& waiter = *m_waiters.back();
    waiter.open();
    if (!QTest::qWaitFor([&] { return waiter.isReady(); }))
        qFatal("no connection for a waiter");
    bool subscribed = false;
    waiter.send(redis::Command("SUBSCRIBE", {channel})).then([&](const Result<redis::RespValue>&) {
        subscribed = true;
    });
    if (!QTest::qWaitFor([&] { return subscribed; }))
        qFatal("no subscription for a waiter");
    return waiter;
}

void TestSynchronizersServer::watch(redis::ConnectionOptions options, const MonitorOptions& monitorOptions) {
    options.access = redis::AccessMode::ReadOnly;
    m_probe = std::make_unique<MonitorProbe>(options, monitorOptions);
    connect(&m_probe->monitor(), &Monitor::batchReady, this, [this](const SharedBatch& batch) {
        if (batch->synchronizers)
            m_reading = *batch->synchronizers;
    });
}

const Synchronizer* TestSynchronizersServer::seen(const QByteArray& name) const {
    const auto found = std::find_if(m_reading.seen.begin(), m_reading.seen.end(),
                                    [&](const Synchronizer& one) { return one.name.bytes() == name; });
    return found == m_reading.seen.end() ? nullptr : &*found;
}

void TestSynchronizersServer::showsThoseThatSomebodyWaitsFor() {
    m_server->cli({"MSET", "a{b}", "4", "pool", "0", "p/{4}", "2", "begin", "3", "nobody", "7", "{tagged}", "9"});
    wait("redisson_sc:{pool}");
    wait("redisson_sc:{pool}");
    wait("redisson_sc:p/{4}");
    wait("redisson_sc:{tagged}");
    wait("redisson_countdownlatch__channel__{begin}");
    wait("redisson_countdownlatch__channel__{a{b}}");
    wait("redisson_countdownlatch__channel__{open}");
    wait("redisson_countdownlatch__channel__{both}");
    wait("redisson_sc:{both}");
    watch(m_server->options());
    QTRY_COMPARE(m_reading.seen.size(), size_t{7});
    QCOMPARE(seen("pool")->kind, Kind::Semaphore);
    QCOMPARE(seen("pool")->count, std::optional<qint64>(0));
    QCOMPARE(seen("pool")->state, CounterState::Read);
    QCOMPARE(seen("pool")->clients, 2);
    QCOMPARE(seen("pool")->leased, std::optional<qint64>(0));
    QCOMPARE(seen("p/{4}")->count, std::optional<qint64>(2));
    QCOMPARE(seen("{tagged}")->count, std::optional<qint64>(9));
    QCOMPARE(seen("begin")->kind, Kind::CountDownLatch);
    QCOMPARE(seen("begin")->count, std::optional<qint64>(3));
    QCOMPARE(seen("a{b}")->kind, Kind::CountDownLatch);
    QCOMPARE(seen("a{b}")->count, std::optional<qint64>(4));
    QCOMPARE(seen("open")->state, CounterState::Missing);
    QCOMPARE(seen("open")->count, std::optional<qint64>(0));
    QCOMPARE(seen("both")->kind, Kind::Unknown);
    QCOMPARE(seen("both")->clients, 2);
    QCOMPARE(denialLines(m_probe->stats.denied), QStringList());
}

void TestSynchronizersServer::readsLeasesInTheirRawForm() {
    const qint64 soon = QDateTime::currentMSecsSinceEpoch() + 60'000;
    m_server->cli({"SET", "pool", "1"});
    m_server->cli({"EVAL",
                   "redis.call('zadd', KEYS[1], ARGV[1], '\\0\\255\\r\\n 56789abcde\\127') "
                   "for i = 1, 9999 do redis.call('zadd', KEYS[1], '92233720368547758', 'id' .. i) end",
                   "1", "{pool}:timeout", QString::number(soon)});
    wait("redisson_sc:{pool}");
    watch(m_server->options());
    QTRY_VERIFY(seen("pool"));
    QCOMPARE(seen("pool")->leased, std::optional<qint64>(10'000));
    QCOMPARE(seen("pool")->leases.size(), Synchronizer::mostLeases);
    QCOMPARE(seen("pool")->leases.front().id, QByteArray("\0\xff\r\n 56789abcde\x7f", 16));
    QCOMPARE(seen("pool")->leases.front().ends, std::optional(WallTime(Milliseconds(soon))));
    QVERIFY(!seen("pool")->leases.back().ends);
}

void TestSynchronizersServer::followsChangesUntilNobodyWaits() {
    m_server->cli({"SET", "pool", "0"});
    wait("redisson_sc:{pool}");
    watch(m_server->options());
    QTRY_VERIFY(seen("pool"));
    const WallTime first = seen("pool")->seenAtWall;
    m_server->cli({"INCR", "pool"});
    QTRY_COMPARE(seen("pool")->count, std::optional<qint64>(1));
    QVERIFY(seen("pool")->seenAtWall > first);
    m_waiters.clear();
    QTRY_VERIFY(!seen("pool"));
    QVERIFY(m_reading.seen.empty());
}

void TestSynchronizersServer::showsThoseWithLeasesAndThoseThatAreNamed() {
    m_server->cli({"MSET", "pool", "2", "limit:1", "-3", "limit:2", "busy", "other", "5"});
    m_server->cli({"ZADD", "{pool}:timeout", "92233720368547758", "a-permit-of-16-b"});
    m_server->cli({"ZADD", "{gone}:timeout", "92233720368547758", "a-permit-of-16-b"});
    m_server->cli({"ZADD", "{other}:timeout", "92233720368547758", "a session"});
    MonitorOptions options;
    options.discovery.semaphores = {"limit:*"};
    watch(m_server->options(), options);
    QTRY_COMPARE(m_reading.seen.size(), size_t{3});
    QCOMPARE(seen("pool")->count, std::optional<qint64>(2));
    QCOMPARE(seen("pool")->leased, std::optional<qint64>(1));
    QCOMPARE(seen("pool")->clients, 0);
    QVERIFY(seen("gone")->isLeftOver());
    QCOMPARE(seen("limit:1")->count, std::optional<qint64>(-3));
    QVERIFY(seen("limit:1")->diagnoses.isEmpty());
    QCOMPARE(denialLines(m_probe->stats.denied), QStringList());
    // When somebody waits, and when nobody does any more, it stays the same semaphore.
    wait("redisson_sc:{pool}");
    QTRY_COMPARE(seen("pool")->clients, 1);
    m_waiters.clear();
    QTRY_VERIFY(seen("pool") && seen("pool")->clients == 0);
    QCOMPARE(m_reading.seen.size(), size_t{3});
}

void TestSynchronizersServer::diagnosesWhatNobodyTakes() {
    const qint64 ended = QDateTime::currentMSecsSinceEpoch() - 60'000;
    m_server->cli({"MSET", "pool", "0", "free", "2"});
    m_server->cli({"ZADD", "{pool}:timeout", QString::number(ended), "a-permit-of-16-b"});
    wait("redisson_sc:{pool}");
    wait("redisson_sc:{free}");
    watch(m_server->options());
    QTRY_VERIFY(seen("free") && !seen("free")->diagnoses.isEmpty());
    QCOMPARE(seen("free")->diagnoses.first().kind(), DiagnosisKind::PermitsUnclaimed);
    QCOMPARE(seen("pool")->diagnoses.size(), 1);
    const auto& over = std::get<PermitLeaseOver>(seen("pool")->diagnoses.first().evidence);
    QCOMPARE(over.endedAt, WallTime(Milliseconds(ended)));
    QCOMPARE(over.clients, 1);
    m_server->cli({"DECRBY", "free", "2"});
    QTRY_VERIFY(seen("free")->diagnoses.isEmpty());
    m_server->cli({"ZREM", "{pool}:timeout", "a-permit-of-16-b"});
    QTRY_VERIFY(seen("pool")->diagnoses.isEmpty());
}

void TestSynchronizersServer::theyAreNoLocks() {
    m_server->cli({"MSET", "pool", "0", "begin", "1"});
    wait("redisson_sc:{pool}");
    wait("redisson_countdownlatch__channel__{begin}");
    watch(m_server->options());
    QTRY_COMPARE(m_reading.seen.size(), size_t{2});
    QVERIFY(m_probe->waitForSweep());
    QVERIFY(m_probe->waitForSweep());
    QCOMPARE(m_probe->rows.size(), 0);
    QCOMPARE(m_probe->events.size(), size_t{0});
    QCOMPARE(m_probe->stats.knownLocks, 0);
}

void TestSynchronizersServer::oddKeysAreReportedAndHarmNothing() {
    m_server->cli({"SETRANGE", "huge", "5000000", "1"});
    m_server->cli({"SET", "word", "busy"});
    m_server->cli({"LPUSH", "list", "1"});
    m_server->cli({"SET", "fine", "4"});
    m_server->cli({"SET", "{fine}:timeout", "no sorted set"});
    for (const char* name : {"huge", "word", "list", "fine"})
        wait(QByteArray("redisson_sc:{") + name + '}');
    watch(m_server->options());
    QTRY_COMPARE(m_reading.seen.size(), size_t{4});
    for (const char* name : {"huge", "word", "list"}) {
        QCOMPARE(seen(name)->state, CounterState::NoCounter);
        QVERIFY(!seen(name)->count);
    }
    QCOMPARE(seen("fine")->count, std::optional<qint64>(4));
    QVERIFY(!seen("fine")->leased);
    QCOMPARE(denialLines(m_probe->stats.denied), QStringList());
}

void TestSynchronizersServer::overResp2() {
    m_server = std::make_unique<RedisServer>(QStringList{"--rename-command", "HELLO", ""});
    QVERIFY(m_server->start());
    m_server->cli({"SET", "pool", "4"});
    m_server->cli({"ZADD", "{pool}:timeout", "1700000300123", "A"});
    wait("redisson_sc:{pool}");
    watch(m_server->options());
    QTRY_VERIFY(seen("pool"));
    QCOMPARE(seen("pool")->count, std::optional<qint64>(4));
    QCOMPARE(seen("pool")->leases, std::vector<PermitLease>({{"A", WallTime(1700000300123ms)}}));
}

void TestSynchronizersServer::worksWithTheLeastRights() {
    m_server->cli(QStringList{"ACL", "SETUSER", "watcher"} + leastRights(*m_server));
    m_server->cli({"SET", "pool", "4"});
    m_server->cli({"ZADD", "{pool}:timeout", "1700000300123", "A"});
    wait("redisson_sc:{pool}");
    redis::ConnectionOptions options = m_server->options();
    options.credentials = {"watcher", "pw"};
    watch(options);
    QTRY_VERIFY(seen("pool"));
    QCOMPARE(seen("pool")->count, std::optional<qint64>(4));
    QCOMPARE(seen("pool")->leased, std::optional<qint64>(1));
    QVERIFY(m_probe->waitForSweep());
    QCOMPARE(denialLines(m_probe->stats.denied), QStringList());
}

void TestSynchronizersServer::saysWhatIsRefused_data() {
    QTest::addColumn<QString>("taken");
    QTest::addColumn<QString>("noted");
    QTest::newRow("PUBSUB") << "-pubsub"
                            << "PUBSUB for semaphores: ";
    QTest::newRow("PUBSUB NUMSUB") << "-pubsub|numsub"
                                   << "PUBSUB for semaphores: ";
    QTest::newRow("GETRANGE") << "-getrange"
                              << "GETRANGE: ";
    QTest::newRow("EXISTS") << "-exists"
                            << "EXISTS: ";
    QTest::newRow("ZCARD") << "-zcard"
                           << "ZCARD for semaphores: ";
}
void TestSynchronizersServer::saysWhatIsRefused() {
    QFETCH(const QString, taken);
    QFETCH(const QString, noted);
    m_server->cli(QStringList{"ACL", "SETUSER", "watcher"} + leastRights(*m_server) + QStringList{taken});
    m_server->cli({"SET", "pool", "4"});
    m_server->cli({"ZADD", "{pool}:timeout", "1700000300123", "A"});
    wait("redisson_sc:{pool}");
    redis::ConnectionOptions options = m_server->options();
    options.credentials = {"watcher", "pw"};
    watch(options);
    if (noted.startsWith("ZCARD")) {
        QTRY_VERIFY(seen("pool"));
        QCOMPARE(seen("pool")->count, std::optional<qint64>(4));
        QVERIFY(!seen("pool")->leased);
    } else {
        QTRY_COMPARE(m_reading.sight, SynchronizerReading::Sight::Refused);
    }
    QTRY_VERIFY2(!denialLines(m_probe->stats.denied).filter(noted).isEmpty(),
                 qPrintable(denialLines(m_probe->stats.denied).join('|')));
}

void TestSynchronizersServer::comesBackAfterALoss() {
    m_server->cli({"SET", "pool", "4"});
    wait("redisson_sc:{pool}");
    watch(m_server->options());
    QTRY_VERIFY(seen("pool"));
    const WallTime first = seen("pool")->seenAtWall;
    m_server->cli({"CLIENT", "KILL", "TYPE", "normal"});
    QTRY_VERIFY_WITH_TIMEOUT(seen("pool")->seenAtWall > first, 10000);
    QCOMPARE(seen("pool")->count, std::optional<qint64>(4));
}

LOCKKEEPER_TEST(TestSynchronizersServer, Guiless)

}  // namespace tst_synchronizers_server

#include "tst_synchronizers_server.moc"
