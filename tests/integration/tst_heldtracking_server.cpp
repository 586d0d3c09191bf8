// SPDX-License-Identifier: Apache-2.0
#include "base/systemclock.h"
#include "support/clustersetup.h"
#include "support/leastrights.h"
#include "support/lockprogram.h"
#include "support/lockscene.h"
#include "support/owner.h"
#include "support/sleepingcall.h"
#include "support/taskwait.h"
#include "support/testprogram.h"
#include "topology/shardconnections.h"

#include <QRegularExpression>
#include <QTest>

namespace tst_heldtracking_server {

using namespace lockkeeper;
using namespace lockkeeper::locks;
using namespace std::chrono_literals;
using test::AnyLock;
using test::becomesTrue;
using test::Kind;
using test::LockScene;
using test::owner;

namespace {

const ThreadId second{34};
const QString stranger = QStringLiteral("11111111-2222-3333-4444-555555555555:9");

// No renewal happens by itself in a test, and no lease ends.
constexpr Milliseconds longWatchdog = 10min;
constexpr Milliseconds longLease = 60s;

// What happened to the lock before it is taken away. After each of these the server must still report the next
// change.
enum class Before { Taken, TakenAfterWaiting, Reentered, PartlyReleased, LeaseSet, Reconnected, SharedAndReleased };

const std::vector<std::pair<Before, QByteArray>> histories{{Before::Taken, "taken"},
                                                           {Before::TakenAfterWaiting, "taken after waiting"},
                                                           {Before::Reentered, "reentered"},
                                                           {Before::PartlyReleased, "one of two holds released"},
                                                           {Before::LeaseSet, "renewed by itself"},
                                                           {Before::Reconnected, "reconnected"}};

enum class Change { Deleted, ForcedByScript, ForcedByItself, GivenToAnother, ReplacedByString, Flushed };

const std::vector<std::tuple<Change, QByteArray, LossReason>> changes{
    {Change::Deleted, "DEL", LossReason::Gone},
    {Change::ForcedByScript, "forced by another client", LossReason::Gone},
    {Change::ForcedByItself, "forced by its own client", LossReason::Gone},
    {Change::GivenToAnother, "given to another", LossReason::TakenOver},
    {Change::ReplacedByString, "replaced by a string", LossReason::TakenOver},
    {Change::Flushed, "FLUSHALL", LossReason::Gone}};

std::vector<Kind> singleKinds() {
    return {Kind::Reentrant, Kind::Fair, Kind::Fenced, Kind::Spin, Kind::Read, Kind::Write};
}

// The keys of another program's read lock, as a Java client writes them: its renewal sets the hash to its own timeout
// (core/locks/protocol.md, "Mixed fleets").
const QString javaReads = QStringLiteral(
    "redis.call('hset', KEYS[1], 'mode', 'read', ARGV[1], 1) "
    "redis.call('set', '{' .. KEYS[1] .. '}:' .. ARGV[1] .. ':rwlock_timeout:1', '1', 'px', ARGV[2]) "
    "redis.call('pexpire', KEYS[1], math.max(tonumber(ARGV[2]), redis.call('pttl', KEYS[1])))");
const QString javaRenews = QStringLiteral(
    "redis.call('pexpire', '{' .. KEYS[1] .. '}:' .. ARGV[1] .. ':rwlock_timeout:1', ARGV[2]) "
    "redis.call('pexpire', KEYS[1], ARGV[2])");
// Redisson up to 4.3: the timeout keys of every reader.
const QString olderJavaRenews = QStringLiteral(
    "for _, key in ipairs(redis.call('keys', '*rwlock_timeout*')) do redis.call('pexpire', key, ARGV[2]) end "
    "redis.call('pexpire', KEYS[1], ARGV[2])");

}  // namespace

// A lock that is taken away is known at once, long before the next renewal; and a reader's lease is defended.
class TestHeldTrackingServer : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void cleanup() {
        m_scene.reset();
        m_cluster.reset();
    }

    void aLossIsKnownAtOnce_data() {
        QTest::addColumn<Kind>("kind");
        QTest::addColumn<Change>("change");
        QTest::addColumn<LossReason>("why");
        for (const Kind kind : singleKinds()) {
            for (const auto& [change, words, why] : changes)
                QTest::newRow(test::wordFor(kind) + ", " + words) << kind << change << why;
        }
    }
    void aLossIsKnownAtOnce() {
        QFETCH(Kind, kind);
        QFETCH(Change, change);
        QFETCH(LossReason, why);
        begin(kind);
        QCOMPARE(m_scene->take(mine(), owner), QString());
        apply(change);
        QVERIFY(becomesTrue([this] { return !m_scene->mine().losses().isEmpty(); }));
        QCOMPARE(m_scene->mine().losses(), QList<LossReason>{why});
        QVERIFY(!LockScene::believes(mine(), owner));
    }

    // The hold was taken by a command that the client knows nothing of.
    void aHoldThatTheProgramHasTakenItselfIsWatched_data() {
        QTest::addColumn<Kind>("kind");
        QTest::addColumn<Change>("change");
        QTest::addColumn<LossReason>("why");
        for (const Kind kind : {Kind::Reentrant, Kind::Write}) {
            for (const auto& [change, words, why] : {changes[0], changes[3]})
                QTest::newRow(test::wordFor(kind) + ", " + words) << kind << change << why;
        }
    }
    void aHoldThatTheProgramHasTakenItselfIsWatched() {
        QFETCH(Kind, kind);
        QFETCH(Change, change);
        QFETCH(LossReason, why);
        begin(kind);
        watchOwnHold(longLease);
        QVERIFY(LockScene::believes(mine(), owner));
        QCOMPARE(m_scene->mine().losses(), QList<LossReason>());
        apply(change);
        QVERIFY(becomesTrue([this] { return !m_scene->mine().losses().isEmpty(); }));
        QCOMPARE(m_scene->mine().losses(), QList<LossReason>{why});
    }

    // A hold of a faster multi lock has no field of its own: it is all of its values. Changes to values of others are
    // no loss.
    void ofValuesALossOfOneIsKnownAtOnce_data() {
        QTest::addColumn<QStringList>("command");
        QTest::addColumn<QList<LossReason>>("losses");
        QTest::newRow("another's come and go") << QStringList{"HSET", "L", "z", stranger} << QList<LossReason>{};
        QTest::newRow("one is another's") << QStringList{"HSET", "L", "y", stranger} << QList{LossReason::TakenOver};
        QTest::newRow("one is deleted") << QStringList{"HDEL", "L", "x"} << QList{LossReason::Gone};
        QTest::newRow("all are deleted") << QStringList{"DEL", "L"} << QList{LossReason::Gone};
        QTest::newRow("the hash ends sooner") << QStringList{"PEXPIRE", "L", "200"} << QList{LossReason::LeaseExpired};
        QTest::newRow("it is something else") << QStringList{"SET", "L", "text"} << QList{LossReason::Gone};
    }
    void ofValuesALossOfOneIsKnownAtOnce() {
        QFETCH(QStringList, command);
        QFETCH(QList<LossReason>, losses);
        begin(Kind::Reentrant);
        const HoldKey key = mine().members().front().holdKey(owner);
        const QString holder = QString::fromLatin1(key.field());
        m_scene->everywhere({"HSET", "L", "x", holder, "y", holder, "z", "nobody:1"});
        m_scene->mine().clients().front()->watchHold(key, m_scene->in(longLease), {"x", "y"});
        QVERIFY(becomesTrue([this] { return tracked() > 0; }));
        QVERIFY(test::isAnswered(*m_scene->mine().clients().front()));
        QVERIFY(LockScene::believes(mine(), owner));
        const int reads = callsOf("hget");
        m_scene->everywhere(command);
        QVERIFY(becomesTrue([&] { return callsOf("hget") > reads || !losses.isEmpty(); }));
        QVERIFY(test::isAnswered(*m_scene->mine().clients().front()));
        QVERIFY(becomesTrue([&] { return m_scene->mine().losses().size() == losses.size(); }));
        QCOMPARE(m_scene->mine().losses(), losses);
    }

    void aHoldOfTheProgramsOwnEndsWithItsLease() {
        begin(Kind::Reentrant);
        watchOwnHold(200ms);
        QVERIFY(becomesTrue([this] { return !m_scene->mine().losses().isEmpty(); }));
        QCOMPARE(m_scene->mine().losses(), QList<LossReason>{LossReason::LeaseExpired});
    }

    void aHoldThatTheProgramHasReleasedItselfIsNoLoss() {
        begin(Kind::Reentrant);
        watchOwnHold(longLease);
        locks::LockClient& client = *m_scene->mine().clients().front();
        client.forgetHold(mine().members().front().holdKey(owner));
        QVERIFY(!LockScene::believes(mine(), owner));
        apply(Change::Deleted);
        QVERIFY(test::waitFor(mine().tryLock(second, m_scene->in(1s), longLease)).ok());  // an answer that comes later
        QCOMPARE(m_scene->mine().losses(), QList<LossReason>());
    }

    void afterEachOwnCommand_data() {
        QTest::addColumn<Kind>("kind");
        QTest::addColumn<Before>("before");
        for (const Kind kind : singleKinds()) {
            for (const auto& [before, words] : histories)
                QTest::newRow(test::wordFor(kind) + ", " + words) << kind << before;
        }
        QTest::newRow("read, another thread has released") << Kind::Read << Before::SharedAndReleased;
    }
    void afterEachOwnCommand() {
        QFETCH(Kind, kind);
        QFETCH(Before, before);
        begin(kind);
        bring(before);
        if (QTest::currentTestFailed())
            return;
        QCOMPARE(m_scene->mine().losses(), QList<LossReason>());
        apply(Change::Deleted);
        QVERIFY(becomesTrue([this] { return !m_scene->mine().losses().isEmpty(); }));
        QCOMPARE(m_scene->mine().losses(), QList<LossReason>{LossReason::Gone});
    }

    void aLossWhileDisconnectedIsKnownAtTheReconnect() {
        begin(Kind::Reentrant);
        QVERIFY(takes(mine(), longLease));
        m_scene->everywhere({"CLIENT", "KILL", "TYPE", "normal"});
        m_scene->everywhere({"DEL", "L"});
        QVERIFY(becomesTrue([this] { return !m_scene->mine().losses().isEmpty(); }));
    }

    // A third party shortens the TTL.
    void aShorterLeaseIsBelieved() {
        begin(Kind::Reentrant);
        QVERIFY(takes(mine(), longLease));
        m_scene->everywhere({"PEXPIRE", "L", "300"});
        QVERIFY(becomesTrue([this] { return !m_scene->mine().losses().isEmpty(); }));
        QCOMPARE(m_scene->mine().losses(), QList<LossReason>{LossReason::LeaseExpired});
    }
    void aShorterTtlIsRenewedInTime() {
        begin(Kind::Reentrant);
        QVERIFY(takes(mine()));
        m_scene->everywhere({"PEXPIRE", "L", "900"});
        QVERIFY(becomesTrue([this] { return pttl("L") > 60000; }));
        QCOMPARE(m_scene->mine().losses(), QList<LossReason>());
    }

    // The server must track what is held, not what is waited for.
    void aWaitersAttemptsAreNotTracked() {
        begin(Kind::Spin);
        QVERIFY(takes(mine()));
        QVERIFY(becomesTrue([this] { return tracked() == 1; }));
        const auto waiting = test::start(m_scene->other().lock().tryLock(owner, m_scene->in(10s)));
        QVERIFY(becomesTrue([this] { return callsOf("evalsha") > 5; }));
        QVERIFY(takes(mine()));  // a reentry: the server forgets who has read the lock before
        const int before = callsOf("evalsha");
        QVERIFY(becomesTrue([&] { return callsOf("evalsha") > before + 3; }));
        QCOMPARE(tracked(), 1);
        QVERIFY(!waiting->has_value());
        m_scene->giveEverythingBack(mine(), owner);
        QVERIFY(becomesTrue([&] { return waiting->has_value(); }));
    }

    // An acquire must cost only its script.
    void ofOwnCommandsOnlyAcquiresAreNotTracked() {
        begin(Kind::Reentrant);
        topology::ShardConnections& connections = m_scene->mine().clients().front()->connections();
        QVERIFY(becomesTrue([&] { return connections.isTracking(*connections.of({})); }));
        QVERIFY(takes(mine()));
        constexpr int pairs = 10;
        for (int i = 0; i <= pairs; ++i) {
            QVERIFY(takes(mine()));
            QCOMPARE(test::waitFor(mine().unlock(owner)).value(), ReleaseOutcome::StillHeld);
            if (i == 0)  // from now on the server knows all scripts
                m_scene->everywhere({"CONFIG", "RESETSTAT"});
        }
        const int tracked = callsOf("client|caching");
        QVERIFY(tracked >= pairs);  // releases, and maybe reads
        // A hold that is older than 50 ms is read. The server does not know that script, so the first read is sent
        // twice.
        QCOMPARE(callsOf("evalsha") + callsOf("eval") - tracked, pairs);
    }

    // ---- a server that refuses ----

    void withoutTheRightTheRenewalFindsIt_data() {
        QTest::addColumn<QStringList>("missing");
        QTest::newRow("no CLIENT TRACKING") << QStringList{"-client|tracking"};
        QTest::newRow("no CLIENT CACHING") << QStringList{"-client|caching"};
    }
    void withoutTheRightTheRenewalFindsIt() {
        QFETCH(QStringList, missing);
        test::RedisServer server;
        QVERIFY(server.start());
        QCOMPARE(server.cli(QStringList{"ACL", "SETUSER", "locker"} + test::leastRights(server) + test::rightsToLock() +
                            missing),
                 "OK");
        redis::ConnectionOptions options = server.options();
        options.credentials = {"locker", "pw"};
        LockClientOptions impatient;
        impatient.watchdogTimeout = 900ms;
        LockClient client(options, m_clock, impatient);
        QCOMPARE(client.lossDetection(), LossDetection::Tracking);
        int changes = 0;
        QObject::connect(&client, &LockClient::lossDetectionChanged, [&changes] { ++changes; });
        QList<LossReason> losses;
        QObject::connect(&client, &LockClient::lockLost, [&losses](const HoldKey&, LossReason why) { losses += why; });
        client.open();
        QVERIFY(test::waitFor(client.reentrantLock(LockName("L")).lock(owner)).ok());
        QCOMPARE(client.lossDetection(), LossDetection::RenewalOnly);
        QCOMPARE(changes, 1);
        server.cli({"DEL", "L"});
        QVERIFY(becomesTrue([&] { return !losses.isEmpty(); }));
        QCOMPARE(losses, QList<LossReason>{LossReason::TakenAway});
    }

    // The server has reported the change, but refuses the read that decides.
    void aLossIsKnownWhenTheLockCanBeReadAgain() {
        begin(Kind::Reentrant);
        QVERIFY(takes(mine(), longLease));
        const LockClient& client = *m_scene->mine().clients().front();
        m_scene->everywhere({"ACL", "SETUSER", "default", "-eval", "-evalsha"});
        m_scene->everywhere({"DEL", "L"});
        QVERIFY(becomesTrue([&] { return client.lossDetection() == LossDetection::RenewalOnly; }));
        QCOMPARE(m_scene->mine().losses(), QList<LossReason>());
        m_scene->everywhere({"ACL", "SETUSER", "default", "+eval", "+evalsha"});
        QVERIFY(becomesTrue([this] { return !m_scene->mine().losses().isEmpty(); }));
        QCOMPARE(m_scene->mine().losses(), QList<LossReason>{LossReason::Gone});
        QCOMPARE(client.lossDetection(), LossDetection::Tracking);
    }

    // ---- a Cluster ----

    void inAClusterOnEveryMaster() {
        QVERIFY(startCluster());
        test::LockProgram program(m_cluster->address(0), m_clock, withLongWatchdog());
        for (size_t master = 0; master < m_cluster->masterCount(); ++master) {
            const QByteArray name = m_cluster->keyOn(master, "held:");
            QVERIFY(takes(program.lock(Kind::Reentrant, name)));
            m_cluster->master(master).cli({"DEL", QString::fromUtf8(name)});
            QVERIFY(becomesTrue([&] { return program.losses.size() == master + 1; }));
            QCOMPARE(program.losses.back().why, LossReason::Gone);
        }
    }

    void aSlotThatMovesIsTrackedAtItsNewOwner() {
        QVERIFY(startCluster());
        test::LockProgram program(m_cluster->address(0), m_clock, withLongWatchdog());
        const QByteArray name = m_cluster->keyOn(0, "moved:");
        const topology::HashSlot slot = topology::hashSlotOf(name);
        QVERIFY(takes(program.lock(Kind::Reentrant, name)));
        QVERIFY(m_cluster->moveSlot(slot, 0, 1));
        QVERIFY(becomesTrue([&] { return trackedAt(m_cluster->master(1)) == 1; }));
        QCOMPARE(program.lostNames(), QList<LockName>());
        m_cluster->master(1).cli({"DEL", QString::fromUtf8(name)});
        QVERIFY(becomesTrue([&] { return program.losses.size() == 1; }));
        QCOMPARE(program.losses.back().why, LossReason::Gone);
    }

    // ---- reading holds that others cut short (recording mixed_readers) ----

    void aLeasedReadOutlivesAJavaReader_data() {
        QTest::addColumn<QString>("renewal");
        QTest::newRow("4.4 and newer") << javaRenews;
        QTest::newRow("up to 4.3") << olderJavaRenews;
    }
    void aLeasedReadOutlivesAJavaReader() {
        QFETCH(QString, renewal);
        begin(Kind::Read);
        QVERIFY(takes(mine(), longLease));
        const SteadyTime deadline = holdOf(mine()).deadline;
        m_scene->everywhere({"EVAL", javaReads, "1", "L", stranger, "300"});
        m_scene->everywhere({"EVAL", renewal, "1", "L", stranger, "300"});  // the reader's last renewal: then it dies
        const QString timeoutKey = QStringLiteral("{L}:") + stranger + QStringLiteral(":rwlock_timeout:1");
        QVERIFY(becomesTrue([&] { return m_scene->everywhere({"EXISTS", timeoutKey}) == "0"; }));
        QVERIFY2(!takes(m_scene->other().rival()), "a writer has come in while our reader works");
        QCOMPARE(m_scene->mine().losses(), QList<LossReason>());
        QVERIFY2(deadline - holdOf(mine()).deadline < 1s, "only what the way of an answer took");
        const qint64 left = std::chrono::duration_cast<Milliseconds>(deadline - m_clock.now()).count();
        for (const QString& key : {QStringLiteral("L"), ownTimeoutKey()}) {
            QVERIFY2(pttl(key) >= left - 1000, qPrintable(key));
            QVERIFY2(pttl(key) <= left + 1000, qPrintable(key));
        }
        QCOMPARE(test::waitFor(mine().unlock(owner)).value(), ReleaseOutcome::Free);
        QVERIFY(takes(m_scene->other().rival()));
    }

    // Nothing reports the change. A reader's last renewal leaves the lock enough time for this client to notice it.
    void aLeasedReadOutlivesAJavaReaderWithoutTracking() {
        begin(Kind::Read);
        m_scene->everywhere({"ACL", "SETUSER", "default", "-client|tracking"});
        m_scene->everywhere({"CLIENT", "KILL", "TYPE", "normal"});
        const LockClient& client = *m_scene->mine().clients().front();
        QVERIFY(becomesTrue([&] { return client.lossDetection() == LossDetection::RenewalOnly; }));
        QVERIFY(takes(mine(), longLease));
        m_scene->everywhere({"EVAL", javaReads, "1", "L", stranger, "3000"});
        m_scene->everywhere({"EVAL", javaRenews, "1", "L", stranger, "3000"});
        QVERIFY(pttl("L") <= 3000);
        QVERIFY(becomesTrue([&] { return pttl("L") > 3000; }));
        QVERIFY2(!takes(m_scene->other().rival()), "a writer has come in while our reader works");
        QCOMPARE(m_scene->mine().losses(), QList<LossReason>());
    }

    void aDefenceShortensNothing() {
        begin(Kind::Read);
        QVERIFY(takes(mine(), longLease));
        QVERIFY(becomesTrue([this] { return tracked() > 0; }));
        const int reads = callsOf("hget");
        m_scene->everywhere({"EVAL", javaReads, "1", "L", stranger, "300000"});
        QVERIFY(becomesTrue([&] { return callsOf("hget") > reads; }));
        QVERIFY(test::isAnswered(*m_scene->mine().clients().front()));
        QVERIFY(pttl("L") > 200000);
        QVERIFY(pttl(ownTimeoutKey()) <= longLease.count());
    }

    void aDefenceCreatesNothing() {
        begin(Kind::Read);
        QVERIFY(takes(mine(), longLease));
        m_scene->everywhere({"EVAL", javaReads, "1", "L", stranger, "300000"});
        m_scene->everywhere({"EVAL", "redis.call('hdel', KEYS[1], ARGV[1]) redis.call('del', ARGV[2])", "1", "L",
                             QString::fromLatin1(mine().members().front().holder(owner).bytes()), ownTimeoutKey()});
        QVERIFY(becomesTrue([this] { return !m_scene->mine().losses().isEmpty(); }));
        QCOMPARE(m_scene->mine().losses(), QList<LossReason>{LossReason::Gone});  // no writer has come in
        QCOMPARE(m_scene->everywhere({"EXISTS", ownTimeoutKey()}), "0");
        QCOMPARE(m_scene->everywhere({"HLEN", "L"}), "2");
    }

private:
    static LockClientOptions withLongWatchdog() {
        LockClientOptions options;
        options.watchdogTimeout = longWatchdog;
        return options;
    }
    // Lets the client watch a hold that the server already has.
    void watchOwnHold(Milliseconds lease) {
        const HoldKey key = mine().members().front().holdKey(owner);
        m_scene->everywhere(
            {"EVAL",
             "redis.call('hset', 'L', ARGV[1], 1) if ARGV[3] == 'write' then redis.call('hset', 'L', 'mode', 'write') end "
             "return redis.call('pexpire', 'L', ARGV[2])",
             "0", QString::fromLatin1(key.field()), QString::number(lease.count()),
             key.mode == HoldMode::Write ? "write" : "exclusive"});
        m_scene->mine().clients().front()->watchHold(key, m_scene->in(lease));
    }
    void begin(Kind kind) {
        LockScene::Options options;
        options.watchdogTimeout = longWatchdog;
        m_scene = std::make_unique<LockScene>(kind, options);
        QVERIFY(m_scene->start());
    }
    [[nodiscard]] bool startCluster() {
        m_cluster = std::make_unique<test::ClusterSetup>(2);
        return m_cluster->start();
    }
    [[nodiscard]] AnyLock mine() { return m_scene->mine().lock(); }
    [[nodiscard]] bool takes(const AnyLock& lock, std::optional<Milliseconds> lease = std::nullopt,
                             ThreadId thread = owner) {
        const Result<LockAttempt> taken = test::waitFor(lock.tryLock(thread, Deadline::in(m_clock, 0ms), lease));
        return taken && taken->acquired();
    }
    static Hold holdOf(const AnyLock& lock) {
        const Lock& member = lock.members().front();
        return member.client().hold(member.holdKey(owner));
    }
    QString ownTimeoutKey() {
        return QStringLiteral("{L}:") + QString::fromLatin1(mine().members().front().holder(owner).bytes()) +
               QStringLiteral(":rwlock_timeout:1");
    }
    qint64 pttl(const QString& key) { return m_scene->everywhere({"PTTL", key}).toLongLong(); }
    static int figureOf(test::RedisServer& server, const QString& section, const QString& figure) {
        const QStringList lines = server.cli({"INFO", section}).split(QLatin1Char('\n'));
        const QStringList found = lines.filter(QRegularExpression(u'^' + QRegularExpression::escape(figure)));
        return found.isEmpty() ? 0 : found.first().mid(figure.size()).section(QLatin1Char(','), 0, 0).trimmed().toInt();
    }
    // Entries of the server's tracking table: one for each client and key.
    static int trackedAt(test::RedisServer& server) {
        return figureOf(server, QStringLiteral("stats"), QStringLiteral("tracking_total_items:"));
    }
    int tracked() { return trackedAt(*m_scene->servers().front()); }
    int callsOf(const QString& command) {
        return figureOf(*m_scene->servers().front(), QStringLiteral("commandstats"),
                        QStringLiteral("cmdstat_%1:calls=").arg(command));
    }

    void bring(Before before) {
        if (before == Before::TakenAfterWaiting) {
            QVERIFY(takes(m_scene->other().rival()));
            const auto waiting = test::start(mine().tryLock(owner, m_scene->in(10s)));
            QVERIFY(m_scene->mineFallsAsleep());
            QCOMPARE(test::waitFor(m_scene->other().rival().unlock(owner)).value(), ReleaseOutcome::Free);
            QVERIFY(becomesTrue([&] { return waiting->has_value(); }));
            QVERIFY((*waiting)->ok() && (*waiting)->value().acquired());
            return;
        }
        QVERIFY(takes(mine()));
        if (before == Before::Reentered || before == Before::PartlyReleased)
            QVERIFY(takes(mine()));
        if (before == Before::PartlyReleased)
            QCOMPARE(test::waitFor(mine().unlock(owner)).value(), ReleaseOutcome::StillHeld);
        if (before == Before::SharedAndReleased) {
            QVERIFY(takes(mine(), std::nullopt, second));
            QVERIFY(test::waitFor(mine().unlock(second)).ok());
        }
        if (before == Before::LeaseSet) {
            // A multi lock sets the lease of its members at its end, by the renewal's script.
            const MultiLock several({mine().members().front()});
            QVERIFY(test::waitFor(several.tryLock(owner, m_scene->in(1s), longLease)).ok());
        }
        if (before == Before::Reconnected) {
            const SteadyTime first = holdOf(mine()).deadline;
            QVERIFY(m_scene->killConnections(QStringLiteral("lockkeeper")));
            QVERIFY(becomesTrue([&] { return holdOf(mine()).deadline > first; }));  // renewed at the reconnect
        }
    }

    void apply(Change change) {
        switch (change) {
            case Change::Deleted:
                m_scene->everywhere({"DEL", "L"});
                break;
            case Change::ForcedByScript:
                QCOMPARE(test::waitFor(m_scene->other().lock().members().front().forceUnlock()).value(), true);
                break;
            case Change::ForcedByItself:
                QCOMPARE(test::waitFor(mine().members().front().forceUnlock()).value(), true);
                break;
            case Change::GivenToAnother:
                m_scene->everywhere({"EVAL",
                                     "redis.call('del', KEYS[1]) "
                                     "redis.call('hset', KEYS[1], 'mode', 'write', ARGV[1], 1)",
                                     "1", "L", stranger});
                break;
            case Change::ReplacedByString:
                m_scene->everywhere({"SET", "L", "x"});
                break;
            case Change::Flushed:
                m_scene->everywhere({"FLUSHALL"});
                break;
        }
    }

    SystemClock m_clock;
    std::unique_ptr<LockScene> m_scene;
    std::unique_ptr<test::ClusterSetup> m_cluster;
};

LOCKKEEPER_TEST(TestHeldTrackingServer, Guiless)

}  // namespace tst_heldtracking_server

#include "tst_heldtracking_server.moc"
