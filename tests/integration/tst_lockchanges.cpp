// SPDX-License-Identifier: Apache-2.0
#include "base/systemclock.h"
#include "control/compareandrelease.h"
#include "control/plannedcommands.h"
#include "redis/sockettransport.h"
#include "support/locksnapshots.h"
#include "support/redisserver.h"
#include "support/serverhand.h"
#include "support/taskwait.h"
#include "support/testprogram.h"

#include <QDateTime>
#include <QLocalSocket>
#include <QRegularExpression>
#include <QTest>

namespace tst_lockchanges {

using namespace lockkeeper;
using namespace lockkeeper::control;
using namespace lockkeeper::monitor;
using namespace lockkeeper::test;
using namespace std::chrono_literals;

namespace {

const QString queueKey = QStringLiteral("redisson_lock_queue:{L}");
const QString deadlineKey = QStringLiteral("redisson_lock_timeout:{L}");
const HolderId dave(ClientId("d1d2d3d4-b1b2-c1c2-d1d2-e1e2e3e4e5e6"), ThreadId{40});
const QByteArray channel = "redisson_lock__channel:{L}";

LockChange changeOf(ChangeKind kind, Milliseconds time = {}) {
    LockChange change;
    change.kind = kind;
    change.time = time;
    return change;
}

LockChange releaseOf(const Holder& holder) {
    LockChange change = changeOf(ChangeKind::ReleaseReader);
    change.reader = holder;
    return change;
}

LockChange removalOfWaiter(const HolderId& waiter, std::optional<WallTime> deadline) {
    LockChange change = changeOf(ChangeKind::RemoveWaiter);
    change.waiter = FairWaiter{waiter, deadline};
    return change;
}

LockChange releaseOfValues(const HolderId& holder) {
    LockChange change = changeOf(ChangeKind::ReleaseHolder);
    change.holder = holder;
    return change;
}

// As Redisson writes one value of a faster multi lock.
QStringList valueFields(const HeldValue& held) {
    const QString part = QString::fromLatin1(held.value) + u':' + held.owner.display();
    return {QString::fromLatin1(held.value),
            held.owner.display(),
            part + ":expire_time",
            "1700000300123",
            part + ":lock_count",
            QString::number(held.count)};
}

LockChange quarantineBy(const HolderId& holder, Milliseconds time) {
    LockChange change = changeOf(ChangeKind::Quarantine, time);
    change.newHolder = holder;
    return change;
}

LockChange quarantineOfValues(const HolderId& holder, const HolderId& by, Milliseconds time) {
    LockChange change = changeOf(ChangeKind::QuarantineHolder, time);
    change.holder = holder;
    change.newHolder = by;
    return change;
}

// A line of MONITOR as the command and its arguments.
QByteArrayList commandIn(const QString& line) {
    static const QRegularExpression word(QStringLiteral("\"([^\"]*)\""));
    QByteArrayList command;
    for (const QRegularExpressionMatch& match : word.globalMatch(line))
        command += match.captured(1).toUtf8();
    if (!command.isEmpty())
        command.front() = command.front().toUpper();
    return command;
}

bool changesSomething(const QByteArrayList& command) {
    static const QByteArrayList words{"DEL", "HSET", "HDEL", "PEXPIRE", "ZREM", "LPOP", "LREM", "PUBLISH", "SPUBLISH"};
    return !command.isEmpty() && words.contains(command.front());
}

// In a plan, arguments that the script computes are empty.
QList<QByteArrayList> withoutComputed(QList<QByteArrayList> commands, const QList<QByteArrayList>& plan) {
    for (qsizetype i = 0; i < std::min(commands.size(), plan.size()); ++i) {
        for (qsizetype word = 0; word < std::min(commands[i].size(), plan[i].size()); ++word) {
            if (plan[i][word].isEmpty())
                commands[i][word].clear();
        }
    }
    return commands;
}

QString inLines(const QList<QByteArrayList>& commands) {
    QStringList lines;
    for (const QByteArrayList& command : commands)
        lines += QString::fromUtf8(command.join(' '));
    return lines.join(QLatin1Char('\n'));
}

}  // namespace

// What an operator can do to a lock of others besides breaking it whole, on a real server. Each test also compares the
// commands that the server executed for the script with those that the program had announced.
class TestLockChanges : public QObject {
    Q_OBJECT

private:
    LockSnapshot confirmed(LockKind kind, QList<Holder> holders) const {
        return snapshot(0ms, kind, std::move(holders), std::nullopt);
    }
    static WallTime inFuture(Milliseconds time) {
        return WallTime(Milliseconds(QDateTime::currentMSecsSinceEpoch()) + time);
    }
    void queue(const QList<FairWaiter>& waiters) {
        for (const FairWaiter& waiter : waiters) {
            m_server.cli({"RPUSH", queueKey, waiter.id.display()});
            m_server.cli({"ZADD", deadlineKey, QString::number(msOf(waiter)), waiter.id.display()});
        }
    }
    static qint64 msOf(const FairWaiter& waiter) {
        return std::chrono::duration_cast<Milliseconds>(waiter.deadline->time_since_epoch()).count();
    }
    // Of a faster multi lock alice has x and y, and bob has z; what carol has left of y belongs to nobody.
    LockSnapshot valuesInAGroup() {
        LockSnapshot lock = confirmed(LockKind::FasterMulti, {exclusive(alice), exclusive(bob, 2)});
        LockParts parts;
        parts.values = {HeldValue{"x", alice, 1, std::nullopt}, HeldValue{"y", alice, 3, std::nullopt},
                        HeldValue{"z", bob, 2, std::nullopt}};
        lock.parts = std::make_shared<const LockParts>(parts);
        for (const HeldValue& held : parts.values)
            m_server.cli(QStringList{"HSET", "L"} + valueFields(held));
        m_server.cli(QStringList{"HSET", "L"} + valueFields(HeldValue{"y", carol, 1, std::nullopt}).sliced(2));
        return lock;
    }
    void readers(const QStringList& fields) {
        m_server.cli(QStringList{"HSET", "L", "mode", "read"} + fields);
        m_server.cli({"PEXPIRE", "L", "30000"});
    }
    void readerKey(const HolderId& reader, int hold, int ttl) {
        m_server.cli({"SET", timeoutKey(reader, hold), "1", "PX", QString::number(ttl)});
    }
    static QString timeoutKey(const HolderId& reader, int hold) {
        return QStringLiteral("{L}:%1:rwlock_timeout:%2").arg(reader.display()).arg(hold);
    }
    qint64 ttl(const QString& key) { return m_server.cli({"PTTL", key}).toLongLong(); }
    qint64 leaseEnd(const QString& key) { return ServerHand(m_server).leaseEnd(key); }
    // In ms, as leaseEnd().
    qint64 serverTime() {
        const QStringList secondsAndMicroseconds = m_server.cli({"TIME"}).split(u'\n');
        return secondsAndMicroseconds[0].toLongLong() * 1000 + secondsAndMicroseconds[1].toLongLong() / 1000;
    }
    QString state() {
        return m_server.cli(
            {"EVAL",
             "return {redis.call('hgetall','L'), redis.call('lrange',KEYS[1],0,-1), redis.call('zrange',KEYS[2],0,-1,'withscores')}",
             "2", queueKey, deadlineKey});
    }

    Result<BreakOutcome> apply(const LockSnapshot& lock, const LockChange& change) {
        const Deadline deadline = Deadline::in(m_clock, 5s);
        return test::waitFor(applyChange(m_connections.get(), lock, change, deadline));
    }
    // Applies the change, and compares the commands with those of the plan.
    void applyAsPlanned(const LockSnapshot& lock, const LockChange& change) {
        const std::optional<PlannedCall> call = plannedCall(lock, change, m_clock.wallNow());
        QVERIFY(call);
        const QList<QByteArrayList>& plan = call->commands;
        QLocalSocket monitor;
        monitor.connectToServer(m_server.socketPath());
        monitor.write("MONITOR\r\n");
        QTRY_VERIFY(monitor.canReadLine());
        QCOMPARE(apply(lock, change).value(), BreakOutcome::Broken);
        m_server.cli({"ECHO", "end"});
        QList<QByteArrayList> commands;
        bool isWhole = false;
        const auto readOn = [&] {
            while (monitor.canReadLine() && !isWhole) {
                const QString line = QString::fromUtf8(monitor.readLine());
                const QByteArrayList command = commandIn(line);
                isWhole = command == QByteArrayList{"ECHO", "end"};
                if (line.contains(QStringLiteral(" lua] ")) && changesSomething(command))
                    commands += command;
            }
            return isWhole;
        };
        QTRY_VERIFY(readOn());
        QVERIFY(!plan.isEmpty());
        QCOMPARE(inLines(withoutComputed(commands, plan)), inLines(plan));
    }
    // Nothing is changed, and no waiter is woken.
    void isRefused(const LockSnapshot& lock, const LockChange& change, BreakOutcome outcome = BreakOutcome::Changed) {
        const QString before = state();
        const QString messages = published();
        QCOMPARE(apply(lock, change).value(), outcome);
        QCOMPARE(state(), before);
        QCOMPARE(published(), messages);
    }
    QString published() {
        static const QRegularExpression calls(QStringLiteral("cmdstat_publish:calls=(\\d+)"));
        return calls.match(m_server.cli({"INFO", "commandstats"})).captured(1);
    }

    RedisServer m_server;
    SystemClock m_clock;
    topology::OneShard m_shards{
        [endpoint = m_server.options().endpoint] { return redis::makeSocketTransport(endpoint); }};
    std::unique_ptr<topology::ShardConnections> m_connections;

private Q_SLOTS:
    void init() {
        QVERIFY(m_server.start());
        m_connections = std::make_unique<topology::ShardConnections>(m_server.options(), m_shards, m_clock);
        m_connections->open();
        QTRY_VERIFY(m_connections->isReady({}));
    }
    void cleanup() {
        m_connections.reset();
        m_server.stop();
    }

    // ---- the whole lock ----

    void aReleaseIsAsPlanned_data() {
        QTest::addColumn<LockKind>("kind");
        QTest::newRow("plain") << LockKind::Reentrant;
        QTest::newRow("fair") << LockKind::Fair;
        QTest::newRow("fair, a dead head") << LockKind::Fair;
        QTest::newRow("readers") << LockKind::ReadWrite;
    }
    void aReleaseIsAsPlanned() {
        QFETCH(LockKind, kind);
        LockSnapshot lock = confirmed(kind, {exclusive(alice, 2)});
        if (kind == LockKind::ReadWrite) {
            readers({alice.display(), "2", bob.display(), "1"});
            readerKey(alice, 1, 9000);
            lock.holders = {reader(alice, 2), reader(bob, 1)};
        } else {
            m_server.cli({"HSET", "L", alice.display(), "2"});
        }
        if (kind == LockKind::Fair) {
            const bool isDead = QByteArray(QTest::currentDataTag()).contains("dead");
            lock.fairQueue = {{bob, isDead ? WallTime(1s) : inFuture(1h)}, {carol, inFuture(2h)}};
            queue(lock.fairQueue);
        }
        applyAsPlanned(lock, LockChange());
        QCOMPARE(m_server.cli({"EXISTS", "L"}), "0");
    }

    // ---- one reader of several ----

    void releasesOneReaderAndLeavesTheOthers() {
        readers({alice.display(), "2", bob.display(), "1"});
        readerKey(alice, 1, 9000);
        readerKey(alice, 2, 20000);
        readerKey(bob, 1, 12000);
        applyAsPlanned(confirmed(LockKind::ReadWrite, {reader(alice, 2), reader(bob)}), releaseOf(reader(alice, 2)));
        QCOMPARE(m_server.cli({"HGETALL", "L"}), "mode\nread\n" + bob.display() + "\n1");
        QCOMPARE(m_server.cli({"EXISTS", timeoutKey(alice, 1), timeoutKey(alice, 2)}), "0");
        const qint64 beyond = leaseEnd("L") - leaseEnd(timeoutKey(bob, 1));
        QVERIFY2(beyond >= -1 && beyond < 5000, "the lock lives as long as the other reader");
        QCOMPARE(published(), QString());
    }

    void theLastReaderFreesTheLockAndWakes() {
        readers({alice.display(), "1"});
        readerKey(alice, 1, 9000);
        applyAsPlanned(confirmed(LockKind::ReadWrite, {reader(alice)}), releaseOf(reader(alice)));
        QCOMPARE(m_server.cli({"DBSIZE"}), "0");
    }

    // The reader was not confirmed, although its leases have ended.
    void aReaderWithoutTimeoutKeysStays() {
        readers({alice.display(), "1", bob.display(), "1"});
        readerKey(alice, 1, 9000);
        QCOMPARE(apply(confirmed(LockKind::ReadWrite, {reader(alice), reader(bob)}), releaseOf(reader(alice))).value(),
                 BreakOutcome::Broken);
        QCOMPARE(m_server.cli({"HEXISTS", "L", bob.display()}), "1");
    }

    void whoReadsBesideDoesNotMatter() {
        readers({alice.display(), "1", bob.display(), "1", carol.display(), "4"});
        QCOMPARE(apply(confirmed(LockKind::ReadWrite, {reader(alice), reader(bob)}), releaseOf(reader(alice))).value(),
                 BreakOutcome::Broken);
        QCOMPARE(m_server.cli({"HLEN", "L"}), "3");
    }

    void aReaderIsReleasedOnlyAsItWasSeen_data() {
        QTest::addColumn<QStringList>("fields");
        QTest::addColumn<BreakOutcome>("outcome");
        QTest::newRow("more holds") << QStringList{"mode", "read", alice.display(), "2"} << BreakOutcome::Changed;
        QTest::newRow("writes now") << QStringList{"mode", "write", alice.display(), "1", alice.display() + ":write",
                                                   "1"}
                                    << BreakOutcome::Changed;
        QTest::newRow("gone") << QStringList{"mode", "read", bob.display(), "1"} << BreakOutcome::AlreadyFree;
        QTest::newRow("all gone") << QStringList() << BreakOutcome::AlreadyFree;
        QTest::newRow("an exclusive lock") << QStringList{alice.display(), "1"} << BreakOutcome::AlreadyFree;
    }
    void aReaderIsReleasedOnlyAsItWasSeen() {
        QFETCH(QStringList, fields);
        QFETCH(BreakOutcome, outcome);
        if (!fields.isEmpty())
            m_server.cli(QStringList{"HSET", "L"} + fields);
        isRefused(confirmed(LockKind::ReadWrite, {reader(alice), reader(bob)}), releaseOf(reader(alice)), outcome);
    }

    // ---- one holder of a faster multi lock ----

    void releasesTheValuesOfOneHolderAndLeavesTheOthers() {
        const LockSnapshot lock = valuesInAGroup();
        applyAsPlanned(lock, releaseOfValues(alice));
        QCOMPARE(m_server.cli({"HKEYS", "L"}).split(u'\n').size(), 5);
        QCOMPARE(m_server.cli({"HEXISTS", "L", "x"}) + m_server.cli({"HEXISTS", "L", "y"}), "00");
        QCOMPARE(m_server.cli({"HGET", "L", "z"}), bob.display());
        QCOMPARE(published(), "1");
        isRefused(lock, releaseOfValues(alice), BreakOutcome::AlreadyFree);
    }

    // Dave is new. The hash has a longer or a shorter TTL, or none.
    void givesTheValuesOfOneHolderToTheConsole_data() {
        QTest::addColumn<qint64>("before");
        QTest::addColumn<bool>("isProlonged");
        QTest::newRow("a longer TTL") << qint64{90'000} << false;
        QTest::newRow("a shorter TTL") << qint64{9'000} << true;
        QTest::newRow("no TTL") << qint64{-1} << false;
    }
    void givesTheValuesOfOneHolderToTheConsole() {
        QFETCH(qint64, before);
        QFETCH(bool, isProlonged);
        LockSnapshot lock = valuesInAGroup();
        if (before > 0) {
            m_server.cli({"PEXPIRE", "L", QString::number(before)});
            lock.ttl = Milliseconds(before);
        }
        const QString others =
            m_server.cli({"HMGET", "L", "z", "z:" + bob.display() + ":expire_time",
                          "z:" + bob.display() + ":lock_count", "y:" + carol.display() + ":lock_count"});
        const qint64 endBefore = leaseEnd("L");
        const qint64 begin = serverTime();
        applyAsPlanned(lock, quarantineOfValues(alice, dave, 10s));
        for (const QString& value : {QStringLiteral("x"), QStringLiteral("y")}) {
            QCOMPARE(m_server.cli({"HGET", "L", value}), dave.display());
            QCOMPARE(m_server.cli({"HGET", "L", value + u':' + dave.display() + ":lock_count"}), "1");
        }
        QVERIFY(!m_server.cli({"HKEYS", "L"}).contains(alice.display()));
        QCOMPARE(m_server.cli({"HMGET", "L", "z", "z:" + bob.display() + ":expire_time",
                               "z:" + bob.display() + ":lock_count", "y:" + carol.display() + ":lock_count"}),
                 others);
        const qint64 end = leaseEnd("L");
        if (isProlonged)
            QVERIFY(end >= begin + 12'000 && end <= serverTime() + 12'000);
        else
            QVERIFY2(std::abs(end - endBefore) < 1000, qPrintable(QString::number(end - endBefore)));
        QCOMPARE(published(), QString());
        isRefused(lock, quarantineOfValues(alice, dave, 10s), BreakOutcome::AlreadyFree);
    }

    // Without that right the values would be free as soon as the hash ends.
    void withoutTheRightToProlongTheHashTheHolderKeepsItsValues() {
        const LockSnapshot lock = valuesInAGroup();
        m_server.cli({"PEXPIRE", "L", "9000"});
        const QString before = m_server.cli({"HGETALL", "L"});
        m_server.cli({"ACL", "SETUSER", "default", "-pexpire"});
        QVERIFY(!apply(lock, quarantineOfValues(alice, dave, 10s)));
        QCOMPARE(m_server.cli({"HGETALL", "L"}), before);
    }

    void valuesAreReleasedOnlyAsTheyWereSeen_data() {
        QTest::addColumn<QStringList>("command");
        const QString part = QStringLiteral("y:") + alice.display();
        QTest::newRow("taken once more") << QStringList{"HINCRBY", "L", part + ":lock_count", "1"};
        QTest::newRow("another value, too")
            << QStringList{"HSET", "L", "w", alice.display(), "w:" + alice.display() + ":lock_count", "1"};
        QTest::newRow("one is another's") << QStringList{"HSET", "L", "y", carol.display()};
        QTest::newRow("one for another") << QStringList{
            "EVAL",
            "redis.call('hset', 'L', 'w', redis.call('hget', 'L', 'y')) return redis.call('hset', 'L', 'y', 'nobody:1')",
            "0"};
    }
    void valuesAreReleasedOnlyAsTheyWereSeen() {
        QFETCH(QStringList, command);
        const LockSnapshot lock = valuesInAGroup();
        m_server.cli(command);
        isRefused(lock, releaseOfValues(alice));
        isRefused(lock, quarantineOfValues(alice, dave, 10s));
    }

    // The state of other holders does not matter.
    void anotherHolderMayComeOrGo() {
        const LockSnapshot lock = valuesInAGroup();
        m_server.cli({"HDEL", "L", "z"});
        m_server.cli(QStringList{"HSET", "L"} + valueFields(HeldValue{"w", carol, 1, std::nullopt}));
        QCOMPARE(apply(lock, releaseOfValues(alice)).value(), BreakOutcome::Broken);
        QCOMPARE(m_server.cli({"HGET", "L", "w"}), carol.display());
    }

    // ---- a dead waiter ----

    void removesADeadHeadAndWakesTheNextOne() {
        LockSnapshot lock = confirmed(LockKind::Fair, {});
        lock.fairQueue = {{alice, inFuture(1h)}, {bob, inFuture(2h)}, {carol, inFuture(3h)}};
        queue(lock.fairQueue);
        applyAsPlanned(lock, removalOfWaiter(alice, lock.fairQueue[0].deadline));
        QCOMPARE(m_server.cli({"LRANGE", queueKey, "0", "-1"}), bob.display() + "\n" + carol.display());
        QCOMPARE(m_server.cli({"ZSCORE", deadlineKey, bob.display()}).toLongLong(), msOf(lock.fairQueue[1]));
        QCOMPARE(m_server.cli({"ZSCORE", deadlineKey, carol.display()}).toLongLong(), msOf(lock.fairQueue[2]));
        QCOMPARE(m_server.cli({"ZCARD", deadlineKey}), "2");
        QCOMPARE(published(), "1");
    }

    // The waiter before it is dead as well, or takes the lock.
    void removesOneBehindTheHeadAndWakesNobody_data() {
        QTest::addColumn<bool>("isHeld");
        QTest::newRow("free") << false;
        QTest::newRow("held") << true;
    }
    void removesOneBehindTheHeadAndWakesNobody() {
        QFETCH(const bool, isHeld);
        const QList<Holder> holders = isHeld ? QList<Holder>{exclusive(dave)} : QList<Holder>();
        LockSnapshot lock = confirmed(LockKind::Fair, holders);
        lock.fairQueue = {{alice, inFuture(1h)}, {bob, inFuture(2h)}, {carol, inFuture(3h)}};
        queue(lock.fairQueue);
        if (isHeld)
            m_server.cli({"HSET", "L", dave.display(), "1"});
        applyAsPlanned(lock, removalOfWaiter(bob, lock.fairQueue[1].deadline));
        QCOMPARE(m_server.cli({"LRANGE", queueKey, "0", "-1"}), alice.display() + "\n" + carol.display());
        QCOMPARE(m_server.cli({"ZSCORE", deadlineKey, alice.display()}).toLongLong(), msOf(lock.fairQueue[0]));
        QCOMPARE(m_server.cli({"ZSCORE", deadlineKey, carol.display()}).toLongLong(), msOf(lock.fairQueue[2]));
        QCOMPARE(m_server.cli({"ZCARD", deadlineKey}), "2");
        QCOMPARE(published(), QString());
    }

    void ofAHeldLockNobodyIsWoken() {
        LockSnapshot lock = confirmed(LockKind::Fair, {exclusive(carol)});
        lock.fairQueue = {{alice, inFuture(1h)}, {bob, inFuture(2h)}};
        queue(lock.fairQueue);
        m_server.cli({"HSET", "L", carol.display(), "1"});
        applyAsPlanned(lock, removalOfWaiter(alice, lock.fairQueue[0].deadline));
        QCOMPARE(published(), QString());
    }

    void aWaiterThatLivesStays_data() {
        QTest::addColumn<HolderId>("waiter");
        QTest::addColumn<bool>("sameDeadline");
        QTest::addColumn<bool>("isSubscribed");
        QTest::addColumn<BreakOutcome>("outcome");
        QTest::newRow("queued again") << alice << false << false << BreakOutcome::Changed;
        QTest::newRow("queued again, not the head") << bob << false << false << BreakOutcome::Changed;
        QTest::newRow("subscribed") << alice << true << true << BreakOutcome::Changed;
        QTest::newRow("subscribed, not the head") << bob << true << true << BreakOutcome::Changed;
        QTest::newRow("not in the queue") << carol << true << false << BreakOutcome::AlreadyFree;
    }
    void aWaiterThatLivesStays() {
        QFETCH(HolderId, waiter);
        QFETCH(bool, sameDeadline);
        QFETCH(bool, isSubscribed);
        QFETCH(BreakOutcome, outcome);
        LockSnapshot lock = confirmed(LockKind::Fair, {});
        lock.fairQueue = {{alice, inFuture(1h)}, {bob, inFuture(2h)}};
        queue(lock.fairQueue);
        redis::Connection subscriber(m_server.options(), m_shards.transports(topology::OneShard::id), m_clock);
        if (isSubscribed) {
            subscriber.open();
            QTRY_VERIFY(subscriber.isReady());
            const auto subscribed = subscriber.send(redis::Command("SUBSCRIBE").arg(channel + ':' + waiter.bytes()));
            QTRY_VERIFY(subscribed.isCompleted());
        }
        const std::optional<WallTime> deadline = lock.fairQueue[waiter == bob ? 1 : 0].deadline;
        isRefused(lock, removalOfWaiter(waiter, sameDeadline ? deadline : *deadline + 5s), outcome);
    }

    // ---- waking ----

    void wakesTheWaitersOfAFreeLockOnBothChannels() {
        applyAsPlanned(confirmed(LockKind::Reentrant, {}), changeOf(ChangeKind::WakeWaiters));
        QCOMPARE(published(), "2");
    }

    void ofAFairQueueItWakesTheHead() {
        LockSnapshot lock = confirmed(LockKind::Fair, {});
        lock.fairQueue = {{alice, inFuture(1h)}, {bob, inFuture(2h)}};
        queue(lock.fairQueue);
        applyAsPlanned(lock, changeOf(ChangeKind::WakeWaiters));
        QCOMPARE(published(), "1");
    }

    void wakesAWaiterThatIsNotInTheQueue() {
        LockSnapshot lock = confirmed(LockKind::Fair, {});
        lock.fairQueue = {{alice, inFuture(1h)}};
        queue(lock.fairQueue);
        LockChange change = changeOf(ChangeKind::WakeWaiters);
        change.waiter = FairWaiter{carol, std::nullopt};
        applyAsPlanned(lock, change);
        QCOMPARE(published(), "2");
    }

    void ofAHeldLockItWakesNobody() {
        m_server.cli({"HSET", "L", alice.display(), "1"});
        isRefused(confirmed(LockKind::Reentrant, {}), changeOf(ChangeKind::WakeWaiters));
    }

    // ---- an expiry ----

    void givesALockThatNeverExpiresATtl() {
        m_server.cli({"HSET", "L", alice.display(), "2"});
        const qint64 begin = serverTime();
        applyAsPlanned(confirmed(LockKind::Reentrant, {exclusive(alice, 2)}), changeOf(ChangeKind::SetExpiry, 60s));
        QVERIFY(leaseEnd("L") >= begin + 60000 && leaseEnd("L") <= serverTime() + 60000);
        QCOMPARE(m_server.cli({"HGETALL", "L"}), alice.display() + "\n2");
    }

    // They have read that it has no TTL, and would sleep on for ever.
    void aTtlWakesAllWaiters_data() {
        QTest::addColumn<LockKind>("kind");
        QTest::addColumn<QByteArrayList>("channels");
        QTest::newRow("plain") << LockKind::Reentrant << QByteArrayList{channel};
        QTest::newRow("fair") << LockKind::Fair
                              << QByteArrayList{channel, channel + ':' + bob.bytes(), channel + ':' + carol.bytes()};
        QTest::newRow("read/write") << LockKind::ReadWrite << QByteArrayList{"redisson_rwlock:{L}"};
    }
    void aTtlWakesAllWaiters() {
        QFETCH(LockKind, kind);
        QFETCH(QByteArrayList, channels);
        const bool isShared = kind == LockKind::ReadWrite;
        const Holder holder = isShared ? reader(alice) : exclusive(alice);
        m_server.cli({"HSET", "L", alice.display(), "1"});
        if (isShared)
            m_server.cli({"HSET", "L", "mode", "read"});
        LockSnapshot lock = confirmed(kind, {holder});
        if (kind == LockKind::Fair) {
            lock.fairQueue = {{bob, inFuture(1h)}, {carol, inFuture(2h)}};
            queue(lock.fairQueue);
        }
        const std::optional<PlannedCall> planned =
            plannedCall(lock, changeOf(ChangeKind::SetExpiry, 60s), inFuture({}));
        QVERIFY(planned);
        QByteArrayList published;
        for (const QByteArrayList& command : planned->commands) {
            if (command.front() == "PUBLISH")
                published += command[1];
        }
        QCOMPARE(published, channels);
        applyAsPlanned(lock, changeOf(ChangeKind::SetExpiry, 60s));
    }

    // As Redisson before 3.52 with a NameMapper: the queue is not under this lock's name, the channels are.
    void aTtlWakesTheWaitersOfAQueueWithAnotherName() {
        m_server.cli({"HSET", "L", alice.display(), "1"});
        QLocalSocket waiter;
        waiter.connectToServer(m_server.socketPath());
        waiter.write("SUBSCRIBE " + channel + ':' + bob.bytes() + "\r\n");
        QByteArray received;
        const auto hasReceived = [&](const QByteArray& text) {
            received += waiter.readAll();
            return received.contains(text);
        };
        QTRY_VERIFY(hasReceived("subscribe"));
        const LockChange change = changeOf(ChangeKind::SetExpiry, 60s);
        QCOMPARE(apply(confirmed(LockKind::Fair, {exclusive(alice)}), change).value(), BreakOutcome::Broken);
        QTRY_VERIFY(hasReceived("message"));
        QVERIFY(received.endsWith("$1\r\n1\r\n"));
    }

    // The name was that of a read/write lock once.
    void aTtlOfAPlainLockIsAsPlannedWhateverItsNameWasBefore() {
        m_server.cli({"HSET", "L", alice.display(), "1"});
        LockSnapshot lock = confirmed(LockKind::ReadWrite, {exclusive(alice)});
        QCOMPARE(plannedCall(lock, changeOf(ChangeKind::SetExpiry, 60s), inFuture({}))->commands.last()[1], channel);
    }

    void aTtlIsNeverReplaced() {
        m_server.cli({"HSET", "L", alice.display(), "2"});
        m_server.cli({"PEXPIRE", "L", "900000"});
        isRefused(confirmed(LockKind::Reentrant, {exclusive(alice, 2)}), changeOf(ChangeKind::SetExpiry, 60s));
        QVERIFY(ttl("L") > 800000);
    }

    void anotherHolderGetsNoTtl() {
        m_server.cli({"HSET", "L", bob.display(), "2"});
        isRefused(confirmed(LockKind::Reentrant, {exclusive(alice, 2)}), changeOf(ChangeKind::SetExpiry, 60s));
        QCOMPARE(ttl("L"), -1);
    }

    // ---- quarantine ----

    void takesALockAwayAndWakesNobody_data() {
        QTest::addColumn<LockKind>("kind");
        QTest::addColumn<QStringList>("before");
        QTest::addColumn<QStringList>("after");
        QTest::newRow("plain") << LockKind::Reentrant << QStringList{alice.display(), "2"}
                               << QStringList{carol.display(), "1"};
        QTest::newRow("fair") << LockKind::Fair << QStringList{alice.display(), "2"}
                              << QStringList{carol.display(), "1"};
        QTest::newRow("fenced") << LockKind::Fenced << QStringList{alice.display(), "2"}
                                << QStringList{carol.display(), "1"};
        QTest::newRow("readers") << LockKind::ReadWrite << QStringList{"mode", "read", alice.display(), "2"}
                                 << QStringList{"mode", "write", carol.display() + ":write", "1"};
    }
    void takesALockAwayAndWakesNobody() {
        QFETCH(LockKind, kind);
        QFETCH(QStringList, before);
        QFETCH(QStringList, after);
        LockSnapshot lock = confirmed(kind, {exclusive(alice, 2)});
        m_server.cli(QStringList{"HSET", "L"} + before);
        if (kind == LockKind::ReadWrite) {
            lock.holders = {reader(alice, 2)};
            readerKey(alice, 1, 9000);
        }
        if (kind == LockKind::Fenced) {
            lock.token = 7;
            m_server.cli({"SET", "redisson_lock_token:{L}", "7"});
        }
        const qint64 begin = serverTime();
        applyAsPlanned(lock, quarantineBy(carol, 10s));
        QCOMPARE(m_server.cli({"HGETALL", "L"}), after.join(u'\n'));
        QVERIFY(leaseEnd("L") >= begin + 12000 && leaseEnd("L") <= serverTime() + 12000);
        QCOMPARE(m_server.cli({"EXISTS", timeoutKey(alice, 1)}), "0");
        QCOMPARE(published(), QString());
    }

    void quarantinesOnlyWhatWasConfirmed() {
        m_server.cli({"HSET", "L", bob.display(), "1"});
        isRefused(confirmed(LockKind::Reentrant, {exclusive(alice)}), quarantineBy(carol, 10s));
        m_server.cli({"DEL", "L"});
        isRefused(confirmed(LockKind::Reentrant, {exclusive(alice)}), quarantineBy(carol, 10s),
                  BreakOutcome::AlreadyFree);
    }

    // Without its lease, the hold would stay for ever.
    void withoutTheRightToSetALeaseTheHolderKeepsIt() {
        m_server.cli({"HSET", "L", alice.display(), "1"});
        m_server.cli({"ACL", "SETUSER", "default", "-pexpire"});
        const Result<BreakOutcome> refused =
            apply(confirmed(LockKind::Reentrant, {exclusive(alice)}), quarantineBy(carol, 10s));
        QVERIFY(!refused);
        QCOMPARE(m_server.cli({"HGETALL", "L"}), alice.display() + "\n1");
    }

    // ---- requests that lack something ----

    void anIncompleteRequestIsNotSent() {
        m_server.cli({"HSET", "L", alice.display(), "1"});
        for (const ChangeKind kind : {ChangeKind::ReleaseReader, ChangeKind::ReleaseHolder, ChangeKind::RemoveWaiter,
                                      ChangeKind::SetExpiry, ChangeKind::Quarantine, ChangeKind::QuarantineHolder})
            QCOMPARE(apply(confirmed(LockKind::Reentrant, {exclusive(alice)}), changeOf(kind)).error().code,
                     ErrorCode::InvalidArgument);
        QCOMPARE(m_server.cli({"HLEN", "L"}), "1");
    }
};

LOCKKEEPER_TEST(TestLockChanges, Guiless)

}  // namespace tst_lockchanges

#include "tst_lockchanges.moc"
