// SPDX-License-Identifier: Apache-2.0
#include "base/systemclock.h"
#include "support/lockkinds.h"
#include "support/owner.h"
#include "support/recordedstate.h"
#include "support/sleepingcall.h"
#include "support/testprogram.h"
#include "support/wiretap.h"
#include "topology/shardconnections.h"

#include <QTest>

namespace tst_fixturewaiters {

using namespace lockkeeper;
using namespace lockkeeper::locks;
using namespace std::chrono_literals;
using test::Kind;
using test::owner;
using test::RecordedState;

namespace {

const QByteArray timeoutOfB = "{L}:<B>:36:rwlock_timeout:1";

using Attempt = test::Running<Result<LockAttempt>>;

enum class Ending { Unlock, Force };

}  // namespace

// The messages that waiting Redisson clients get when our client releases or breaks a lock: each on the channel of
// its waiter, and no others. Includes cases in which Lockkeeper deliberately does better than Redisson.
class TestFixtureWaiters : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { QVERIFY(m_server.start()); }
    void init() {
        m_server.cli({"FLUSHALL"});
        m_mine = connectedClient();
        m_other = connectedClient();
        QTRY_VERIFY(m_mine->connections().isReady({}) && m_other->connections().isReady({}));
        m_wiretap = std::make_unique<test::Wiretap>(m_server, m_clock);
    }
    void cleanup() {
        m_wiretap.reset();
        m_mine.reset();
        m_other.reset();
    }

    void foreignWaitersAreTold_data() {
        QTest::addColumn<Kind>("kind");
        QTest::addColumn<Ending>("ending");
        QTest::addColumn<QByteArray>("beside");  // what foreign clients add to the lock that our client holds
        QTest::addColumn<QStringList>("messages");
        const QByteArray queued =
            "RPUSH redisson_lock_queue:{L} <B>:36 <A>:34\n"
            "ZADD redisson_lock_timeout:{L} 99999999999999 <B>:36 99999999999999 <A>:34";
        const QByteArray afterADeadOne =
            "RPUSH redisson_lock_queue:{L} <B>:36 <A>:34\n"
            "ZADD redisson_lock_timeout:{L} 1700000000000 <B>:36 99999999999999 <A>:34";
        const QByteArray reader = "HSET L <B>:36 1\nSET " + timeoutOfB + " 1 PX 60000";
        const QByteArray deadReader = "HSET L <B>:36 1";
        const QStringList one{"redisson_lock__channel:{L} 0"};
        const QStringList head{"redisson_lock__channel:{L}:<B>:36 0"};
        const QStringList second{"redisson_lock__channel:{L}:<A>:34 0"};
        const QStringList readers{"redisson_rwlock:{L} 0"};
        const QStringList all{"redisson_rwlock:{L} 1"};
        const QStringList nobody;
        const QByteArray nothing;
        QTest::newRow("reentrant") << Kind::Reentrant << Ending::Unlock << nothing << one;
        QTest::newRow("reentrant, forced") << Kind::Reentrant << Ending::Force << nothing << one;
        QTest::newRow("fenced") << Kind::Fenced << Ending::Unlock << nothing << one;
        QTest::newRow("fenced, forced") << Kind::Fenced << Ending::Force << nothing << one;
        QTest::newRow("spin") << Kind::Spin << Ending::Unlock << nothing << nobody;
        QTest::newRow("spin, forced") << Kind::Spin << Ending::Force << nothing << nobody;
        QTest::newRow("fair, nobody waits") << Kind::Fair << Ending::Unlock << nothing << nobody;
        QTest::newRow("fair, nobody waits, forced") << Kind::Fair << Ending::Force << nothing << nobody;
        QTest::newRow("fair") << Kind::Fair << Ending::Unlock << queued << head;
        QTest::newRow("fair, forced") << Kind::Fair << Ending::Force << queued << head;
        QTest::newRow("fair, the head is dead") << Kind::Fair << Ending::Unlock << afterADeadOne << second;
        QTest::newRow("fair, the head is dead, forced") << Kind::Fair << Ending::Force << afterADeadOne << second;
        QTest::newRow("read") << Kind::Read << Ending::Unlock << nothing << readers;
        QTest::newRow("read, forced") << Kind::Read << Ending::Force << nothing << readers;
        QTest::newRow("read, another reads on") << Kind::Read << Ending::Unlock << reader << nobody;
        QTest::newRow("read, another reads on, forced") << Kind::Read << Ending::Force << reader << readers;
        QTest::newRow("read, another is dead") << Kind::Read << Ending::Unlock << deadReader << readers;
        QTest::newRow("write") << Kind::Write << Ending::Unlock << nothing << all;
        QTest::newRow("write, forced") << Kind::Write << Ending::Force << nothing << all;
    }
    void foreignWaitersAreTold() {
        QFETCH(Kind, kind);
        QFETCH(Ending, ending);
        QFETCH(QByteArray, beside);
        QFETCH(QStringList, messages);
        const Lock lock = lockOf(*m_mine, kind);
        take(lock);
        if (!beside.isEmpty())
            together(beside);
        QCOMPARE(m_wiretap->takeMessages(), QStringList());
        if (ending == Ending::Unlock)
            QCOMPARE(test::waitFor(lock.unlock(owner)).value(), ReleaseOutcome::Free);
        else
            QCOMPARE(test::waitFor(lock.forceUnlock()).value(), true);
        QCOMPARE(m_wiretap->takeMessages(), withUuids(messages));
    }

    // The unlock of the foreign holder then finds nothing and fails, as after any force.
    void aForeignHolderThatIsForcedLosesItsLockAlone_data() {
        QTest::addColumn<QString>("file");
        QTest::addColumn<QString>("step");
        QTest::addColumn<Kind>("kind");
        QTest::addColumn<QString>("name");
        QTest::addColumn<QStringList>("left");
        QTest::addColumn<QStringList>("messages");
        QTest::newRow("reentrant") << "reentrant.json"
                                   << "A.lock L again" << Kind::Reentrant << "L" << QStringList()
                                   << QStringList{"redisson_lock__channel:{L} 0"};
        QTest::newRow("fenced keeps its token")
            << "fenced.json"
            << "A.lock again" << Kind::Fenced << "N" << QStringList{"redisson_lock_token:{N} 2"}
            << QStringList{"redisson_lock__channel:{N} 0"};
        QTest::newRow("spin") << "spin.json"
                              << "A.lock P again" << Kind::Spin << "P" << QStringList() << QStringList();
        QTest::newRow("write") << "readwrite.json"
                               << "C.writeLock W again" << Kind::Write << "W" << QStringList()
                               << QStringList{"redisson_rwlock:{W} 1"};
        // Redisson leaves {W}:<A>:33:rwlock_timeout:1 and similar keys; nothing reads them, and they expire.
        QTest::newRow("read, without its readers' timeout keys")
            << "readwrite.json"
            << "B.readLock W" << Kind::Read << "W" << QStringList() << QStringList{"redisson_rwlock:{W} 0"};
        QTest::newRow("write, without its own readings' timeout keys")
            << "readwrite.json"
            << "C.readLock W under its write lock" << Kind::Write << "W" << QStringList()
            << QStringList{"redisson_rwlock:{W} 1"};
    }
    void aForeignHolderThatIsForcedLosesItsLockAlone() {
        QFETCH(QString, file);
        QFETCH(QString, step);
        QFETCH(Kind, kind);
        QFETCH(QString, name);
        QFETCH(QStringList, left);
        QFETCH(QStringList, messages);
        RecordedState(file, step).writeTo(m_server, 60s, 300s);
        const Lock lock = test::lockOf(*m_mine, kind, LockName(name.toUtf8()));
        QCOMPARE(test::waitFor(lock.forceUnlock()).value(), true);
        QCOMPARE(m_hand.state(), left);
        QCOMPARE(m_wiretap->takeMessages(), messages);
    }

    void aForceInTheOtherModeChangesNothing_data() {
        QTest::addColumn<QString>("step");
        QTest::addColumn<Kind>("kind");
        QTest::newRow("readers, forced as a writer") << "B.readLock W" << Kind::Write;
        QTest::newRow("a writer, forced as a reader") << "C.readLock W under its write lock" << Kind::Read;
    }
    void aForceInTheOtherModeChangesNothing() {
        QFETCH(QString, step);
        QFETCH(Kind, kind);
        RecordedState("readwrite.json", step).writeTo(m_server, 60s, 300s);
        const QStringList before = m_hand.state();
        QCOMPARE(test::waitFor(test::lockOf(*m_mine, kind, LockName("W")).forceUnlock()).value(), false);
        QCOMPARE(m_hand.state(), before);
        QCOMPARE(m_wiretap->takeMessages(), QStringList());
    }

    // ---- leaving the queue ----

    // Redisson sends no message: the next waiter would sleep beside a free lock until its next attempt.
    void aPlaceGivenUpBesideAFreeLockWakesTheNext() {
        together("HSET L <A>:33 1\nPEXPIRE L 60000");
        std::stop_source stop;
        const Attempt waiting = test::start(
            lockOf(*m_mine, Kind::Fair).tryLock(owner, Deadline::never(m_clock), std::nullopt, stop.get_token()));
        QTRY_COMPARE(m_server.cli({"LLEN", "redisson_lock_queue:{L}"}), "1");
        together(
            "RPUSH redisson_lock_queue:{L} <B>:36\n"
            "ZADD redisson_lock_timeout:{L} 99999999999999 <B>:36\n"
            "DEL L");  // by hand: nothing is published
        QCOMPARE(m_wiretap->takeMessages(), QStringList());
        stop.request_stop();
        QTRY_COMPARE(m_server.cli({"LLEN", "redisson_lock_queue:{L}"}), "1");
        QCOMPARE(m_wiretap->takeMessages(), withUuids({"redisson_lock__channel:{L}:<B>:36 0"}));
    }

    void aPlaceGivenUpBesideAHeldLockWakesNobody() {
        together("HSET L <A>:33 1\nPEXPIRE L 60000");
        const Lock fair = lockOf(*m_mine, Kind::Fair);
        QVERIFY(!test::waitFor(fair.tryLock(owner, Deadline::in(m_clock, 100ms))).value().acquired());
        QCOMPARE(m_server.cli({"EXISTS", "redisson_lock_queue:{L}", "redisson_lock_timeout:{L}"}), "0");
        QCOMPARE(m_wiretap->takeMessages(), QStringList());
    }

    // ---- a writer that keeps its read lock ----

    // Redisson publishes nothing then, and readers sleep although they may share the lock. A Redisson client that is
    // woken tries again, and finds the lock open to readers or still held, as after any other message.
    void ourDowngradeWakesReaders() {
        take(lockOf(*m_mine, Kind::Write));
        take(lockOf(*m_mine, Kind::Read));
        const Attempt reader = asleep(Kind::Read);
        QCOMPARE(test::waitFor(lockOf(*m_mine, Kind::Write).unlock(owner)).value(), ReleaseOutcome::Free);
        QCOMPARE(m_wiretap->takeMessages(), QStringList{"redisson_rwlock:{L} 1"});
        QTRY_VERIFY_WITH_TIMEOUT(reader->has_value(), 2000);
        QVERIFY((*reader)->value().acquired());
        QCOMPARE(m_server.cli({"HGET", "L", "mode"}), "read");
    }

    void ourDowngradeLeavesWritersWaiting() {
        take(lockOf(*m_mine, Kind::Write));
        take(lockOf(*m_mine, Kind::Read));
        const Attempt writer = asleep(Kind::Write);
        QCOMPARE(test::waitFor(lockOf(*m_mine, Kind::Write).unlock(owner)).value(), ReleaseOutcome::Free);
        QVERIFY(test::isAnswered(*m_other) && test::isAnswered(*m_other));
        QVERIFY(!writer->has_value());
        QCOMPARE(test::waitFor(lockOf(*m_mine, Kind::Read).unlock(owner)).value(), ReleaseOutcome::Free);
        QTRY_VERIFY_WITH_TIMEOUT(writer->has_value(), 2000);
        QVERIFY((*writer)->value().acquired());
    }

    // A Redisson client's downgrade is not published: our reader tries again when the TTL that it has read is over.
    void aForeignDowngradeIsNoticedWhenTheToldTimeIsOver() {
        together("HSET L mode write <B>:36:write 1 <B>:36 1\nPEXPIRE L 600\nSET " + timeoutOfB + " 1 PX 60000");
        const Attempt reader = asleep(Kind::Read);
        together("HSET L mode read\nHDEL L <B>:36:write\nPEXPIRE L 60000");
        QVERIFY(!reader->has_value());
        QTRY_VERIFY_WITH_TIMEOUT(reader->has_value(), 2000);
        QVERIFY((*reader)->value().acquired());
        QCOMPARE(m_server.cli({"HGET", "L", QString::fromUtf8("bbbbbbbb-1111-4222-8333-444444444444:36")}), "1");
    }

private:
    [[nodiscard]] std::unique_ptr<LockClient> connectedClient() {
        auto client = std::make_unique<LockClient>(m_server.options(), m_clock);
        client->open();
        return client;
    }
    static Lock lockOf(LockClient& client, Kind kind) { return test::lockOf(client, kind, LockName("L")); }
    void take(const Lock& lock) {
        QVERIFY(test::waitFor(lock.tryLock(owner, Deadline::in(m_clock, 0ms))).value().acquired());
    }
    // A call of the other client that has reached its sleep.
    Attempt asleep(Kind kind) {
        const Attempt waiting = test::start(lockOf(*m_other, kind).tryLock(owner, Deadline::never(m_clock)));
        [&] { QTRY_COMPARE(m_server.cli({"PUBSUB", "CHANNELS"}), "redisson_rwlock:{L}"); }();
        [&] { QVERIFY(test::fallsAsleep(kind, m_server, *m_other)); }();
        return waiting;
    }
    void together(const QByteArray& commands) {
        m_hand.together(RecordedState::withUuids(QString::fromUtf8(commands)).toUtf8());
    }
    static QStringList withUuids(QStringList lines) {
        for (QString& line : lines)
            line = RecordedState::withUuids(line);
        return lines;
    }

    SystemClock m_clock;
    test::RedisServer m_server;
    test::ServerHand m_hand{m_server};
    std::unique_ptr<LockClient> m_mine;
    std::unique_ptr<LockClient> m_other;
    std::unique_ptr<test::Wiretap> m_wiretap;
};

LOCKKEEPER_TEST(TestFixtureWaiters, Guiless)

}  // namespace tst_fixturewaiters

#include "tst_fixturewaiters.moc"
