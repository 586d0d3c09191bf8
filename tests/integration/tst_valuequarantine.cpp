// SPDX-License-Identifier: Apache-2.0
#include "base/systemclock.h"
#include "control/audit/readaudit.h"
#include "control/console.h"
#include "control/consolecause.h"
#include "redis/connection.h"
#include "redis/sockettransport.h"
#include "support/lossyline.h"
#include "support/recordedstate.h"
#include "support/redisserver.h"
#include "support/taskwait.h"
#include "support/testprogram.h"

#include <QDateTime>
#include <QDir>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

namespace tst_valuequarantine {

using namespace lockkeeper;
using namespace lockkeeper::control;
using namespace std::chrono_literals;
using test::RecordedState;

namespace {

const LockName group("G");
const QByteArray channel = "redisson_lock__channel:{G}";
// The values of the recording, as Redisson hashes them.
const QString x = QStringLiteral("Bt/D4wylKYCgzX0jVwjowg");
const QString y = QStringLiteral("798uvSmTyISBDNXkBRQBxg");
const QString z = QStringLiteral("vwOR5fJTI35BKAC66TjxhQ");

const QString holderA = RecordedState::withUuids(QStringLiteral("<A>:19"));
const QString holderB = RecordedState::withUuids(QStringLiteral("<B>:26"));

HolderId idOf(const QString& holder) {
    return *HolderId::parse(holder.toLatin1());
}

QString part(const QString& value, const QString& owner, const char* name) {
    return value + u':' + owner + u':' + QLatin1String(name);
}

// What the recorded client does for one value (core/locks/protocol.md, "The faster multi lock"), by its own clock.
// Answers how long it must wait in ms; -1: it has the value.
const QString realAcquire = QStringLiteral(
    "local owner = redis.call('hget', KEYS[1], ARGV[1]) "
    "local ends = owner and owner ~= ARGV[2] and redis.call('hget', KEYS[1], ARGV[1] .. ':' .. owner .. ':expire_time') "
    "if ends and tonumber(ends) > tonumber(ARGV[3]) then return tonumber(ends) - tonumber(ARGV[3]) end "
    "redis.call('hset', KEYS[1], ARGV[1], ARGV[2], ARGV[1] .. ':' .. ARGV[2] .. ':expire_time', ARGV[3] + 30000) "
    "redis.call('hincrby', KEYS[1], ARGV[1] .. ':' .. ARGV[2] .. ':lock_count', 1) "
    "return -1");
// Checks only its own two fields, and deletes the value. Answers whether it had the value.
const QString realUnlock = QStringLiteral(
    "local mine = ARGV[1] .. ':' .. ARGV[2] "
    "local ends = redis.call('hget', KEYS[1], mine .. ':expire_time') "
    "if not ends or tonumber(ends) < tonumber(ARGV[3]) then return 0 end "
    "if redis.call('hincrby', KEYS[1], mine .. ':lock_count', -1) <= 0 then "
    "redis.call('hdel', KEYS[1], mine .. ':expire_time', mine .. ':lock_count', ARGV[1]) end "
    "redis.call('publish', 'redisson_lock__channel:{G}', '0') "
    "return 1");

}  // namespace

// Values of a faster multi lock that a console takes into quarantine, on a real server, with the hash that the real
// client left: A has x and y, twice, and B has z.
class TestValueQuarantine : public QObject {
    Q_OBJECT

private:
    OperationResult resultOf(OperationId id) {
        // A change waits for two lines of the audit, each for a disk that may be slow.
        if (!QTest::qWaitFor([this, id] { return m_results.contains(id); }, 90000))
            qFatal("an operation was not answered");
        return m_results.value(id);
    }
    OperationResult change(ChangeKind kind, const QString& holder, Milliseconds time = {}) {
        ForceReleaseRequest request;
        request.confirmed = read();
        request.reason = QStringLiteral("it hangs");
        request.change.kind = kind;
        request.change.time = time;
        request.change.holder = idOf(holder);
        const OperationId id{++m_lastId};
        m_console->execute(id, request);
        return resultOf(id);
    }
    OperationResult quarantine(Milliseconds time, const QString& holder = holderA) {
        return change(ChangeKind::QuarantineHolder, holder, time);
    }
    OperationResult release() {
        const OperationId id{++m_lastId};
        m_console->execute(id, ReleaseRequest{group});
        return resultOf(id);
    }
    // The lock as the window has read it.
    monitor::LockSnapshot read() {
        const Result<monitor::LockReading> reading = test::waitFor(m_reader->read(group, {}));
        return reading ? std::get<monitor::LockSnapshot>(*reading) : monitor::LockSnapshot();
    }
    QString field(const QString& name) { return m_server.cli({"HGET", "G", name}); }
    bool hasField(const QString& name) { return m_server.cli({"HEXISTS", "G", name}) == u"1"; }
    // Whether no field of the value is left.
    bool isFree(const QString& value) { return m_server.cli({"HKEYS", "G"}).split(u'\n').filter(value).isEmpty(); }
    QString console() const { return m_console->ownLocks().first().holder.display(); }
    qint64 asRealClient(const QString& script, const QString& holder, const QString& value, Milliseconds later = {}) {
        const QString now = QString::number(QDateTime::currentMSecsSinceEpoch() + later.count());
        return m_server.cli({"EVAL", script, "1", "G", value, holder, now}).toLongLong();
    }
    AuditRecord lastRecord() const { return *readAudit(auditFolder())->lines.back().record; }
    QString auditFolder() const { return m_data.filePath(QStringLiteral("audit")); }

    test::RedisServer m_server;
    SystemClock m_clock;
    std::unique_ptr<test::LossyLine> m_line;
    std::unique_ptr<topology::OneShard> m_shards;
    std::unique_ptr<topology::ShardConnections> m_connections;
    std::unique_ptr<ForceRelease> m_reader;
    std::unique_ptr<redis::Connection> m_waiter;
    std::unique_ptr<QSignalSpy> m_messages;
    QTemporaryDir m_data;
    std::unique_ptr<AuditLog> m_audit;
    std::unique_ptr<Console> m_console;
    std::unique_ptr<QSignalSpy> m_lost;
    QHash<OperationId, OperationResult> m_results;
    quint64 m_lastId = 0;

private Q_SLOTS:
    void init() {
        QVERIFY(m_server.start());
        RecordedState("faster_multi.json", "B.lock G (z)").writeTo(m_server, 60s, 0ms);
        m_line = std::make_unique<test::LossyLine>(m_server.options().endpoint);
        m_shards = std::make_unique<topology::OneShard>(m_line->factory());
        m_connections = std::make_unique<topology::ShardConnections>(m_server.options(), *m_shards, m_clock);
        m_connections->open();
        m_reader = std::make_unique<ForceRelease>(*m_connections, 5s, nullptr, AuditPlace());
        m_waiter = std::make_unique<redis::Connection>(m_server.options(), m_shards->transports(topology::OneShard::id),
                                                       m_clock);
        m_waiter->open();
        QTRY_VERIFY(m_waiter->isReady());
        const auto subscribed = m_waiter->send(redis::Command("SUBSCRIBE").arg(channel));
        QTRY_VERIFY(subscribed.isCompleted());
        m_messages = std::make_unique<QSignalSpy>(m_waiter.get(), &redis::Connection::pushReceived);
        m_audit = std::make_unique<AuditLog>(auditFolder(), m_clock);
        m_console = std::make_unique<Console>(m_server.options(), *m_shards, m_clock, m_audit.get(), AuditPlace());
        m_results.clear();
        connect(m_console.get(), &Console::operationFinished, this,
                [this](OperationId id, const OperationResult& result) { m_results.insert(id, result); });
        m_lost = std::make_unique<QSignalSpy>(m_console.get(), &Console::ownLockLost);
        m_console->open();
    }
    void cleanup() {
        m_lost.reset();
        m_console.reset();
        m_audit.reset();
        m_messages.reset();
        m_waiter.reset();
        m_reader.reset();
        m_connections.reset();
        m_server.stop();
        QDir(auditFolder()).removeRecursively();
    }

    void theConsoleHasTheValuesAndNobodyElseGetsIn() {
        const QString ofB = field(part(z, holderB, "expire_time"));
        QCOMPARE(quarantine(20s).outcome, Outcome::ForceReleased);
        QVERIFY(m_console->ownLocks().first().isQuarantine);
        const qint64 now = QDateTime::currentMSecsSinceEpoch();
        for (const QString& value : {x, y}) {
            QCOMPARE(field(value), console());
            QCOMPARE(field(part(value, console(), "lock_count")), "1");
            const qint64 left = field(part(value, console(), "expire_time")).toLongLong() - now;
            QVERIFY2(left > 10000 && left <= 22000, qPrintable(QString::number(left)));
            QVERIFY(!hasField(part(value, holderA, "expire_time")) && !hasField(part(value, holderA, "lock_count")));
            for (const QString& other : {holderA, holderB})
                QVERIFY(asRealClient(realAcquire, other, value) > 0);
        }
        // The other holder is not touched, and may continue.
        QCOMPARE(field(z), holderB);
        QCOMPARE(field(part(z, holderB, "expire_time")), ofB);
        QCOMPARE(asRealClient(realAcquire, holderB, z), -1);
        QCOMPARE(m_messages->size(), 0);
        QCOMPARE(lastRecord().change.kind, ChangeKind::QuarantineHolder);
        QCOMPARE(lastRecord().change.holder, std::optional(idOf(holderA)));
        QCOMPARE(lastRecord().change.time, Milliseconds(20s));
    }

    // If its own two fields were left, the unlock would delete the values.
    void theUnlockOfTheFormerHolderFails() {
        QCOMPARE(quarantine(20s).outcome, Outcome::ForceReleased);
        for (const QString& value : {x, y}) {
            QCOMPARE(asRealClient(realUnlock, holderA, value), 0);
            QCOMPARE(field(value), console());
        }
    }

    void itsEndReleasesTheValuesAndWakesOnce() {
        QCOMPARE(quarantine(3s).outcome, Outcome::ForceReleased);
        QVERIFY(asRealClient(realAcquire, holderB, x) > 0);
        QTRY_COMPARE_WITH_TIMEOUT(m_messages->size(), 1, 15000);
        QTRY_VERIFY(m_console->ownLocks().isEmpty());
        QVERIFY(isFree(x) && isFree(y));
        QCOMPARE(field(z), holderB);
        QCOMPARE(asRealClient(realAcquire, holderB, x), -1);
        QTRY_COMPARE(lastRecord().action, AuditAction::Release);
        QCOMPARE(lastRecord().outcome, AuditOutcome::Done);
        QCOMPARE(m_lost->size(), 0);
        QCOMPARE(m_messages->size(), 1);
    }

    void itCanBeEndedEarly() {
        QCOMPARE(quarantine(60s).outcome, Outcome::ForceReleased);
        QCOMPARE(release().outcome, Outcome::Released);
        QVERIFY(isFree(x) && isFree(y));
        QTRY_COMPARE(m_messages->size(), 1);
        QVERIFY(m_console->ownLocks().isEmpty());
    }

    // Nobody releases the values then, and their leases end by the clock.
    void theEndOfTheProgramLeavesTheValuesToTheirLease() {
        QCOMPARE(quarantine(20s).outcome, Outcome::ForceReleased);
        m_console.reset();
        QVERIFY(asRealClient(realAcquire, holderB, x, 10s) > 0);
        QCOMPARE(asRealClient(realAcquire, holderB, x, 23s), -1);
        QCOMPARE(field(x), holderB);
    }

    // As with the lease of any holder of a value, the hash must last as long.
    void theHashLastsAsLongAsTheQuarantine() {
        m_server.cli({"PEXPIRE", "G", "5000"});
        QCOMPARE(quarantine(60s).outcome, Outcome::ForceReleased);
        const qint64 ttl = m_server.cli({"PTTL", "G"}).toLongLong();
        QVERIFY2(ttl > 50000 && ttl <= 62000, qPrintable(QString::number(ttl)));
    }

    // ---- lost before its end ----

    void aLossIsReportedAtOnceAndTheRestIsReleased_data() {
        QTest::addColumn<QStringList>("command");
        QTest::addColumn<locks::LossReason>("why");
        QTest::addColumn<bool>("isReleased");
        const QString other = QStringLiteral("redis.call('hset', 'G', ARGV[1], ARGV[2])");
        QTest::newRow("one taken over") << QStringList{"EVAL", other, "0", x, holderB} << locks::LossReason::TakenOver
                                        << true;
        QTest::newRow("one forced") << QStringList{"HDEL", "G", x} << locks::LossReason::Gone << true;
        QTest::newRow("all of the group deleted") << QStringList{"DEL", "G"} << locks::LossReason::Gone << false;
    }
    void aLossIsReportedAtOnceAndTheRestIsReleased() {
        QFETCH(QStringList, command);
        QFETCH(locks::LossReason, why);
        QFETCH(bool, isReleased);
        QCOMPARE(quarantine(60s).outcome, Outcome::ForceReleased);
        const QString former = console();
        m_server.cli(command);
        QTRY_COMPARE_WITH_TIMEOUT(m_lost->size(), 1, 15000);
        QCOMPARE((*m_lost)[0][1].value<locks::LossReason>(), why);
        QVERIFY(m_console->ownLocks().isEmpty());
        QTRY_COMPARE(m_messages->size(), isReleased ? 1 : 0);
        QVERIFY(isFree(y));
        QVERIFY(!m_server.cli({"HGETALL", "G"}).contains(former));
        if (why == locks::LossReason::TakenOver)
            QCOMPARE(field(x), holderB);
        QTRY_COMPARE(lastRecord().action, AuditAction::Lost);
        QTRY_VERIFY(m_console->isIdle());
    }

    // The server reports no changes, so the end of the quarantine is the first to find the loss.
    void aLossThatIsFoundAtTheEndIsReported() {
        m_server.cli({"ACL", "SETUSER", "default", "-client|tracking"});
        QCOMPARE(quarantine(60s).outcome, Outcome::ForceReleased);
        m_server.cli({"HSET", "G", x, holderB});
        QCOMPARE(release().error->code, ErrorCode::NotHeld);
        QCOMPARE(m_lost->size(), 1);
        QCOMPARE((*m_lost)[0][1].value<locks::LossReason>(), locks::LossReason::TakenOver);
        QCOMPARE(field(x), holderB);
        QVERIFY(isFree(y));
        QTRY_COMPARE(m_messages->size(), 1);
    }

    // ---- beside other changes ----

    void theValuesOfAnotherHolderMayBeForcedMeanwhile() {
        QCOMPARE(quarantine(60s).outcome, Outcome::ForceReleased);
        QCOMPARE(change(ChangeKind::ReleaseHolder, holderB).outcome, Outcome::ForceReleased);
        QVERIFY(isFree(z));
        QCOMPARE(m_console->ownLocks().size(), 1);
        QCOMPARE(field(x), console());
        QCOMPARE(release().outcome, Outcome::Released);
        QCOMPARE(m_server.cli({"EXISTS", "G"}), "0");
        QCOMPARE(m_lost->size(), 0);
    }

    void forcingItEndsIt() {
        QCOMPARE(quarantine(60s).outcome, Outcome::ForceReleased);
        QCOMPARE(change(ChangeKind::ReleaseHolder, console()).outcome, Outcome::ForceReleased);
        QVERIFY(m_console->ownLocks().isEmpty());
        QVERIFY(isFree(x) && isFree(y));
        QCOMPARE(m_lost->size(), 0);
    }

    void ofOneGroupThereIsOneQuarantineAtATime() {
        QCOMPARE(quarantine(60s).outcome, Outcome::ForceReleased);
        const QString before = m_server.cli({"HGETALL", "G"});
        QCOMPARE(quarantine(60s, holderB).error->cause, ConsoleCause::InQuarantine);
        QCOMPARE(m_server.cli({"HGETALL", "G"}), before);
        QCOMPARE(m_console->ownLocks().size(), 1);
    }

    // ---- a lost answer ----

    void aLostAnswerIsFollowedByARead_data() {
        QTest::addColumn<test::LossyLine::Loss>("loss");
        QTest::addColumn<Found>("found");
        QTest::newRow("done") << test::LossyLine::Loss::Answer << Found::Done;
        QTest::newRow("not done") << test::LossyLine::Loss::Command << Found::NotDone;
    }
    void aLostAnswerIsFollowedByARead() {
        QFETCH(test::LossyLine::Loss, loss);
        QFETCH(Found, found);
        const monitor::LockSnapshot confirmed = read();
        m_line->lose(loss, 1);  // after the read
        ForceReleaseRequest request;
        request.confirmed = confirmed;
        request.change.kind = ChangeKind::QuarantineHolder;
        request.change.time = 30s;
        request.change.holder = idOf(holderA);
        const OperationId id{++m_lastId};
        m_console->execute(id, request);
        const OperationResult result = resultOf(id);
        QCOMPARE(result.error->code, ErrorCode::OutcomeUnknown);
        QCOMPARE(result.found, found);
        QCOMPARE(m_console->ownLocks().size(), found == Found::Done ? 1 : 0);
        QCOMPARE(field(x), found == Found::Done ? console() : holderA);
    }
};

LOCKKEEPER_TEST(TestValueQuarantine, Guiless)

}  // namespace tst_valuequarantine

#include "tst_valuequarantine.moc"
