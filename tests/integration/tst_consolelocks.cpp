// SPDX-License-Identifier: Apache-2.0
#include "base/systemclock.h"
#include "control/audit/readaudit.h"
#include "control/console.h"
#include "control/consolecause.h"
#include "redis/sockettransport.h"
#include "support/acquirerequest.h"
#include "support/fakeshards.h"
#include "support/locksnapshots.h"
#include "support/lossyline.h"
#include "support/manualclock.h"
#include "support/redisserver.h"
#include "support/taskwait.h"
#include "support/testprogram.h"

#include <QDir>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

namespace tst_consolelocks {

using namespace lockkeeper;
using namespace lockkeeper::control;
using namespace lockkeeper::test;
using namespace std::chrono_literals;

// What a console holds on a real server: locks of each kind, and locks in quarantine. Also what it finds after a lost
// answer.
class TestConsoleLocks : public QObject {
    Q_OBJECT

private:
    static constexpr Milliseconds quarantine{4000};

    OperationId nextId() { return OperationId{++m_lastId}; }
    OperationResult resultOf(OperationId id) {
        // A change waits for two lines of the audit, each for a disk that may be slow.
        if (!QTest::qWaitFor([this, id] { return m_results.contains(id); }, 90000))
            qFatal("an operation was not answered");
        return m_results.value(id);
    }
    OperationResult acquire(OwnLockKind kind, std::optional<Milliseconds> lease = std::nullopt, bool extends = false,
                            const LockName& name = LockName("L")) {
        AcquireRequest request;
        request.name = name;
        request.kind = kind;
        request.lease = lease;
        request.extends = extends;
        const OperationId id = nextId();
        m_console->execute(id, request);
        return resultOf(id);
    }
    OperationResult release(const LockName& name = LockName("L")) {
        const OperationId id = nextId();
        m_console->execute(id, ReleaseRequest{name});
        return resultOf(id);
    }
    OperationResult change(const monitor::LockSnapshot& confirmed, ChangeKind kind, Milliseconds time = {}) {
        ForceReleaseRequest request;
        request.confirmed = confirmed;
        request.reason = QStringLiteral("it hangs");
        request.change.kind = kind;
        request.change.time = time;
        const OperationId id = nextId();
        m_console->execute(id, request);
        return resultOf(id);
    }
    monitor::LockSnapshot heldByAlice() {
        m_server.cli({"HSET", "L", alice.display(), "1"});
        return held(0ms, alice, 1, std::nullopt);
    }
    void makeConsole(const locks::LockClientOptions& clientOptions) {
        m_console = std::make_unique<Console>(m_server.options(), *m_shards, m_clock, m_audit.get(), AuditPlace(),
                                              clientOptions);
        connect(m_console.get(), &Console::operationFinished, this,
                [this](OperationId id, const OperationResult& result) { m_results.insert(id, result); });
        m_console->open();
    }
    qint64 ttl() { return m_server.cli({"PTTL", "L"}).toLongLong(); }
    QString auditFolder() const { return m_data.filePath(QStringLiteral("audit")); }
    AuditRecord lastRecord() const { return *readAudit(auditFolder())->lines.back().record; }

    RedisServer m_server;
    SystemClock m_clock;
    std::unique_ptr<LossyLine> m_line;
    std::unique_ptr<topology::OneShard> m_shards;
    QTemporaryDir m_data;
    std::unique_ptr<AuditLog> m_audit;
    std::unique_ptr<Console> m_console;
    QHash<OperationId, OperationResult> m_results;
    quint64 m_lastId = 0;

private Q_SLOTS:
    void init() {
        QVERIFY(m_server.start());
        m_line = std::make_unique<LossyLine>(m_server.options().endpoint);
        m_shards = std::make_unique<topology::OneShard>(m_line->factory());
        m_audit = std::make_unique<AuditLog>(auditFolder(), m_clock);
        m_results.clear();
        makeConsole(locks::LockClientOptions());
    }
    void cleanup() {
        m_console.reset();
        m_audit.reset();
        m_server.stop();
        QDir(auditFolder()).removeRecursively();
    }

    // ---- what the Java clients have set ----

    void aNameIsThatOfTheJavaClientsOrOfTheServer() {
        locks::LockClientOptions options;
        options.nameMapper.prefix = "shop:";
        options.watchdogTimeout = 20s;
        makeConsole(options);
        QCOMPARE(acquire(OwnLockKind::Reentrant).outcome, Outcome::Acquired);
        const LockName key("shop:L");
        QCOMPARE(acquire(OwnLockKind::Reentrant, std::nullopt, false, key).outcome, Outcome::Acquired);
        QCOMPARE(m_server.cli({"EXISTS", "L"}), "0");
        QCOMPARE(m_console->ownLocks().size(), 1);
        const OwnLock own = m_console->ownLocks().first();
        QCOMPARE(own.name, key);
        QCOMPARE(m_server.cli({"HGET", "shop:L", own.holder.display()}), "2");
        QVERIFY(m_server.cli({"PTTL", "shop:L"}).toLongLong() <= 20000);
        QCOMPARE(lastRecord().lock, key);
        QCOMPARE(release(key).outcome, Outcome::ReleasedOnce);
        QCOMPARE(release(key).outcome, Outcome::Released);
    }

    // ---- locks of each kind ----

    void takesEachKindAndReleasesIt_data() {
        QTest::addColumn<OwnLockKind>("kind");
        QTest::addColumn<QString>("field");
        QTest::newRow("reentrant") << OwnLockKind::Reentrant << QStringLiteral("%1");
        QTest::newRow("fair") << OwnLockKind::Fair << QStringLiteral("%1");
        QTest::newRow("fenced") << OwnLockKind::Fenced << QStringLiteral("%1");
        QTest::newRow("spin") << OwnLockKind::Spin << QStringLiteral("%1");
        QTest::newRow("read") << OwnLockKind::Read << QStringLiteral("%1");
        QTest::newRow("write") << OwnLockKind::Write << QStringLiteral("%1:write");
        QTest::newRow("non-reentrant") << OwnLockKind::NonReentrant << QStringLiteral("%1");
        QTest::newRow("non-reentrant, fair") << OwnLockKind::NonReentrantFair << QStringLiteral("%1");
    }
    void takesEachKindAndReleasesIt() {
        QFETCH(OwnLockKind, kind);
        QFETCH(QString, field);
        const OperationResult taken = acquire(kind);
        QCOMPARE(taken.outcome, Outcome::Acquired);
        QCOMPARE(taken.token.has_value(), kind == OwnLockKind::Fenced);
        QCOMPARE(m_console->ownLocks().size(), 1);
        const OwnLock own = m_console->ownLocks().first();
        QCOMPARE(own.kind, kind);
        QCOMPARE(own.token, taken.token);
        QCOMPARE(m_server.cli({"HGET", "L", field.arg(own.holder.display())}), "1");
        QCOMPARE(release().outcome, Outcome::Released);
        QCOMPARE(m_server.cli({"EXISTS", "L"}), "0");
        QVERIFY(m_console->ownLocks().isEmpty());
    }

    void aWriterThatReadsReleasesTheReadingFirst() {
        QCOMPARE(acquire(OwnLockKind::Write).outcome, Outcome::Acquired);
        QCOMPARE(acquire(OwnLockKind::Read).outcome, Outcome::Acquired);
        QCOMPARE(m_console->ownLocks().size(), 2);
        release();
        QCOMPARE(m_server.cli({"HGET", "L", "mode"}), "write");
        release();
        QCOMPARE(m_server.cli({"EXISTS", "L"}), "0");
    }

    void aNonReentrantLockIsTakenOnce_data() {
        QTest::addColumn<OwnLockKind>("kind");
        QTest::newRow("plain") << OwnLockKind::NonReentrant;
        QTest::newRow("fair") << OwnLockKind::NonReentrantFair;
    }
    void aNonReentrantLockIsTakenOnce() {
        QFETCH(OwnLockKind, kind);
        QCOMPARE(acquire(kind).outcome, Outcome::Acquired);
        const OperationResult again = acquire(kind);
        QCOMPARE(again.outcome, Outcome::Failed);
        QCOMPARE(again.error->cause, Cause::AlreadyHeld);
        QCOMPARE(m_console->ownLocks().first().count, 1);
        QCOMPARE(release().outcome, Outcome::Released);
    }

    void extendsItsLease_data() {
        QTest::addColumn<OwnLockKind>("kind");
        QTest::newRow("reentrant") << OwnLockKind::Reentrant;
        QTest::newRow("fair") << OwnLockKind::Fair;
        QTest::newRow("fenced") << OwnLockKind::Fenced;
        QTest::newRow("write") << OwnLockKind::Write;
        QTest::newRow("non-reentrant") << OwnLockKind::NonReentrant;
        QTest::newRow("non-reentrant, fair") << OwnLockKind::NonReentrantFair;
    }
    void extendsItsLease() {
        QFETCH(OwnLockKind, kind);
        QCOMPARE(acquire(kind, 20s).outcome, Outcome::Acquired);
        const OperationResult extended = acquire(kind, 100s, true);
        QCOMPARE(extended.outcome, Outcome::Extended);
        QVERIFY2(ttl() > 90000 && ttl() <= 100000, qPrintable(QString::number(ttl())));
        QCOMPARE(m_console->ownLocks().first().count, 1);
        QCOMPARE(m_console->ownLocks().first().kind, kind);
        QCOMPARE(extended.token, m_console->ownLocks().first().token);
        QCOMPARE(release().outcome, Outcome::Released);
    }

    void extendsOnlyWhatItHolds() {
        QCOMPARE(acquire(OwnLockKind::Reentrant, 20s, true).error->code, ErrorCode::NotHeld);
        QCOMPARE(m_server.cli({"EXISTS", "L"}), "0");
        QCOMPARE(acquire(OwnLockKind::Read, 20s).outcome, Outcome::Acquired);
        QCOMPARE(acquire(OwnLockKind::Read, 90s, true).error->code, ErrorCode::NotHeld);
    }

    // ---- quarantine ----

    void aQuarantineIsAnOwnLockUntilItsEnd() {
        const QSignalSpy forced(m_console.get(), &Console::forceReleased);
        const monitor::LockSnapshot lock = heldByAlice();
        QCOMPARE(change(lock, ChangeKind::Quarantine, quarantine).outcome, Outcome::ForceReleased);
        QCOMPARE(forced.size(), 1);
        QCOMPARE(m_console->ownLocks().size(), 1);
        QVERIFY(m_console->ownLocks().first().isQuarantine);
        QCOMPARE(m_server.cli({"HGETALL", "L"}), m_console->ownLocks().first().holder.display() + "\n1");
        QCOMPARE(lastRecord().change.kind, ChangeKind::Quarantine);
        QCOMPARE(lastRecord().change.time, quarantine);
        QTRY_VERIFY_WITH_TIMEOUT(m_console->ownLocks().isEmpty(), 30000);
        QTRY_COMPARE(m_server.cli({"EXISTS", "L"}), "0");
        QTRY_COMPARE(lastRecord().action, AuditAction::Release);
    }

    // Waiters must not sleep until the TTL that they have read is over.
    void itsEndWakesTheWaiters() {
        redis::Connection waiter(m_server.options(), m_shards->transports(topology::OneShard::id), m_clock);
        waiter.open();
        QTRY_VERIFY(waiter.isReady());
        QSignalSpy woken(&waiter, &redis::Connection::pushReceived);
        const auto subscribed = waiter.send(redis::Command("SUBSCRIBE").arg("redisson_lock__channel:{L}"));
        QTRY_VERIFY(subscribed.isCompleted());
        const monitor::LockSnapshot lock = heldByAlice();
        woken.clear();
        QCOMPARE(change(lock, ChangeKind::Quarantine, quarantine).outcome, Outcome::ForceReleased);
        QCOMPARE(woken.size(), 0);
        QTRY_COMPARE_WITH_TIMEOUT(woken.size(), 1, 15000);
    }

    void aQuarantineCanBeEndedEarly() {
        const monitor::LockSnapshot lock = heldByAlice();
        QCOMPARE(change(lock, ChangeKind::Quarantine, 60s).outcome, Outcome::ForceReleased);
        QCOMPARE(release().outcome, Outcome::Released);
        QCOMPARE(m_server.cli({"EXISTS", "L"}), "0");
        QVERIFY(m_console->ownLocks().isEmpty());
    }

    void releasingAllEndsItToo() {
        const monitor::LockSnapshot lock = heldByAlice();
        QCOMPARE(change(lock, ChangeKind::Quarantine, 60s).outcome, Outcome::ForceReleased);
        test::waitForEnd(m_console->releaseAll(Deadline::in(m_clock, 5s)));
        QCOMPARE(m_server.cli({"EXISTS", "L"}), "0");
        QVERIFY(m_console->ownLocks().isEmpty());
    }

    void theEndOfTheConsoleLeavesItToItsLease() {
        const monitor::LockSnapshot lock = heldByAlice();
        QCOMPARE(change(lock, ChangeKind::Quarantine, 60s).outcome, Outcome::ForceReleased);
        m_console.reset();
        QVERIFY(ttl() > 55000 && ttl() <= 62000);
    }

    // The call pauses before it is sent again, and only the end of the console ends such a release.
    void aReleaseThatAClusterPostponesEndsWithTheConsole() {
        ManualClock clock;
        FakeShards shards(1);
        auto console = std::make_unique<Console>(m_server.options(), shards, clock, nullptr, AuditPlace());
        const QSignalSpy finished(console.get(), &Console::operationFinished);
        console->open();
        console->execute(nextId(), ReleaseRequest{LockName("L")});
        shards.server(0).acceptAll();
        QVERIFY(shards.server(0).lastLink().takeCommands().last().startsWith("EVALSHA"));
        shards.server(0).lastLink().reply("-CLUSTERDOWN The cluster is down\r\n");
        QCOMPARE(finished.size(), 0);
        console.reset();
        QCOMPARE(finished.size(), 1);
        QCOMPARE(finished[0][1].value<OperationResult>().error->code, ErrorCode::ConnectionLost);
    }

    // The server reports the change, so the loss does not wait for the time of the quarantine.
    void itsLossIsReportedBeforeItsEnd_data() {
        QTest::addColumn<QStringList>("next");
        QTest::addColumn<locks::LossReason>("why");
        QTest::newRow("deleted") << QStringList() << locks::LossReason::Gone;
        QTest::newRow("taken over") << QStringList{"HSET", "L", bob.display(), "1"} << locks::LossReason::TakenOver;
    }
    void itsLossIsReportedBeforeItsEnd() {
        QFETCH(QStringList, next);
        QFETCH(locks::LossReason, why);
        const QSignalSpy lost(m_console.get(), &Console::ownLockLost);
        const monitor::LockSnapshot lock = heldByAlice();
        QCOMPARE(change(lock, ChangeKind::Quarantine, 60s).outcome, Outcome::ForceReleased);
        const QStringList deleted{"EVAL", "redis.call('del', 'L') if #ARGV > 0 then redis.call(unpack(ARGV)) end", "0"};
        m_server.cli(deleted + next);
        QTRY_COMPARE_WITH_TIMEOUT(lost.size(), 1, 15000);
        QCOMPARE(lost[0][1].value<locks::LossReason>(), why);
        QVERIFY(m_console->ownLocks().isEmpty());
        QTRY_COMPARE(lastRecord().action, AuditAction::Lost);
        QTRY_VERIFY(m_console->isIdle());
    }

    // The lock of the quarantine expires, and nobody asked for this release.
    void itsEndThatTheServerRefusesIsReported() {
        const QSignalSpy refused(m_console.get(), &Console::releaseRefused);
        const QSignalSpy lost(m_console.get(), &Console::ownLockLost);
        const monitor::LockSnapshot lock = heldByAlice();
        QCOMPARE(change(lock, ChangeKind::Quarantine, quarantine).outcome, Outcome::ForceReleased);
        m_server.cli({"ACL", "SETUSER", "default", "-eval", "-evalsha"});
        QTRY_COMPARE_WITH_TIMEOUT(lost.size(), 1, 20000);
        QCOMPARE(refused.size(), 1);
        QCOMPARE(refused[0][1].value<Error>().code, ErrorCode::NotPermitted);
        QCOMPARE(lost[0][1].value<locks::LossReason>(), locks::LossReason::LeaseExpired);
    }

    // The lock is gone because this console has released it. The server reports no changes, so that the release is
    // the next script; a loss is noticed by a read after a third of the watchdog's timeout.
    void aReleaseWhoseAnswerIsLostIsNoLoss() {
        m_server.cli({"ACL", "SETUSER", "default", "-client|tracking"});
        const QSignalSpy lost(m_console.get(), &Console::ownLockLost);
        const monitor::LockSnapshot lock = heldByAlice();
        QCOMPARE(change(lock, ChangeKind::Quarantine, 60s).outcome, Outcome::ForceReleased);
        m_line->lose(LossyLine::Loss::Answer, 0);
        QCOMPARE(release().error->code, ErrorCode::OutcomeUnknown);
        QTRY_VERIFY_WITH_TIMEOUT(m_console->ownLocks().isEmpty(), 15000);
        QCOMPARE(m_server.cli({"EXISTS", "L"}), "0");
        QCOMPARE(lost.size(), 0);
    }

    void itsEndNeverReleasesAnotherHold() {
        const QSignalSpy lost(m_console.get(), &Console::ownLockLost);
        const monitor::LockSnapshot lock = heldByAlice();
        QCOMPARE(change(lock, ChangeKind::Quarantine, quarantine).outcome, Outcome::ForceReleased);
        m_server.cli({"DEL", "L"});
        m_server.cli({"HSET", "L", bob.display(), "1"});
        QTRY_COMPARE_WITH_TIMEOUT(lost.size(), 1, 15000);
        QCOMPARE(m_server.cli({"HGETALL", "L"}), bob.display() + "\n1");
    }

    void whatIsInQuarantineIsNotPutThereAgain() {
        const monitor::LockSnapshot lock = heldByAlice();
        QCOMPARE(change(lock, ChangeKind::Quarantine, 60s).outcome, Outcome::ForceReleased);
        const QString before = m_server.cli({"HGETALL", "L"});
        monitor::LockSnapshot now = lock;
        now.holders.first().id = m_console->ownLocks().first().holder;
        QCOMPARE(change(now, ChangeKind::Quarantine, 60s).error->cause, ConsoleCause::InQuarantine);
        QCOMPARE(m_server.cli({"HGETALL", "L"}), before);
        QCOMPARE(m_console->ownLocks().size(), 1);
    }

    void forcingItEndsIt() {
        const QSignalSpy lost(m_console.get(), &Console::ownLockLost);
        const monitor::LockSnapshot lock = heldByAlice();
        QCOMPARE(change(lock, ChangeKind::Quarantine, 60s).outcome, Outcome::ForceReleased);
        monitor::LockSnapshot now = lock;
        now.holders.first().id = m_console->ownLocks().first().holder;
        QCOMPARE(change(now, ChangeKind::ReleaseLock).outcome, Outcome::ForceReleased);
        QVERIFY(m_console->ownLocks().isEmpty());
        QCOMPARE(lost.size(), 0);
    }

    void aReleaseThatFindsAnotherHolderIsNone() {
        const QSignalSpy lost(m_console.get(), &Console::ownLockLost);
        const monitor::LockSnapshot lock = heldByAlice();
        QCOMPARE(change(lock, ChangeKind::Quarantine, 60s).outcome, Outcome::ForceReleased);
        m_server.cli({"EVAL", "redis.call('del', 'L') redis.call('hset', 'L', ARGV[1], 1)", "0", bob.display()});
        QCOMPARE(release().error->code, ErrorCode::NotHeld);
        QCOMPARE(lost.size(), 1);
        QCOMPARE(lost[0][1].value<locks::LossReason>(), locks::LossReason::TakenOver);
    }

    // It is not known whether the lock was released, so it counts as this console's until its lease is over. The
    // server reports no changes, so that the release is the next script.
    void aReleaseWithoutAnAnswerIsSaidAtTheEndOfTheLease() {
        m_server.cli({"ACL", "SETUSER", "default", "-client|tracking"});
        const QSignalSpy lost(m_console.get(), &Console::ownLockLost);
        const monitor::LockSnapshot lock = heldByAlice();
        QCOMPARE(change(lock, ChangeKind::Quarantine, quarantine).outcome, Outcome::ForceReleased);
        m_line->lose(LossyLine::Loss::Command, 0);
        QTRY_COMPARE_WITH_TIMEOUT(lost.size(), 1, 20000);
        QVERIFY(m_line->hasLostAll());
        QCOMPARE(lost[0][1].value<locks::LossReason>(), locks::LossReason::LeaseExpired);
        QTRY_COMPARE(m_server.cli({"EXISTS", "L"}), "0");
        QVERIFY(m_console->ownLocks().isEmpty());
    }

    // ---- a lost answer ----

    // It is not known whether the lock is held, and the server refuses to release it.
    void whatMayBeLeftIsInTheAuditAndReported() {
        const QSignalSpy refused(m_console.get(), &Console::releaseRefused);
        m_line->lose(LossyLine::Loss::Answer, 1);  // after the read
        m_line->whenLost = [this] { m_server.cli({"ACL", "SETUSER", "default", "-eval"}); };
        QCOMPARE(acquire(OwnLockKind::Reentrant).error->code, ErrorCode::OutcomeUnknown);
        QTRY_COMPARE_WITH_TIMEOUT(lastRecord().action, AuditAction::Release, 30000);
        QCOMPARE(lastRecord().outcome, AuditOutcome::Failed);
        QCOMPARE(refused.size(), 1);
        QCOMPARE(refused[0][0].value<LockName>(), LockName("L"));
        QCOMPARE(m_server.cli({"EXISTS", "L"}), "1");
        QTRY_VERIFY(m_console->isIdle());
    }

    // The server reports no changes, so the answer to the release is the first sign of the loss, and it arrives too
    // late.
    void aLateReleaseThatFoundNoHoldIsALoss() {
        m_server.cli({"ACL", "SETUSER", "default", "-client|tracking"});
        const QSignalSpy lost(m_console.get(), &Console::ownLockLost);
        QCOMPARE(acquire(OwnLockKind::Reentrant).outcome, Outcome::Acquired);
        QCOMPARE(release().outcome, Outcome::Released);  // the server knows the script now
        QCOMPARE(acquire(OwnLockKind::Reentrant).outcome, Outcome::Acquired);
        m_server.cli({"DEL", "L"});
        m_line->lateness = locks::LockClientOptions().commandTimeout + 1s;
        m_line->lose(LossyLine::Loss::LateAnswer);
        QCOMPARE(release().error->code, ErrorCode::OutcomeUnknown);
        QCOMPARE(lost.size(), 0);
        QTRY_COMPARE(lost.size(), 1);
        QCOMPARE(lost[0][1].value<locks::LossReason>(), locks::LossReason::TakenAway);
        QTRY_COMPARE(lastRecord().action, AuditAction::Lost);
    }

    void whatAnAcquireWithoutAnAnswerMayHaveTakenIsTakenBack_data() {
        QTest::addColumn<LossyLine::Loss>("loss");
        QTest::newRow("taken") << LossyLine::Loss::Answer;
        QTest::newRow("not taken") << LossyLine::Loss::Command;
    }
    void whatAnAcquireWithoutAnAnswerMayHaveTakenIsTakenBack() {
        QFETCH(LossyLine::Loss, loss);
        m_line->lose(loss, 1);  // after the read
        QCOMPARE(acquire(OwnLockKind::Reentrant).error->code, ErrorCode::OutcomeUnknown);
        QVERIFY(m_line->hasLostAll());
        QTRY_COMPARE_WITH_TIMEOUT(readAudit(auditFolder())->lines.size(), size_t{3}, 15000);
        const AuditReading audit = *readAudit(auditFolder());
        QCOMPARE(audit.lines[1].record->outcome, AuditOutcome::Unknown);
        QCOMPARE(audit.lines[2].record->outcome, AuditOutcome::TakenBack);
        QCOMPARE(audit.lines[2].record->id, audit.lines[0].record->id);
        QVERIFY(audit.faults.empty());
        QCOMPARE(m_server.cli({"EXISTS", "L"}), "0");
    }

    // No attempt is under way when the acquire is ended, so nothing is taken back.
    void anAcquireThatOnlyWaitedIsNotTakenBack() {
        heldByAlice();
        const OperationId id = nextId();
        m_console->execute(id, acquireOf("L", 1h));
        QTRY_COMPARE(m_server.cli({"PUBSUB", "CHANNELS"}), "redisson_lock__channel:{L}");
        QTRY_VERIFY(m_server.cli({"INFO", "commandstats"}).contains("cmdstat_evalsha"));
        const OperationId other = nextId();
        m_console->execute(other, acquireOf("another"));  // after the attempt that follows the subscription
        QCOMPARE(resultOf(other).outcome, Outcome::Acquired);
        m_console->cancel(id);
        QCOMPARE(resultOf(id).error->code, ErrorCode::Cancelled);
        QTRY_COMPARE(readAudit(auditFolder())->lines.size(), size_t{4});
        QCOMPARE(lastRecord().outcome, AuditOutcome::Unknown);
        const OperationId third = nextId();
        m_console->execute(third, acquireOf("third"));
        QCOMPARE(resultOf(third).outcome, Outcome::Acquired);
        QTRY_COMPARE(readAudit(auditFolder())->lines.size(), size_t{6});
        const AuditReading audit = *readAudit(auditFolder());
        for (const AuditLine& line : audit.lines)
            QVERIFY(line.record->outcome != AuditOutcome::TakenBack);
    }

    void aLostAnswerIsFollowedByARead_data() {
        QTest::addColumn<LossyLine::Loss>("loss");
        QTest::addColumn<ChangeKind>("kind");
        QTest::addColumn<Found>("found");
        QTest::newRow("done") << LossyLine::Loss::Answer << ChangeKind::ReleaseLock << Found::Done;
        QTest::newRow("not done") << LossyLine::Loss::Command << ChangeKind::ReleaseLock << Found::NotDone;
        QTest::newRow("an expiry set") << LossyLine::Loss::Answer << ChangeKind::SetExpiry << Found::Done;
        QTest::newRow("in quarantine") << LossyLine::Loss::Answer << ChangeKind::Quarantine << Found::Done;
    }
    void aLostAnswerIsFollowedByARead() {
        QFETCH(LossyLine::Loss, loss);
        QFETCH(ChangeKind, kind);
        QFETCH(Found, found);
        const monitor::LockSnapshot lock = heldByAlice();
        m_line->lose(loss, 1);  // after the read
        const OperationResult result = change(lock, kind, 30s);
        QVERIFY(m_line->hasLostAll());
        QCOMPARE(result.outcome, Outcome::Failed);
        QCOMPARE(result.error->code, ErrorCode::OutcomeUnknown);
        QCOMPARE(result.found, found);
        QVERIFY(result.now);
        QCOMPARE(lastRecord().outcome, AuditOutcome::Unknown);
        QVERIFY(lastRecord().state);
        QCOMPARE(m_console->ownLocks().size(), kind == ChangeKind::Quarantine ? 1 : 0);
    }
};

LOCKKEEPER_TEST(TestConsoleLocks, Guiless)

}  // namespace tst_consolelocks

#include "tst_consolelocks.moc"
