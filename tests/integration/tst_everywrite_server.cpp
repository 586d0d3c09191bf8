// SPDX-License-Identifier: Apache-2.0
#include "monitor/format/watchingwords.h"
#include "monitor/observe/read/clientlist.h"
#include "support/leastrights.h"
#include "support/monitorprobe.h"
#include "support/places.h"
#include "support/redisserver.h"
#include "support/serverhand.h"
#include "support/testprogram.h"

#include <QProcess>
#include <QTest>

#include <csignal>

namespace tst_everywrite_server {

using namespace lockkeeper;
using namespace lockkeeper::monitor;
using namespace lockkeeper::test;
using namespace std::chrono_literals;

namespace {

// The flags of the connections to which the server reports each write.
QByteArrayList broadcasts(RedisServer& server) {
    QByteArrayList flags;
    for (const ClientListEntry& client : parseClientList(server.cli({"CLIENT", "LIST"}).toUtf8())) {
        if (client.flags.contains('B'))
            flags += client.flags;
    }
    return flags;
}

// Bytes that the server keeps for all clients together.
qint64 outputBuffers(RedisServer& server) {
    qint64 bytes = 0;
    for (const QString& line : server.cli({"CLIENT", "LIST"}).split(u'\n'))
        bytes += line.section(" omem=", 1).section(u' ', 0, 0).toLongLong();
    return bytes;
}

void writeKeys(RedisServer& server, int count, const QString& prefix = "burst:") {
    server.cli(
        {"EVAL", "for i = 1, ARGV[1] do redis.call('set', ARGV[2] .. i, i) end", "0", QString::number(count), prefix});
}

const QStringList smallBuffers{"--client-output-buffer-limit", "pubsub", "1mb", "0", "0"};
const QStringList noLimit{"--client-output-buffer-limit", "pubsub", "0", "0", "0"};

}  // namespace

// A real server that reports each write.
class TestEveryWriteServer : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aShortLockOfANewNameIsSeen();
    void otherKeysAreReadOnce_data();
    void otherKeysAreReadOnce();
    void aBurstEndsItAndItComesBack();
    void isNotUsedWithoutALimit_data();
    void isNotUsedWithoutALimit();
    void itNeedsOneMoreRight();
    void pausedWithDiscoveryItDisconnects();
    void aFrozenReaderCostsTheServerItsLimitAtMost();
};

void TestEveryWriteServer::aShortLockOfANewNameIsSeen() {
    RedisServer server;
    QVERIFY(server.start());
    ServerHand hand(server);
    server.cli({"DEBUG", "POPULATE", "100000"});
    MonitorOptions options;
    options.discovery.serverShare = 1;  // a sweep takes seconds
    MonitorProbe probe(server.options(), options);
    QTRY_COMPARE(probe.stats.writeReports, WriteReports::On);
    // Under the limit of pub/sub, and never CLIENT NO-EVICT (flag e).
    QCOMPARE(broadcasts(server).size(), 1);
    QVERIFY(broadcasts(server).first().contains('P'));
    QVERIFY(!broadcasts(server).first().contains('e'));
    for (int i = 0; i < 5; ++i) {
        hand.take("brief" + QString::number(i), alice, 300);
        const QByteArrayList events = probe.next(2);
        QVERIFY2(events == QByteArrayList({"found alice", "expired alice"}) ||
                     events == QByteArrayList({"acquired alice", "expired alice"}),  // after a whole sweep
                 events.join(", ").constData());
    }
    QVERIFY(!blindSpotsOf(probe.stats).contains(BlindSpot::UnknownNames));
    QVERIFY(blindSpotsOf(probe.stats).contains(BlindSpot::ShortNewLocks));
}

void TestEveryWriteServer::otherKeysAreReadOnce_data() {
    QTest::addColumn<bool>("isPrefix");
    QTest::newRow("each write is reported") << false;
    QTest::newRow("those of a given prefix, because the server is busy") << true;
}
void TestEveryWriteServer::otherKeysAreReadOnce() {
    QFETCH(const bool, isPrefix);
    RedisServer server;
    QVERIFY(server.start());
    ServerHand hand(server);
    MonitorOptions options;
    if (isPrefix) {
        options.discovery.prefixes = {"te", "L"};
        options.writeLimits.commandsPerSecond = -1;
    }
    MonitorProbe probe(server.options(), options);
    QTRY_COMPARE(probe.stats.writeReports, isPrefix ? WriteReports::Busy : WriteReports::On);
    QTRY_COMPARE(broadcasts(server).size(), 1);
    QVERIFY(probe.waitForSweep());
    server.cli({"SET", "text", "1"});
    QTRY_COMPARE(hand.calls("hlen") + hand.calls("hgetall"), 1);
    const int reads = hand.calls("evalsha_ro");
    for (int i = 0; i < 20; ++i)
        server.cli({"INCR", "text"});
    hand.take("L", alice);
    QCOMPARE(probe.next(1), QByteArrayList{"acquired alice"});
    // One read when the lock was found, and one where it is tracked.
    QVERIFY(hand.calls("evalsha_ro") - reads <= 2);
}

void TestEveryWriteServer::aBurstEndsItAndItComesBack() {
    RedisServer server;
    QVERIFY(server.start());
    ServerHand hand(server);
    MonitorOptions options;
    options.writeLimits.firstPause = 1s;
    MonitorProbe probe(server.options(), options);
    QTRY_COMPARE(probe.stats.writeReports, WriteReports::On);
    writeKeys(server, 5000);
    QTRY_COMPARE(probe.stats.writeReports, WriteReports::Busy);
    QVERIFY(blindSpotsOf(probe.stats).contains(BlindSpot::UnknownNames));
    QTRY_COMPARE(probe.stats.writeReports, WriteReports::On);
    QCOMPARE(broadcasts(server).size(), 1);
    hand.take("later", alice);
    QCOMPARE(probe.next(1), QByteArrayList{"acquired alice"});
}

void TestEveryWriteServer::isNotUsedWithoutALimit_data() {
    QTest::addColumn<QStringList>("configuration");
    QTest::addColumn<QStringList>("rights");
    QTest::addColumn<WriteReports>("reports");
    QTest::addColumn<QString>("denied");
    QTest::newRow("no limit") << noLimit << QStringList{"+config|get"} << WriteReports::Unlimited
                              << "client-output-buffer-limit pubsub 0: ";
    QTest::newRow("not readable") << QStringList() << QStringList() << WriteReports::LimitUnknown
                                  << "CONFIG GET client-output-buffer-limit: ";
}
void TestEveryWriteServer::isNotUsedWithoutALimit() {
    QFETCH(const QStringList, configuration);
    QFETCH(const QStringList, rights);
    QFETCH(const WriteReports, reports);
    QFETCH(const QString, denied);
    RedisServer server(configuration);
    QVERIFY(server.start());
    QCOMPARE(server.cli(QStringList{"ACL", "SETUSER", "watcher"} + leastRights(server) + rights), "OK");
    redis::ConnectionOptions options = server.options();
    options.credentials = {"watcher", "pw"};
    MonitorOptions monitorOptions;
    monitorOptions.discovery.prefixes = {"jobs:"};
    MonitorProbe probe(options, monitorOptions);
    QTRY_COMPARE(probe.stats.writeReports, reports);
    QVERIFY(blindSpotsOf(probe.stats).contains(BlindSpot::UnknownNames));
    // The reports of the given prefixes are refused, too.
    QTRY_COMPARE(denialLines(probe.stats.denied).filter(denied).size(), 1);
    QCOMPARE(broadcasts(server), QByteArrayList());
}

// resources/manual/connecting.md, "Rights".
void TestEveryWriteServer::itNeedsOneMoreRight() {
    RedisServer server;
    QVERIFY(server.start());
    QCOMPARE(server.cli(QStringList{"ACL", "SETUSER", "watcher"} + leastRights(server) << "+config|get"), "OK");
    redis::ConnectionOptions options = server.options();
    options.credentials = {"watcher", "pw"};
    options.access = redis::AccessMode::ReadOnly;
    MonitorProbe probe(options);
    QTRY_COMPARE(probe.stats.writeReports, WriteReports::On);
    QCOMPARE(denialLines(probe.stats.denied), QStringList());
}

void TestEveryWriteServer::pausedWithDiscoveryItDisconnects() {
    RedisServer server;
    QVERIFY(server.start());
    MonitorProbe probe(server.options());
    QTRY_COMPARE(probe.stats.writeReports, WriteReports::On);
    probe.monitor().setDiscovery(DiscoveryState::Paused);
    QTRY_COMPARE(probe.stats.writeReports, WriteReports::Paused);
    QTRY_COMPARE(broadcasts(server), QByteArrayList());
    probe.monitor().setDiscovery(DiscoveryState::Running);
    QTRY_COMPARE(probe.stats.writeReports, WriteReports::On);
}

// Both the connection that reports all writes and that of the given prefixes.
void TestEveryWriteServer::aFrozenReaderCostsTheServerItsLimitAtMost() {
    RedisServer server(smallBuffers);
    QVERIFY(server.start());
    QProcess watch;
    watch.start(test::places::program(), {"watch", "--json", "unix://" + server.socketPath() + "?prefix=burst:"});
    QTRY_COMPARE_WITH_TIMEOUT(broadcasts(server).size(), 2, 10000);
    QByteArray out;
    QTRY_VERIFY((out += watch.readAllStandardOutput()).contains(R"("write_reports":"on")"));
    ::kill(static_cast<pid_t>(watch.processId()), SIGSTOP);
    const QString longPrefix = "burst:" + QString(200, 'x');
    qint64 most = 0;
    for (int i = 0; i < 20; ++i) {
        writeKeys(server, 2000, longPrefix + QString::number(i) + ':');
        most = std::max(most, outputBuffers(server));
    }
    QTRY_COMPARE(broadcasts(server), QByteArrayList());
    QVERIFY2(most < 3 * 1024 * 1024, qPrintable(QString::number(most)));
    QVERIFY2(outputBuffers(server) < 256 * 1024, qPrintable(QString::number(outputBuffers(server))));
    ::kill(static_cast<pid_t>(watch.processId()), SIGCONT);
    out.clear();
    QTRY_VERIFY((out += watch.readAllStandardOutput()).contains(R"("write_reports":"busy")"));
    watch.kill();
    watch.waitForFinished();
}

LOCKKEEPER_TEST(TestEveryWriteServer, Guiless)

}  // namespace tst_everywrite_server

#include "tst_everywrite_server.moc"
