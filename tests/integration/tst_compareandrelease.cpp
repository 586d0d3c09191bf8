// SPDX-License-Identifier: Apache-2.0
#include "base/systemclock.h"
#include "control/compareandrelease.h"
#include "control/consolecause.h"
#include "monitor/observe/read/lockreader.h"
#include "redis/sockettransport.h"
#include "support/redisserver.h"
#include "support/taskwait.h"
#include "support/testprogram.h"

#include <QDateTime>
#include <QSignalSpy>
#include <QTest>

namespace tst_compareandrelease {

using namespace lockkeeper;
using namespace lockkeeper::control;
using namespace lockkeeper::monitor;
using namespace std::chrono_literals;

namespace {

const QByteArray uuidA = "0ae6d8e3-41d2-4a0e-9c76-0a4f3c1f6f10";
const QByteArray uuidB = "b1f7d9a4-52e3-4b1f-8d87-1b5a4d2a7a21";
const QString idA = QString::fromLatin1(uuidA) + ":33";
const QString idB = QString::fromLatin1(uuidB) + ":36";

Holder holder(const QByteArray& uuid, qint64 thread, HoldMode mode, qint64 count) {
    Holder made;
    made.id = HolderId(ClientId(uuid), ThreadId{thread});
    made.mode = mode;
    made.count = count;
    return made;
}

LockSnapshot lock(LockKind kind, QList<Holder> holders) {
    LockSnapshot made;
    made.name = LockName("L");
    made.kind = kind;
    made.holders = std::move(holders);
    return made;
}

}  // namespace

// Breaking a lock on a real server: only in the confirmed state, with the right message to the right waiters.
class TestCompareAndRelease : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() {
        QVERIFY(m_server.start());
        connectAs(redis::AccessMode::ReadWrite);
        m_listener = std::make_unique<redis::Connection>(m_server.options(),
                                                         m_shards.transports(topology::OneShard::id), m_clock);
        m_listener->open();
        QTRY_VERIFY(m_listener->isReady());
        m_messages.clear();
        connect(m_listener.get(), &redis::Connection::pushReceived, this, [this](const redis::RespValue& push) {
            if (push.items.front().bytes == "pmessage")
                m_messages += QString::fromUtf8(push.items[2].bytes + " " + push.items[3].bytes);
        });
        const auto subscribed = m_listener->send(redis::Command("PSUBSCRIBE").arg("*"));
        QTRY_VERIFY(subscribed.isCompleted());
    }
    void cleanup() {
        m_connections.reset();
        m_listener.reset();
        m_server.stop();
    }

    void breaksWhatWasConfirmedAndWakesItsWaiters() {
        m_server.cli({"HSET", "L", idA, "2"});
        QCOMPARE(breakLock(lock(LockKind::Reentrant, {holder(uuidA, 33, HoldMode::Exclusive, 2)})).value(),
                 BreakOutcome::Broken);
        QCOMPARE(m_server.cli({"EXISTS", "L"}), "0");
        QTRY_COMPARE(m_messages, QStringList("redisson_lock__channel:{L} 0"));
    }

    void changesNothingWhenTheLockIsNotAsConfirmed_data() {
        QTest::addColumn<QStringList>("fields");
        QTest::newRow("another holder") << QStringList{idB, "2"};
        QTest::newRow("another count") << QStringList{idA, "3"};
        QTest::newRow("a second field") << QStringList{idA, "2", idB, "1"};
        QTest::newRow("now a read lock") << QStringList{idA, "2", "mode", "read"};
    }
    void changesNothingWhenTheLockIsNotAsConfirmed() {
        QFETCH(QStringList, fields);
        m_server.cli(QStringList{"HSET", "L"} + fields);
        const QString before = m_server.cli({"HGETALL", "L"});
        QCOMPARE(breakLock(lock(LockKind::Reentrant, {holder(uuidA, 33, HoldMode::Exclusive, 2)})).value(),
                 BreakOutcome::Changed);
        QCOMPARE(m_server.cli({"HGETALL", "L"}), before);
        m_server.cli({"PUBLISH", "probe", "end"});
        QTRY_COMPARE(m_messages, QStringList("probe end"));  // no message before it
    }

    void aKeyOfAnotherTypeIsAChange() {
        m_server.cli({"SET", "L", "text"});
        QCOMPARE(breakLock(lock(LockKind::Reentrant, {holder(uuidA, 33, HoldMode::Exclusive, 1)})).value(),
                 BreakOutcome::Changed);
        QCOMPARE(m_server.cli({"GET", "L"}), "text");
    }

    void aFreeLockIsSaidToBeFree() {
        QCOMPARE(breakLock(lock(LockKind::Reentrant, {holder(uuidA, 33, HoldMode::Exclusive, 1)})).value(),
                 BreakOutcome::AlreadyFree);
    }

    void breaksTheLockOfAnotherProgramByItsExactFields_data() {
        QTest::addColumn<QStringList>("fields");
        QTest::addColumn<QString>("message");
        const QString plain = QStringLiteral("redisson_lock__channel:{L} 0");
        const QString shared = QStringLiteral("redisson_rwlock:{L} 0");
        QTest::newRow("a word and a number") << QStringList{"svc:1", "1"} << plain;
        QTest::newRow("two UUIDs") << QStringList{uuidA + ':' + uuidB, "2"} << plain;
        QTest::newRow("readers with words") << QStringList{"mode", "read", "svc:1", "1", "svc:2", "3"} << shared;
        QTest::newRow("a mode of its own") << QStringList{"mode", "read-write", idA, "1"} << shared;
    }
    void breaksTheLockOfAnotherProgramByItsExactFields() {
        QFETCH(const QStringList, fields);
        m_server.cli(QStringList{"HSET", "L"} + fields);
        m_server.cli({"PEXPIRE", "L", "60000"});
        const LockSnapshot confirmed = lockAsRead();
        QVERIFY(confirmed.isOfOtherProgram());
        m_server.cli({"HINCRBY", "L", fields[fields.size() - 2], "1"});
        QCOMPARE(breakLock(confirmed).value(), BreakOutcome::Changed);
        m_server.cli({"HINCRBY", "L", fields[fields.size() - 2], "-1"});
        m_server.cli({"HSET", "L", "svc:9", "1"});
        QCOMPARE(breakLock(confirmed).value(), BreakOutcome::Changed);
        m_server.cli({"HDEL", "L", "svc:9"});
        QCOMPARE(breakLock(confirmed).value(), BreakOutcome::Broken);
        QCOMPARE(m_server.cli({"EXISTS", "L"}), "0");
        QTRY_COMPARE(m_messages.size(), 1);
        QTEST(m_messages.first(), "message");
    }

    void isNotPutInQuarantineIfAnotherProgramHasIt() {
        m_server.cli({"HSET", "L", "svc:1", "1"});
        m_server.cli({"PEXPIRE", "L", "60000"});
        LockChange quarantine;
        quarantine.kind = ChangeKind::Quarantine;
        quarantine.time = 10s;
        quarantine.newHolder = *HolderId::parse(idB.toLatin1());
        QCOMPARE(apply(lockAsRead(), quarantine).error().cause, ConsoleCause::UnknownKindToBreak);
        QCOMPARE(m_server.cli({"HGET", "L", "svc:1"}), "1");
    }

    // ---- permits ----

    void givesBackAPermitWhoseLeaseIsOver() {
        m_server.cli({"SET", "pool", "0"});
        m_server.cli(
            {"ZADD", "{pool}:timeout", "1700000300123", "a-permit-of-16-b", "99999999999999", "another-16-bytes"});
        QCOMPARE(giveBack("a-permit-of-16-b", 1700000300123ms).value(), BreakOutcome::Broken);
        QCOMPARE(m_server.cli({"GET", "pool"}), "1");
        QCOMPARE(m_server.cli({"ZRANGE", "{pool}:timeout", "0", "-1"}), "another-16-bytes");
        QTRY_COMPARE(m_messages, QStringList("redisson_sc:{pool} 1"));
        QCOMPARE(giveBack("a-permit-of-16-b", 1700000300123ms).value(), BreakOutcome::AlreadyFree);
        QCOMPARE(m_server.cli({"GET", "pool"}), "1");
    }

    void keepsAPermitThatIsNotAsConfirmed_data() {
        QTest::addColumn<QString>("score");
        QTest::addColumn<QString>("free");
        QTest::addColumn<qint64>("seen");
        QTest::newRow("prolonged since") << "99999999999999"
                                         << "0" << qint64{1700000300123};
        QTest::newRow("not over") << "9000000000000"
                                  << "0" << qint64{9000000000000};
        QTest::newRow("another lease, over too") << "1700000300124"
                                                 << "0" << qint64{1700000300123};
        QTest::newRow("no semaphore") << "1700000300123" << QString() << qint64{1700000300123};
    }
    void keepsAPermitThatIsNotAsConfirmed() {
        QFETCH(const QString, score);
        QFETCH(const QString, free);
        QFETCH(const qint64, seen);
        if (!free.isEmpty())
            m_server.cli({"SET", "pool", free});
        m_server.cli({"ZADD", "{pool}:timeout", score, "a-permit-of-16-b"});
        QCOMPARE(giveBack("a-permit-of-16-b", Milliseconds(seen)).value(), BreakOutcome::Changed);
        QCOMPARE(m_server.cli({"GET", "pool"}), free);
        QCOMPARE(m_server.cli({"ZCARD", "{pool}:timeout"}), "1");
    }

    void wakesTheHeadOfAFairQueueOnly() {
        m_server.cli({"HSET", "L", idA, "1"});
        m_server.cli({"RPUSH", "redisson_lock_queue:{L}", idB, idA});
        m_server.cli({"ZADD", "redisson_lock_timeout:{L}", "99999999999999", idB, "99999999999999", idA});
        QCOMPARE(breakLock(lock(LockKind::Fair, {holder(uuidA, 33, HoldMode::Exclusive, 1)})).value(),
                 BreakOutcome::Broken);
        QTRY_COMPARE(m_messages, QStringList("redisson_lock__channel:{L}:" + idB + " 0"));
        QCOMPARE(m_server.cli({"LLEN", "redisson_lock_queue:{L}"}), "2");
    }

    void passesOverDeadWaitersAtTheHead() {
        m_server.cli({"HSET", "L", idA, "1"});
        m_server.cli({"RPUSH", "redisson_lock_queue:{L}", idB, idA});
        m_server.cli({"ZADD", "redisson_lock_timeout:{L}", "1000", idB, "99999999999999", idA});
        QCOMPARE(breakLock(lock(LockKind::Fair, {holder(uuidA, 33, HoldMode::Exclusive, 1)})).value(),
                 BreakOutcome::Broken);
        QTRY_COMPARE(m_messages, QStringList("redisson_lock__channel:{L}:" + idA + " 0"));
        QCOMPARE(m_server.cli({"LRANGE", "redisson_lock_queue:{L}", "0", "-1"}), idA);
        QCOMPARE(m_server.cli({"ZCARD", "redisson_lock_timeout:{L}"}), "1");
    }

    // The clock of the head's JVM may be behind.
    void wakesTheNextOneTooIfTheHeadsDeadlineHasJustPassed() {
        const QString deadline = QString::number(QDateTime::currentMSecsSinceEpoch() - 9000);
        m_server.cli({"HSET", "L", idA, "1"});
        m_server.cli({"RPUSH", "redisson_lock_queue:{L}", idB, idA});
        m_server.cli({"ZADD", "redisson_lock_timeout:{L}", deadline, idB, "99999999999999", idA});
        QCOMPARE(breakLock(lock(LockKind::Fair, {holder(uuidA, 33, HoldMode::Exclusive, 1)})).value(),
                 BreakOutcome::Broken);
        QTRY_COMPARE(m_messages, (QStringList{"redisson_lock__channel:{L}:" + idB + " 0",
                                              "redisson_lock__channel:{L}:" + idA + " 0"}));
        QCOMPARE(m_server.cli({"LLEN", "redisson_lock_queue:{L}"}), "2");
    }

    // As Redisson before 3.52 with a NameMapper: the queue has the unmapped name, the channels the mapped one. A star
    // in the name is no pattern.
    void wakesTheWaitersOfAQueueWithAnotherName_data() {
        QTest::addColumn<QStringList>("ownQueue");
        QTest::addColumn<QStringList>("woken");
        const QString channel = "redisson_lock__channel:{p:L[a*]}";
        QTest::newRow("it is the only queue")
            << QStringList() << QStringList{channel + " 0", channel + ':' + idB + " 0"};
        QTest::newRow("newer clients have the other one")
            << QStringList{idA} << QStringList{channel + ':' + idA + " 0", channel + ':' + idB + " 0"};
    }
    void wakesTheWaitersOfAQueueWithAnotherName() {
        QFETCH(QStringList, ownQueue);
        QFETCH(QStringList, woken);
        m_server.cli({"HSET", "p:L[a*]", idA, "1"});
        m_server.cli({"RPUSH", "redisson_lock_queue:{L[a*]}", idB});
        m_server.cli({"ZADD", "redisson_lock_timeout:{L[a*]}", "99999999999999", idB});
        for (const QString& waiter : ownQueue) {
            m_server.cli({"RPUSH", "redisson_lock_queue:{p:L[a*]}", waiter});
            m_server.cli({"ZADD", "redisson_lock_timeout:{p:L[a*]}", "99999999999999", waiter});
        }
        for (const QByteArray& name :
             {QByteArray("{p:L[a*]}:") + idB.toLatin1(), QByteArray("{p:La}:") + idB.toLatin1()}) {
            const auto subscribed = m_listener->send(redis::Command("SUBSCRIBE").arg("redisson_lock__channel:" + name));
            QTRY_VERIFY(subscribed.isCompleted());
        }
        LockSnapshot held = lock(LockKind::Fair, {holder(uuidA, 33, HoldMode::Exclusive, 1)});
        held.name = LockName("p:L[a*]");
        QCOMPARE(breakLock(held).value(), BreakOutcome::Broken);
        QTRY_COMPARE(m_messages, woken);
        QCOMPARE(m_server.cli({"LLEN", "redisson_lock_queue:{L[a*]}"}), "1");
    }

    // Readers that were not read cannot be compared.
    void refusesIfNotAllReadersWereRead() {
        m_server.cli({"HSET", "L", "mode", "read", idA, "1"});
        LockSnapshot cut = lock(LockKind::ReadWrite, {holder(uuidA, 33, HoldMode::Read, 1)});
        LockParts parts;
        parts.moreHolders = 1499;
        cut.parts = std::make_shared<const LockParts>(parts);
        const Result<BreakOutcome> refused = breakLock(cut);
        QVERIFY(!refused);
        QCOMPARE(refused.error().code, ErrorCode::InvalidArgument);
        QCOMPARE(refused.error().cause, ConsoleCause::TooManyReaders);
        QCOMPARE(refused.error().arguments, QStringList{"1500"});
        QCOMPARE(m_server.cli({"HLEN", "L"}), "2");
    }

    void removesTheReadersLeftOverKeys() {
        m_server.cli({"HSET", "L", "mode", "read", idA, "2", idB, "1"});
        for (const QString& key : {"{L}:" + idA + ":rwlock_timeout:1", "{L}:" + idA + ":rwlock_timeout:2",
                                   "{L}:" + idB + ":rwlock_timeout:1"})
            m_server.cli({"SET", key, "1", "PX", "30000"});
        const LockSnapshot readers =
            lock(LockKind::ReadWrite, {holder(uuidA, 33, HoldMode::Read, 2), holder(uuidB, 36, HoldMode::Read, 1)});
        QCOMPARE(breakLock(readers).value(), BreakOutcome::Broken);
        QTRY_COMPARE(m_messages, QStringList("redisson_rwlock:{L} 0"));
        QCOMPARE(m_server.cli({"DBSIZE"}), "0");
    }

    void aWriterThatAlsoReadsIsBrokenWholeAndWakesAll() {
        m_server.cli({"HSET", "L", "mode", "write", idA + ":write", "1", idA, "1"});
        m_server.cli({"SET", "{L}:" + idA + ":rwlock_timeout:1", "1", "PX", "30000"});
        const LockSnapshot writer =
            lock(LockKind::ReadWrite, {holder(uuidA, 33, HoldMode::Write, 1), holder(uuidA, 33, HoldMode::Read, 1)});
        QCOMPARE(breakLock(writer).value(), BreakOutcome::Broken);
        QTRY_COMPARE(m_messages, QStringList("redisson_rwlock:{L} 1"));
        QCOMPARE(m_server.cli({"DBSIZE"}), "0");
    }

    void aTransactionIsBrokenWithItsReadersKeys() {
        const QByteArray transaction = "00112233445566778899aabbccddeeff";
        const QString field = idA + ':' + QString::fromLatin1(transaction);
        const QString timeout = "{L}:" + field + ":rwlock_timeout:1";
        m_server.cli({"HSET", "L", "mode", "read", field, "1"});
        m_server.cli({"SET", timeout, "1"});
        Holder reader = holder(uuidA, 33, HoldMode::Read, 1);
        QCOMPARE(breakLock(lock(LockKind::ReadWrite, {reader})).value(), BreakOutcome::Changed);
        reader.transaction = transaction;
        QCOMPARE(breakLock(lock(LockKind::ReadWrite, {reader})).value(), BreakOutcome::Broken);
        QCOMPARE(m_server.cli({"EXISTS", "L", timeout}), "0");
        QTRY_COMPARE(m_messages, QStringList("redisson_rwlock:{L} 0"));
    }

    void anotherTokenIsAnotherHold() {
        m_server.cli({"HSET", "L", idA, "1"});
        m_server.cli({"SET", "redisson_lock_token:{L}", "8"});
        LockSnapshot fenced = lock(LockKind::Fenced, {holder(uuidA, 33, HoldMode::Exclusive, 1)});
        fenced.token = 7;
        QCOMPARE(breakLock(fenced).value(), BreakOutcome::Changed);
        fenced.token = 8;
        QCOMPARE(breakLock(fenced).value(), BreakOutcome::Broken);
        QCOMPARE(m_server.cli({"GET", "redisson_lock_token:{L}"}), "8");  // the token survives a force
    }

    void doesNotBreakWhatItCannotTakeApart() {
        QCOMPARE(breakLock(lock(LockKind::Reentrant, {})).error().code, ErrorCode::InvalidArgument);
        for (const LockKind kind : {LockKind::Unknown, LockKind::FasterMulti}) {
            const LockSnapshot foreign = lock(kind, {holder(uuidA, 33, HoldMode::Exclusive, 1)});
            QCOMPARE(breakLock(foreign).error().code, ErrorCode::InvalidArgument);
        }
    }

    void cannotLeaveAReadOnlyConnection() {
        m_server.cli({"HSET", "L", idA, "1"});
        connectAs(redis::AccessMode::ReadOnly);
        QCOMPARE(breakLock(lock(LockKind::Reentrant, {holder(uuidA, 33, HoldMode::Exclusive, 1)})).error().code,
                 ErrorCode::NotPermitted);
        QCOMPARE(m_server.cli({"EXISTS", "L"}), "1");
    }

    void aLostAnswerIsAnUnknownOutcome() {
        m_server.cli({"HSET", "L", idA, "1"});
        m_server.stop();
        QVERIFY(m_server.start());
        QTRY_VERIFY(m_connections->isReady({}));
        // The server hangs while the command is unanswered, and is killed before it answers.
        m_server.freeze();
        const auto running = test::start(compareAndRelease(
            m_connections.get(), lock(LockKind::Reentrant, {holder(uuidA, 33, HoldMode::Exclusive, 1)}),
            Deadline::in(m_clock, 5s)));
        QCoreApplication::processEvents();  // sends the command
        m_server.kill();
        QTRY_VERIFY(running->has_value());
        QCOMPARE((*running)->error().code, ErrorCode::OutcomeUnknown);
    }

private:
    void connectAs(redis::AccessMode access) {
        redis::ConnectionOptions options = m_server.options();
        options.access = access;
        m_connections = std::make_unique<topology::ShardConnections>(options, m_shards, m_clock);
        m_connections->open();
        QTRY_VERIFY(m_connections->isReady({}));
    }

    Result<BreakOutcome> breakLock(const LockSnapshot& confirmed) {
        return test::waitFor(compareAndRelease(m_connections.get(), confirmed, Deadline::in(m_clock, 5s)));
    }

    Result<BreakOutcome> apply(const LockSnapshot& confirmed, const LockChange& change) {
        return test::waitFor(applyChange(m_connections.get(), confirmed, change, Deadline::in(m_clock, 5s)));
    }

    Result<BreakOutcome> giveBack(const QByteArray& permit, Milliseconds ends) {
        LockSnapshot pool;
        pool.name = LockName("pool");
        LockChange change;
        change.kind = ChangeKind::GiveBackPermit;
        change.permit = PermitLease{permit, WallTime(ends)};
        return apply(pool, change);
    }

    // As the monitor reads it.
    LockSnapshot lockAsRead() {
        Denials denials;
        LockReader reader(*m_listener, denials);
        const Completion<LockReading> read = reader.read(LockName("L"));
        std::optional<LockReading> answer;
        read.then([&answer](const Result<LockReading>& reading) {
            if (reading)
                answer = *reading;
        });
        const bool isRead = QTest::qWaitFor([&answer] { return answer.has_value(); });
        const auto* found = isRead ? std::get_if<LockSnapshot>(&*answer) : nullptr;
        return found ? *found : LockSnapshot();
    }

    test::RedisServer m_server;
    SystemClock m_clock;
    topology::OneShard m_shards{
        [endpoint = m_server.options().endpoint] { return redis::makeSocketTransport(endpoint); }};
    std::unique_ptr<topology::ShardConnections> m_connections;
    std::unique_ptr<redis::Connection> m_listener;
    QStringList m_messages;
};

LOCKKEEPER_TEST(TestCompareAndRelease, Guiless)

}  // namespace tst_compareandrelease

#include "tst_compareandrelease.moc"
