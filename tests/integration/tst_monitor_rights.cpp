// SPDX-License-Identifier: Apache-2.0
#include "monitor/format/watchingwords.h"
#include "support/leastrights.h"
#include "support/monitorprobe.h"
#include "support/redisserver.h"
#include "support/serverhand.h"
#include "support/testprogram.h"

#include <QTest>

namespace tst_monitor_rights {

using namespace lockkeeper;
using namespace lockkeeper::monitor;
using namespace lockkeeper::test;
using namespace std::chrono_literals;

// A Monitor on servers and with users that restrict it: it works without the missing rights, and reports them.
class TestMonitorRights : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void worksWithTheLeastRights();
    void worksReadOnly();
    void doesWithoutEachCommand_data();
    void doesWithoutEachCommand();
    void namesACommandThatTheServerDoesNotHave_data();
    void namesACommandThatTheServerDoesNotHave();
    void withoutMessagesItDoesNotGuess();
    void keysThatMayNotBeReadAreLeftOut();
    void worksOverResp2();
    void worksWithoutReadOnlyScripts();
    void withoutTrackingItPolls();
    void withoutTrackingItReceivesKeyspaceEventsThatAreOn_data();
    void withoutTrackingItReceivesKeyspaceEventsThatAreOn();
    void withoutBroadcastItSweeps();
    void whatIsAllowedAgainIsRead_data();
    void whatIsAllowedAgainIsRead();

private:
    redis::ConnectionOptions optionsOf(RedisServer& server, const QStringList& rights);
};

redis::ConnectionOptions TestMonitorRights::optionsOf(RedisServer& server, const QStringList& rights) {
    const QString answer = server.cli(QStringList{"ACL", "SETUSER", "watcher"} + rights);
    if (answer != "OK")
        qWarning() << answer;
    redis::ConnectionOptions options = server.options();
    options.credentials = {"watcher", "pw"};
    return options;
}

void TestMonitorRights::worksWithTheLeastRights() {
    RedisServer server;
    QVERIFY(server.start());
    ServerHand hand(server);
    hand.take("L", alice);
    MonitorProbe probe(optionsOf(server, leastRights(server)));
    QVERIFY(probe.waitForSweep());
    QCOMPARE(probe.next(1), QByteArrayList{"found alice"});
    QTRY_COMPARE(probe.stats.observation, ObservationMode::Tracking);
    QCOMPARE(denialLines(probe.stats.denied), QStringList());
    QVERIFY(probe.waitForSweep());
    hand.release("L");
    QCOMPARE(probe.next(1), QByteArrayList{"released alice"});
    QCOMPARE(denialLines(probe.stats.denied), QStringList());
}

void TestMonitorRights::worksReadOnly() {
    RedisServer server;
    QVERIFY(server.start());
    ServerHand hand(server);
    hand.take("L", alice);
    redis::ConnectionOptions options = server.options();
    options.access = redis::AccessMode::ReadOnly;
    MonitorProbe probe(options);
    QVERIFY(probe.waitForSweep());
    hand.release("L");
    QCOMPARE(probe.next(2), QByteArrayList({"found alice", "released alice"}));
    QCOMPARE(denialLines(probe.stats.denied), QStringList());
}

void TestMonitorRights::doesWithoutEachCommand_data() {
    QTest::addColumn<QString>("taken");
    QTest::addColumn<QString>("noted");
    QTest::addColumn<QByteArrayList>("events");
    const QByteArrayList all{"found alice", "released alice"};
    const QByteArrayList none;
    QTest::newRow("DBSIZE") << "-dbsize"
                            << "DBSIZE:" << all;
    QTest::newRow("PUBSUB") << "-pubsub"
                            << "PUBSUB:" << all;
    QTest::newRow("PUBSUB NUMSUB") << "-pubsub|numsub"
                                   << "PUBSUB:" << all;
    QTest::newRow("EVAL_RO") << "-eval_ro"
                             << "EVAL_RO:" << all;
    QTest::newRow("EVALSHA_RO") << "-evalsha_ro"
                                << "" << all;
    QTest::newRow("CLIENT TRACKING") << "-client|tracking"
                                     << "CLIENT TRACKING:" << all;
    QTest::newRow("CLIENT NO-EVICT") << "-client|no-evict"
                                     << "CLIENT NO-EVICT:" << all;
    QTest::newRow("INFO") << "-info"
                          << "INFO:" << all;
    QTest::newRow("LRANGE") << "-lrange"
                            << "LRANGE:" << all;
    QTest::newRow("OBJECT and LLEN") << "-object -llen"
                                     << "LLEN:" << all;
    QTest::newRow("ZRANGE") << "-zrange"
                            << "ZRANGE:" << all;
    QTest::newRow("GET") << "-get"
                         << "GET:" << all;
    QTest::newRow("OBJECT") << "-object"
                            << "OBJECT:" << all;
    QTest::newRow("EXISTS") << "-exists"
                            << "EXISTS:" << all;
    QTest::newRow("OBJECT and HKEYS") << "-object -hkeys"
                                      << "HKEYS:" << all;
    QTest::newRow("OBJECT and HSTRLEN") << "-object -hstrlen"
                                        << "HSTRLEN:" << all;
    QTest::newRow("those of the careful read of a hash") << "-hlen -hkeys -hstrlen"
                                                         << "" << all;
    QTest::newRow("HELLO") << "-hello"
                           << "" << all;
    QTest::newRow("PING") << "-ping"
                          << "" << all;
    QTest::newRow("PSUBSCRIBE") << "-psubscribe"
                                << "PSUBSCRIBE redisson_lock__channel:*:"
                                << QByteArrayList{"found alice", "gone alice"};
    QTest::newRow("the channels") << "resetchannels"
                                  << "PSUBSCRIBE redisson_lock__channel:*:"
                                  << QByteArrayList{"found alice", "gone alice"};
    QTest::newRow("SCAN") << "-scan"
                          << "SCAN:" << all;
    QTest::newRow("OBJECT and HLEN") << "-object -hlen"
                                     << "HLEN:" << none;
    QTest::newRow("HGETALL") << "-hgetall"
                             << "HGETALL:" << none;
    QTest::newRow("PTTL") << "-pttl"
                          << "PTTL:" << none;
}

void TestMonitorRights::doesWithoutEachCommand() {
    QFETCH(const QString, taken);
    QFETCH(const QString, noted);
    QFETCH(const QByteArrayList, events);
    RedisServer server;
    QVERIFY(server.start());
    ServerHand hand(server);
    hand.take("L", alice);
    if (taken == "-get")  // only used when a lock has a token or a queue
        server.cli({"SET", "redisson_lock_token:{L}", "7"});
    if (taken == "-lrange" || taken == "-object -llen" || taken == "-zrange") {  // only used when a lock has a queue
        server.cli({"RPUSH", "redisson_lock_queue:{L}", bob.display()});
        server.cli({"ZADD", "redisson_lock_timeout:{L}", "1700000300123", bob.display()});
    }
    SystemClock clock;
    const redis::ConnectionOptions all = server.options();
    redis::Connection waiter(
        all, [all] { return redis::makeSocketTransport(all.endpoint); }, clock);
    waiter.open();
    QTRY_VERIFY(waiter.isReady());
    waiter.send(redis::Command("SUBSCRIBE", {"redisson_lock__channel:{L}"}));
    QTRY_COMPARE(server.cli({"PUBSUB", "CHANNELS"}), "redisson_lock__channel:{L}");
    MonitorProbe probe(optionsOf(server, leastRights(server) + taken.split(u' ')));
    if (noted.startsWith("SCAN"))
        QTRY_COMPARE(probe.stats.discovery, DiscoveryState::Refused);  // the lock is found by its waiter
    else
        QVERIFY(probe.waitForSweep());
    hand.release("L");
    QCOMPARE(probe.next(size_t(events.size()), events.isEmpty() ? 300 : 5000), events);
    if (noted.isEmpty())
        QCOMPARE(denialLines(probe.stats.denied), QStringList());
    else
        QTRY_VERIFY2(!denialLines(probe.stats.denied).filter(noted).isEmpty(),
                     qPrintable(denialLines(probe.stats.denied).join('|')));
}

void TestMonitorRights::namesACommandThatTheServerDoesNotHave_data() {
    QTest::addColumn<QStringList>("renamed");
    QTest::addColumn<QStringList>("noted");
    const auto row = [](const char* renamed, const QStringList& noted) {
        QTest::newRow(renamed) << QString::fromLatin1(renamed).split(u' ') << noted;
    };
    row("DBSIZE", {"DBSIZE:"});
    row("CONFIG CLIENT", {"CONFIG GET:", "CLIENT TRACKING:", "CLIENT NO-EVICT:"});
    row("INFO", {"INFO:"});
    row("PUBSUB", {"PUBSUB:"});
    row("PSUBSCRIBE", {"PSUBSCRIBE redisson_lock__channel:*:"});
    row("EVAL_RO", {"EVAL_RO:"});
    row("EVAL_RO MULTI", {"EVAL_RO:", "MULTI:"});
    row("EVAL_RO HKEYS", {"EVAL_RO:", "HKEYS:"});
    row("EVAL_RO MULTI ZRANGE", {"EVAL_RO:", "MULTI:", "ZRANGE:"});
    row("EVAL_RO PTTL", {"EVAL_RO:", "PTTL:"});
    row("OBJECT HLEN", {"HLEN:"});
    row("HGETALL", {"HGETALL:"});
    row("SCAN", {"SCAN:"});
}
void TestMonitorRights::namesACommandThatTheServerDoesNotHave() {
    QFETCH(const QStringList, renamed);
    QFETCH(const QStringList, noted);
    QStringList options;
    for (const QString& command : renamed)
        options += {"--rename-command", command, QStringLiteral("another-") + command};
    RedisServer server(options);
    QVERIFY(server.start());
    ServerHand hand(server);
    hand.take("L", alice);
    MonitorProbe probe(server.options());
    for (const QString& line : noted)
        QTRY_VERIFY2(!denialLines(probe.stats.denied).filter(line).isEmpty(),
                     qPrintable(denialLines(probe.stats.denied).join('|')));
    QVERIFY(denialLines(probe.stats.denied).filter("keys:").isEmpty());
}

void TestMonitorRights::withoutMessagesItDoesNotGuess() {
    RedisServer server;
    QVERIFY(server.start());
    ServerHand hand(server);
    hand.take("released", alice);
    hand.take("deleted", alice);
    hand.take("expired", alice, 2500);
    hand.take("replaced", alice);
    MonitorProbe probe(optionsOf(server, leastRights(server) << "resetchannels"));
    QVERIFY(probe.waitForSweep());
    QCOMPARE(probe.next(4).size(), 4);
    hand.release("released");
    server.cli({"DEL", "deleted"});
    hand.replace("replaced", bob, false);
    QByteArrayList events = probe.next(4);
    std::sort(events.begin(), events.end());
    QCOMPARE(events, QByteArrayList({"gone alice", "gone alice", "gone alice", "handed_over bob"}));
}

void TestMonitorRights::keysThatMayNotBeReadAreLeftOut() {
    RedisServer server;
    QVERIFY(server.start());
    ServerHand hand(server);
    hand.take("ours:L", alice);
    hand.take("theirs:L", bob);
    QStringList rights = leastRights(server);
    rights.replaceInStrings("%R~*", "%R~ours:*");
    MonitorProbe probe(optionsOf(server, rights));
    QVERIFY(probe.waitForSweep());
    hand.release("ours:L");
    QCOMPARE(probe.next(2), QByteArrayList({"found alice", "released alice"}));
    QTRY_VERIFY(!denialLines(probe.stats.denied).filter("keys:").isEmpty());
}

void TestMonitorRights::worksOverResp2() {
    RedisServer server({"--rename-command", "HELLO", ""});
    QVERIFY(server.start());
    ServerHand hand(server);
    hand.take("released", alice);
    hand.take("deleted", bob);
    hand.take("renewed", carol, 20000);
    MonitorOptions options;
    options.pollInterval = 100ms;
    MonitorProbe probe(server.options(), options);
    QVERIFY(probe.waitForSweep());
    QCOMPARE(probe.next(3).size(), 3);
    QTRY_COMPARE(probe.stats.observation, ObservationMode::Polling);
    QVERIFY(probe.stats.observationLimit.kind != ObservationLimit::Kind::None);
    QVERIFY(probe.waitForSweep());
    hand.release("released");
    QCOMPARE(probe.next(1), QByteArrayList{"released alice"});
    server.cli({"DEL", "deleted"});
    QCOMPARE(probe.next(1), QByteArrayList{"released bob without a message"});
    server.cli({"PEXPIRE", "renewed", "30000"});
    QCOMPARE(probe.next(1), QByteArrayList{"renewed carol"});
    hand.replace("renewed", alice, true);
    QCOMPARE(probe.next(1), QByteArrayList{"handed_over alice"});
}

void TestMonitorRights::worksWithoutReadOnlyScripts() {
    RedisServer server({"--rename-command", "EVAL_RO", ""});
    QVERIFY(server.start());
    ServerHand hand(server);
    hand.take("F", alice);
    hand.queueUp("F", bob);
    server.cli({"HSET", "session:1", "user", "7"});
    server.cli({"SET", "redisson_lock_queue:{odd}", "a string"});
    hand.take("odd", carol);
    MonitorProbe probe(server.options());
    QVERIFY(probe.waitForSweep());
    QCOMPARE(probe.next(2).size(), 2);
    QTRY_COMPARE(probe.stats.observation, ObservationMode::Tracking);
    QCOMPARE(probe.row("F")->lock.kind, LockKind::Fair);
    QCOMPARE(probe.row("F")->lock.fairQueue.size(), 1);
    QVERIFY(probe.row("F")->lock.fairQueue.first().deadline);
    QCOMPARE(probe.rows.size(), 2);
    hand.release("odd");
    QCOMPARE(probe.next(1), QByteArrayList{"released carol"});
    QVERIFY(hand.calls("multi") > 0);
}

void TestMonitorRights::withoutTrackingItPolls() {
    RedisServer server;
    QVERIFY(server.start());
    ServerHand hand(server);
    hand.take("L", alice);
    MonitorOptions options;
    options.pollInterval = 100ms;
    MonitorProbe probe(optionsOf(server, leastRights(server) << "-client|tracking"), options);
    QVERIFY(probe.waitForSweep());
    QTRY_COMPARE(probe.stats.observation, ObservationMode::Polling);
    server.cli({"DEL", "L"});
    QCOMPARE(probe.next(2), QByteArrayList({"found alice", "released alice without a message"}));
    // There must be no second connection for messages if one can do both.
    QCOMPARE(server.cli({"CLIENT", "LIST"}).count("name=lockkeeper"), 2);
}

void TestMonitorRights::withoutTrackingItReceivesKeyspaceEventsThatAreOn_data() {
    QTest::addColumn<QStringList>("configuration");
    QTest::addColumn<QStringList>("rights");
    QTest::addColumn<bool>("noticesQueues");
    const QStringList noResp3{"--rename-command", "HELLO", ""};
    const QStringList events{"+config|get", "&__keyspace@0__:*"};
    const QString queues = QStringLiteral("&__keyspace@0__:redisson_lock_queue:*");
    QTest::newRow("RESP3") << QStringList() << (QStringList("-client|tracking") + events << queues) << true;
    QTest::newRow("RESP3, without a right to the queues")
        << QStringList() << (QStringList("-client|tracking") + events) << false;
    QTest::newRow("RESP2") << noResp3 << (QStringList(events) << queues) << true;
}
void TestMonitorRights::withoutTrackingItReceivesKeyspaceEventsThatAreOn() {
    QFETCH(const QStringList, configuration);
    QFETCH(const QStringList, rights);
    QFETCH(const bool, noticesQueues);
    RedisServer server(QStringList(configuration) << "--notify-keyspace-events"
                                                  << "Khgxl");
    QVERIFY(server.start());
    ServerHand hand(server);
    hand.take("L", alice);
    hand.take("short", bob, 60000);
    MonitorOptions options;
    options.pollInterval = 60s;  // no poll in this test
    MonitorProbe probe(optionsOf(server, leastRights(server) + rights), options);
    QVERIFY(probe.waitForSweep());
    QCOMPARE(probe.next(2).size(), 2);
    QTRY_COMPARE(probe.stats.observation, ObservationMode::KeyspaceEvents);
    QVERIFY(probe.stats.observationLimit.kind != ObservationLimit::Kind::None);
    QTRY_COMPARE(probe.stats.noticesFairQueues, noticesQueues);
    server.cli({"HINCRBY", "L", alice.display(), "1"});
    QCOMPARE(probe.next(1), QByteArrayList{"reentered alice"});
    server.cli({"PEXPIRE", "L", "60000"});
    QCOMPARE(probe.next(1), QByteArrayList{"renewed alice"});
    hand.release("L");
    QCOMPARE(probe.next(1), QByteArrayList{"released alice"});
    server.cli({"PEXPIRE", "short", "5000"});
    QTRY_VERIFY(probe.row("short")->lock.expiry->latest <= probe.row("short")->lock.seenAt + 5s);
    // Keyspace events on a separate connection cannot exclude another change since the last read, more than 2 s before
    // the lease ends. On a slow machine that read may be later.
    const bool isApart = !configuration.isEmpty();
    const LockSnapshot last = probe.row("short")->lock;
    const bool isProven = !isApart || last.seenAt + 2s >= last.expiry->earliest;
    QCOMPARE(probe.next(1, 10000), QByteArrayList{isProven ? "expired bob" : "gone bob"});
    hand.take("F", alice);
    QVERIFY(probe.next(1).contains("acquired alice"));
    if (noticesQueues) {
        hand.queueUp("F", bob);
        QTRY_COMPARE(probe.row("F")->lock.fairQueue.size(), 1);
    }
    QCOMPARE(server.cli({"CONFIG", "GET", "notify-keyspace-events"}).section('\n', 1).size(), 5);  // unchanged
}

void TestMonitorRights::withoutBroadcastItSweeps() {
    RedisServer server;
    QVERIFY(server.start());
    ServerHand hand(server);
    MonitorOptions options;
    options.discovery.prefixes = {"jobs:"};
    MonitorProbe probe(optionsOf(server, leastRights(server) << "+config|get"
                                                             << "-client|tracking"),
                       options);
    QVERIFY(probe.waitForSweep());
    QTRY_VERIFY2(!denialLines(probe.stats.denied).filter("CLIENT TRACKING BCAST:").isEmpty(),
                 qPrintable(denialLines(probe.stats.denied).join('|')));
    hand.take("jobs:1", alice);
    QCOMPARE(probe.next(1), QByteArrayList{"acquired alice"});
}

void TestMonitorRights::whatIsAllowedAgainIsRead_data() {
    QTest::addColumn<QStringList>("taken");
    QTest::addColumn<QStringList>("given");
    QTest::addColumn<QString>("noted");
    QTest::newRow("a command") << QStringList{"-hgetall"} << QStringList{"+hgetall"} << "HGETALL:";
    QTest::newRow("the keys") << QStringList{"resetkeys", "%R~theirs:*"} << QStringList{"resetkeys", "%R~*"} << "keys:";
    QTest::newRow("the channels") << QStringList{"resetchannels"} << QStringList{"allchannels"}
                                  << "PSUBSCRIBE redisson_lock__channel:*:";
    QTest::newRow("tracking") << QStringList{"-client|tracking"} << QStringList{"+client|tracking"}
                              << "CLIENT TRACKING:";
}

// It is asked for every 30 s.
void TestMonitorRights::whatIsAllowedAgainIsRead() {
    QFETCH(const QStringList, taken);
    QFETCH(const QStringList, given);
    QFETCH(const QString, noted);
    RedisServer server;
    QVERIFY(server.start());
    ServerHand hand(server);
    hand.take("L", alice, 600000);
    MonitorProbe probe(optionsOf(server, leastRights(server) + taken));
    const auto isNoted = [&] { return !denialLines(probe.stats.denied).filter(noted).isEmpty(); };
    QTRY_VERIFY(isNoted());
    QCOMPARE(server.cli(QStringList{"ACL", "SETUSER", "watcher"} + given), "OK");
    QTRY_VERIFY_WITH_TIMEOUT(!isNoted(), 60000);
    QCOMPARE(denialLines(probe.stats.denied), QStringList());
    QTRY_VERIFY(probe.row("L") && probe.row("L")->lock.isHeld());
    QTRY_COMPARE(probe.stats.observation, ObservationMode::Tracking);
    probe.events.clear();
    hand.release("L");
    QCOMPARE(probe.next(1), QByteArrayList{"released alice"});
}

LOCKKEEPER_TEST(TestMonitorRights, Guiless)

}  // namespace tst_monitor_rights

#include "tst_monitor_rights.moc"
