// SPDX-License-Identifier: Apache-2.0
#include "base/systemclock.h"
#include "locks/kinds/multilock.h"
#include "locks/lockkeys.h"
#include "support/lockkinds.h"
#include "support/owner.h"
#include "support/recordedstate.h"
#include "support/sleepingcall.h"
#include "support/testprogram.h"
#include "support/wiretap.h"
#include "topology/shardconnections.h"

#include <QTest>

namespace tst_fixtureholders {

using namespace lockkeeper;
using namespace lockkeeper::locks;
using namespace std::chrono_literals;
using test::Kind;
using test::owner;
using test::RecordedState;

namespace {

const ClientId ourClient("5f0a3c8e-0000-4000-8000-000000000001");
const QString ours = QStringLiteral("5f0a3c8e-0000-4000-8000-000000000001:33");
constexpr Milliseconds longLease{60000};
constexpr Milliseconds watchdogTimeout{2400};  // much more than the command line client of Redis takes to start
constexpr Milliseconds clockTolerance{10000};  // after its deadline a waiter is taken for dead

using Attempt = test::Running<Result<LockAttempt>>;

// A lock that the recorded client holds, as our client finds it.
struct Foreign {
    QString file;
    QString step;  // the recorded step whose state is used
    Kind kind = Kind::Reentrant;
    QString name;
    QString listensOn;  // the channel our waiter subscribes to; empty: it tries again by itself
    QByteArray leaves;  // how the recorded client releases it, one command a line
    QStringList taken;  // every key after our client has taken it
};

// A fair lock's waiter moves to the head as the waiters ahead of it go.
const QList<std::pair<const char*, Foreign>>& foreignHolders() {
    static const QString lockChannel = QStringLiteral("redisson_lock__channel:{%1}");
    static const QString rwChannel = QStringLiteral("redisson_rwlock:{W}");
    static const QStringList reading{"W mode read " + ours + " 1", "{W}:" + ours + ":rwlock_timeout:1 1"};
    static const QStringList writing{"W mode write " + ours + ":write 1"};
    static const QList<std::pair<const char*, Foreign>> all{
        {"reentrant",
         {"reentrant.json",
          "A.lock L again",
          Kind::Reentrant,
          "L",
          lockChannel.arg("L"),
          "DEL L\nPUBLISH redisson_lock__channel:{L} 0",
          {"L " + ours + " 1"}}},
        {"fenced",
         {"fenced.json",
          "A.lock again",
          Kind::Fenced,
          "N",
          lockChannel.arg("N"),
          "DEL N\nPUBLISH redisson_lock__channel:{N} 0",
          {"N " + ours + " 1", "redisson_lock_token:{N} 3"}}},
        {"spin", {"spin.json", "A.lock P again", Kind::Spin, "P", QString(), "DEL P", {"P " + ours + " 1"}}},
        {"fair",
         {"fair.json",
          "A.lock F",
          Kind::Fair,
          "F",
          lockChannel.arg("F") + u':' + ours,
          "DEL F\nPUBLISH redisson_lock__channel:{F}:" + ours.toLatin1() + " 0",
          {"F " + ours + " 1"}}},
        {"fair, behind two waiters",
         {"fair.json",
          "A/t2.lock F starts waiting",
          Kind::Fair,
          "F",
          lockChannel.arg("F") + u':' + ours,
          "DEL F\nLREM redisson_lock_queue:{F} 0 <B>:36\nZREM redisson_lock_timeout:{F} <B>:36\n"
          "LREM redisson_lock_queue:{F} 0 <A>:34\nZREM redisson_lock_timeout:{F} <A>:34\n"
          "PUBLISH redisson_lock__channel:{F}:" +
              ours.toLatin1() + " 0",
          {"F " + ours + " 1"}}},
        {"a reader, beside a writer",
         {"readwrite.json", "C.writeLock W again", Kind::Read, "W", rwChannel, "DEL W\nPUBLISH redisson_rwlock:{W} 1",
          reading}},
        {"a reader, beside a writer of an older client",
         {"readwrite.json", "C.writeLock W again", Kind::Read, "W", rwChannel, "DEL W\nPUBLISH redisson_rwlock:{W} 0",
          reading}},
        {"a reader, beside a writer that reads too",
         {"readwrite.json", "C.readLock W under its write lock", Kind::Read, "W", rwChannel,
          "DEL W {W}:<C>:39:rwlock_timeout:1\nPUBLISH redisson_rwlock:{W} 1", reading}},
        {"a writer, beside readers",
         {"readwrite.json", "B.readLock W", Kind::Write, "W", rwChannel,
          "DEL W {W}:<A>:33:rwlock_timeout:1 {W}:<A>:33:rwlock_timeout:2 {W}:<B>:36:rwlock_timeout:1\n"
          "PUBLISH redisson_rwlock:{W} 0",
          writing}},
        {"a writer, beside a writer",
         {"readwrite.json", "C.writeLock W again", Kind::Write, "W", rwChannel, "DEL W\nPUBLISH redisson_rwlock:{W} 1",
          writing}}};
    return all;
}

}  // namespace

// Locks whose holders are not clients of this test, but exactly the keys that a recorded Redisson client left. Our
// clients wait for them, are refused, share them and take over, as with the living client. A red lock has no state of
// its own: it is one of these on each of its servers.
class TestFixtureHolders : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { QVERIFY(m_server.start()); }
    void init() {
        m_server.cli({"FLUSHALL"});
        LockClientOptions options;
        options.id = ourClient;
        options.watchdogTimeout = watchdogTimeout;
        m_client = std::make_unique<LockClient>(m_server.options(), m_clock, options);
        m_client->open();
        QTRY_VERIFY(m_client->connections().isReady({}));
        m_lost.clear();
        connect(m_client.get(), &LockClient::lockLost, this,
                [this](const HoldKey& key, LossReason) { m_lost += key.name.bytes(); });
    }
    void cleanup() { m_client.reset(); }

    // The lease is long, so that only the message can wake the waiter.
    void isWaitedForAndWakes_data() { foreign(); }
    void isWaitedForAndWakes() {
        QFETCH(Foreign, foreign);
        write(foreign, longLease);
        const Attempt waiting = test::start(lockOf(foreign).tryLock(owner, Deadline::never(m_clock)));
        QTRY_COMPARE(cli({"PUBSUB", "CHANNELS"}), foreign.listensOn);
        QVERIFY(test::fallsAsleep(foreign.kind, m_server, *m_client));
        QVERIFY(!waiting->has_value());
        together(foreign.leaves);
        QTRY_VERIFY(waiting->has_value());
        QVERIFY((*waiting)->ok() && (*waiting)->value().acquired());
        QCOMPARE(m_hand.state(), foreign.taken);
        QTRY_COMPARE(cli({"PUBSUB", "CHANNELS"}), "");
    }

    void refusesAndIsNotTouched_data() { foreign(); }
    void refusesAndIsNotTouched() {
        QFETCH(Foreign, foreign);
        write(foreign, longLease);
        const QStringList before = m_hand.state();
        test::Wiretap wiretap(m_server, m_clock);
        const Result<LockAttempt> refused = test::waitFor(lockOf(foreign).tryLock(owner, Deadline::in(m_clock, 0ms)));
        QVERIFY(refused.ok() && !refused->acquired());
        QVERIFY(*refused->remaining > longLease - 5s && *refused->remaining <= longLease);
        QCOMPARE(test::waitFor(lockOf(foreign).unlock(owner)).error().code, ErrorCode::NotHeld);
        QCOMPARE(m_hand.state(), before);
        QVERIFY(pttl(foreign.name) > longLease - 5s);
        QCOMPARE(wiretap.takeMessages(), QStringList());
    }

    // No message announces that the lock is free: the holder and the waiters in its queue have died.
    void isTakenOverWhenItsLeaseRunsOut_data() { foreign(); }
    void isTakenOverWhenItsLeaseRunsOut() {
        QFETCH(Foreign, foreign);
        write(foreign, 400ms, 200ms - clockTolerance);
        const Result<LockAttempt> taken = test::waitFor(lockOf(foreign).tryLock(owner, Deadline::in(m_clock, 10s)));
        QVERIFY(taken.ok() && taken->acquired());
        QTRY_COMPARE(m_hand.state(), foreign.taken);  // its helper keys may live a moment longer
    }

    // When our client renews, another client has taken the lock.
    void isNotRenewedByUs_data() { foreign(); }
    void isNotRenewedByUs() {
        QFETCH(Foreign, foreign);
        QVERIFY(test::waitFor(lockOf(foreign).tryLock(owner, Deadline::in(m_clock, 0ms))).value().acquired());
        cli({"FLUSHALL"});
        write(foreign, longLease);
        const QStringList before = m_hand.state();
        QTRY_COMPARE(m_lost, QByteArrayList{foreign.name.toUtf8()});
        QCOMPARE(m_hand.state(), before);
        QVERIFY(pttl(foreign.name) > longLease - 5s);
        QCOMPARE(test::waitFor(lockOf(foreign).unlock(owner)).error().code, ErrorCode::NotHeld);
        QCOMPARE(m_hand.state(), before);
    }

    // ---- shared holds ----

    void aReaderStandsBesideForeignReaders() {
        write(Foreign{"readwrite.json", "B.readLock W"}, longLease);
        const Lock read = m_client->readWriteLock(LockName("W")).readLock();
        const QStringList before = m_hand.state();
        QVERIFY(test::waitFor(read.tryLock(owner, Deadline::in(m_clock, 0ms))).value().acquired());
        cli({"PEXPIRE", foreignTimeout, "5000"});
        const QString ourTimeout = "{W}:" + ours + ":rwlock_timeout:1";
        const qint64 ourEnd = m_hand.leaseEnd(ourTimeout);
        const qint64 foreignEnd = m_hand.leaseEnd(foreignTimeout);
        QTRY_VERIFY2(m_hand.leaseEnd(ourTimeout) > ourEnd, "ours is renewed");
        QVERIFY(pttl(ourTimeout) <= watchdogTimeout);
        QVERIFY2(m_hand.leaseEnd(foreignTimeout) == foreignEnd, "theirs is not");
        QVERIFY2(pttl("W") > longLease - 5s, "nor is theirs shortened");
        QCOMPARE(test::waitFor(read.unlock(owner)).value(), ReleaseOutcome::Free);
        QCOMPARE(m_hand.state(), before);
        QVERIFY2(pttl("W") > longLease - 5s, "the longest of those that remain");
    }

    // A reader has died: its field stays until the last reader releases.
    void theLastReaderTakesDeadReadersAlong() {
        write(Foreign{"readwrite.json", "B.readLock W"}, 300ms);
        const Lock read = m_client->readWriteLock(LockName("W")).readLock();
        QVERIFY(test::waitFor(read.tryLock(owner, Deadline::in(m_clock, 0ms))).value().acquired());
        // Waits until the timeout keys of the other readers have gone: while one is left, the lock gets its time.
        QTRY_COMPARE(cli({"KEYS", "*rwlock_timeout*"}), "{W}:" + ours + ":rwlock_timeout:1");
        test::Wiretap wiretap(m_server, m_clock);
        QCOMPARE(test::waitFor(read.unlock(owner)).value(), ReleaseOutcome::Free);
        QCOMPARE(m_hand.state(), QStringList());
        QCOMPARE(wiretap.takeMessages(), QStringList{"redisson_rwlock:{W} 0"});
    }

    // A real client's forceUnlock() leaves its readers' timeout keys; they must have no effect.
    void leftOverTimeoutKeysBotherNobody() {
        write(Foreign{"readwrite-force.json", "B.readLock.forceUnlock W"}, longLease);
        const QStringList leftOver = m_hand.state();
        QCOMPARE(leftOver.size(), 1);
        for (const Kind kind : {Kind::Read, Kind::Write}) {
            const Lock lock = test::lockOf(*m_client, kind, LockName("W"));
            QVERIFY(test::waitFor(lock.tryLock(owner, Deadline::in(m_clock, 0ms))).value().acquired());
            QCOMPARE(test::waitFor(lock.unlock(owner)).value(), ReleaseOutcome::Free);
            QCOMPARE(m_hand.state(), leftOver);
        }
    }

    // ---- a fair lock that is free while others are in front ----

    void aDeadHeadIsSkippedTenSecondsAfterItsDeadline() {
        queueBefore(1000ms - clockTolerance);
        const Attempt waiting = test::start(m_client->fairLock(LockName("F")).tryLock(owner, Deadline::never(m_clock)));
        QTRY_COMPARE(cli({"LLEN", "redisson_lock_queue:{F}"}), "2");
        QVERIFY(test::fallsAsleep(Kind::Fair, m_server, *m_client));
        QVERIFY2(!waiting->has_value(), "it is still the other's turn");
        QTRY_VERIFY(waiting->has_value());
        QCOMPARE(m_hand.state(), QStringList{"F " + ours + " 1"});
    }

    // A Redisson client that gives up sends no message.
    void aHeadThatLeavesIsNoticed() {
        queueBefore(longLease);
        const Attempt waiting = test::start(m_client->fairLock(LockName("F")).tryLock(owner, Deadline::never(m_clock)));
        QTRY_COMPARE(cli({"LLEN", "redisson_lock_queue:{F}"}), "2");
        together("LREM redisson_lock_queue:{F} 0 <B>:36\nZREM redisson_lock_timeout:{F} <B>:36");
        QTRY_VERIFY(waiting->has_value());
        QCOMPARE(m_hand.state(), QStringList{"F " + ours + " 1"});
    }

    void aHeadThatTakesItsTurnIsWaitedFor() {
        queueBefore(longLease);
        const Attempt waiting = test::start(m_client->fairLock(LockName("F")).tryLock(owner, Deadline::never(m_clock)));
        QTRY_COMPARE(cli({"LLEN", "redisson_lock_queue:{F}"}), "2");
        together(
            "HSET F <B>:36 1\nPEXPIRE F 60000\nLPOP redisson_lock_queue:{F}\n"
            "ZREM redisson_lock_timeout:{F} <B>:36");
        // The next one tries once a second.
        const int before = m_hand.calls("pttl");
        QTRY_VERIFY(m_hand.calls("pttl") > before);
        QVERIFY(test::isAnswered(*m_client));
        QVERIFY(!waiting->has_value());
        together("DEL F\nPUBLISH redisson_lock__channel:{F}:" + ours.toLatin1() + " 0");
        QTRY_VERIFY(waiting->has_value());
        QCOMPARE(m_hand.state(), QStringList{"F " + ours + " 1"});
    }

    // ---- holds with our own id that this client does not know ----

    void holdsOfOurNameAreReenteredAndRenewed_data() { ourHolds(); }
    void holdsOfOurNameAreReenteredAndRenewed() {
        QFETCH(Kind, kind);
        QFETCH(QByteArray, written);
        QFETCH(QStringList, reentered);
        together(written);
        const Lock lock = test::lockOf(*m_client, kind, LockName("L"));
        QVERIFY(test::waitFor(lock.tryLock(owner, Deadline::in(m_clock, 0ms))).value().acquired());
        QCOMPARE(m_hand.state(), reentered);
        QHash<QString, qint64> ends;
        for (const QString& key : cli({"KEYS", "*"}).split(u'\n'))
            ends.insert(key, m_hand.leaseEnd(key));
        for (auto key = ends.cbegin(); key != ends.cend(); ++key) {
            const bool isLease = !key.key().startsWith(u"redisson_lock_token");
            QTRY_VERIFY2(!isLease || m_hand.leaseEnd(key.key()) != key.value(), qPrintable(key.key()));
            QVERIFY2(!isLease || pttl(key.key()) <= watchdogTimeout * 2,
                     qPrintable(key.key()));  // a writer's reentry adds to the TTL
        }
        QCOMPARE(m_hand.state(), reentered);
    }

    void holdsOfOurNameAreGivenBackOneByOne_data() { ourHolds(); }
    void holdsOfOurNameAreGivenBackOneByOne() {
        QFETCH(Kind, kind);
        QFETCH(QByteArray, written);
        QFETCH(QString, message);
        together(written);
        test::Wiretap wiretap(m_server, m_clock);
        const Lock lock = test::lockOf(*m_client, kind, LockName("L"));
        QCOMPARE(test::waitFor(lock.unlock(owner)).value(), ReleaseOutcome::StillHeld);
        QCOMPARE(test::waitFor(lock.holdCount(owner)).value(), 1);
        QVERIFY(pttl("L") > 0ms && pttl("L") <= longLease);
        QCOMPARE(wiretap.takeMessages(), QStringList());
        QCOMPARE(test::waitFor(lock.unlock(owner)).value(), ReleaseOutcome::Free);
        QCOMPARE(cli({"EXISTS", "L"}), "0");
        QCOMPARE(wiretap.takeMessages(), message.isEmpty() ? QStringList() : QStringList{message});
    }

    // ---- several locks as one ----

    void aMultiLockIsRefusedByOneForeignMember() {
        write(Foreign{"multi.json", "B.lock M2"}, longLease);
        const QStringList before = m_hand.state();
        test::Wiretap wiretap(m_server, m_clock);
        QVERIFY(!test::waitFor(multiLock().tryLock(owner, Deadline::in(m_clock, 0ms))).value().acquired());
        QCOMPARE(m_hand.state(), before);
        QCOMPARE(wiretap.takeMessages(), QStringList{"redisson_lock__channel:{M1} 0"});
    }

    void aMultiLockWaitsForAForeignMember() {
        write(Foreign{"multi.json", "B.lock M2"}, longLease);
        const auto waiting = test::start(multiLock().lock(owner));
        QTRY_COMPARE(cli({"PUBSUB", "CHANNELS"}), "redisson_lock__channel:{M2}");
        together("DEL M2\nPUBLISH redisson_lock__channel:{M2} 0");
        QTRY_VERIFY(waiting->has_value());
        QVERIFY((*waiting)->ok());
        QCOMPARE(m_hand.state(), (QStringList{"M1 " + ours + " 1", "M2 " + ours + " 1", "M3 " + ours + " 1"}));
    }

private:
    static void foreign() {
        QTest::addColumn<Foreign>("foreign");
        for (const auto& [name, foreign] : foreignHolders())
            QTest::newRow(name) << foreign;
    }
    static void ourHolds() {
        QTest::addColumn<Kind>("kind");
        QTest::addColumn<QByteArray>("written");
        QTest::addColumn<QStringList>("reentered");
        QTest::addColumn<QString>("message");  // of the last release
        const QByteArray holder = ours.toLatin1();
        const QByteArray plain = "HSET L " + holder + " 2\nPEXPIRE L 800";
        const QStringList thrice{"L " + ours + " 3"};
        const QString message = QStringLiteral("redisson_lock__channel:{L} 0");
        QTest::newRow("reentrant") << Kind::Reentrant << plain << thrice << message;
        QTest::newRow("fair") << Kind::Fair << plain << thrice << QString();
        QTest::newRow("fenced") << Kind::Fenced << plain + "\nSET redisson_lock_token:{L} 41"
                                << QStringList{thrice.first(), "redisson_lock_token:{L} 42"} << message;
        QTest::newRow("spin") << Kind::Spin << plain << thrice << QString();
        const QByteArray timeout = "{L}:" + holder + ":rwlock_timeout:";
        QTest::newRow("read") << Kind::Read
                              << "HSET L mode read " + holder + " 2\nPEXPIRE L 800\nSET " + timeout +
                                     "1 1 PX 800\nSET " + timeout + "2 1 PX 800"
                              << QStringList{"L mode read " + ours + " 3", timeout + "1 1", timeout + "2 1",
                                             timeout + "3 1"}
                              << "redisson_rwlock:{L} 0";
        QTest::newRow("write") << Kind::Write << "HSET L mode write " + holder + ":write 2\nPEXPIRE L 800"
                               << QStringList{"L mode write " + ours + ":write 3"} << "redisson_rwlock:{L} 1";
    }

    void write(const Foreign& foreign, Milliseconds ttl, Milliseconds wait = Milliseconds(300000)) {
        RecordedState(foreign.file, foreign.step).writeTo(m_server, ttl, wait);
    }
    void queueBefore(Milliseconds wait) {
        write(Foreign{"fair.json", "B.lock F starts waiting"}, 0ms, wait);  // without a lease: the lock is free
    }
    void together(const QByteArray& commands) {
        m_hand.together(RecordedState::withUuids(QString::fromUtf8(commands)).toUtf8());
    }
    [[nodiscard]] Lock lockOf(const Foreign& foreign) {
        return test::lockOf(*m_client, foreign.kind, LockName(foreign.name.toUtf8()));
    }
    [[nodiscard]] MultiLock multiLock() {
        return MultiLock({m_client->reentrantLock(LockName("M1")), m_client->reentrantLock(LockName("M2")),
                          m_client->reentrantLock(LockName("M3"))});
    }
    [[nodiscard]] Milliseconds pttl(const QString& key) { return Milliseconds(cli({"PTTL", key}).toInt()); }
    QString cli(const QStringList& arguments) { return m_server.cli(arguments); }

    const QString foreignTimeout = RecordedState::withUuids(QStringLiteral("{W}:<B>:36:rwlock_timeout:1"));

    SystemClock m_clock;
    test::RedisServer m_server;
    test::ServerHand m_hand{m_server};
    std::unique_ptr<LockClient> m_client;
    QByteArrayList m_lost;
};

LOCKKEEPER_TEST(TestFixtureHolders, Guiless)

}  // namespace tst_fixtureholders

#include "tst_fixtureholders.moc"
