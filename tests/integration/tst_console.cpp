// SPDX-License-Identifier: Apache-2.0
#include "base/systemclock.h"
#include "control/audit/auditjson.h"
#include "control/audit/readaudit.h"
#include "control/console.h"
#include "platform/filelock.h"
#include "redis/sockettransport.h"
#include "support/acquirerequest.h"
#include "support/redisserver.h"
#include "support/serverhand.h"
#include "support/taskwait.h"
#include "support/testprogram.h"

#include <QDir>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

namespace tst_console {

using namespace lockkeeper;
using namespace lockkeeper::control;
using namespace std::chrono_literals;

namespace {

const QByteArray strangerUuid = "0ae6d8e3-41d2-4a0e-9c76-0a4f3c1f6f10";
const QString stranger = QString::fromLatin1(strangerUuid) + ":33";

}  // namespace

// The operator's actions on a real server.
class TestConsole : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() {
        QVERIFY(m_server.start());
        makeConsole(redis::AccessMode::ReadWrite);
    }
    void cleanup() {
        m_console.reset();
        m_audit.reset();
        m_server.stop();
        QVERIFY(QDir(auditFolder()).removeRecursively());
    }

    void takesALockAndMarksItAsItsOwn() {
        QCOMPARE(acquire("L", std::nullopt).outcome, Outcome::Acquired);
        QCOMPARE(m_console->ownLocks().size(), 1);
        const OwnLock own = m_console->ownLocks().first();
        QCOMPARE(own.name, LockName("L"));
        QVERIFY(own.renewed);
        QCOMPARE(m_server.cli({"HGETALL", "L"}), own.holder.display() + "\n1");
        QCOMPARE(m_shownLocks, m_console->ownLocks());
    }

    void aLeaseIsNotRenewed() {
        QCOMPARE(acquire("L", 20s).outcome, Outcome::Acquired);
        QVERIFY(!m_console->ownLocks().first().renewed);
        const int ttl = m_server.cli({"PTTL", "L"}).toInt();
        QVERIFY2(ttl > 15000 && ttl <= 20000, qPrintable(QString::number(ttl)));
    }

    void whatItTakesTwiceItGivesBackTwice() {
        QCOMPARE(acquire("L", std::nullopt).outcome, Outcome::Acquired);
        QCOMPARE(acquire("L", std::nullopt).outcome, Outcome::Acquired);
        QCOMPARE(release("L").outcome, Outcome::ReleasedOnce);
        QCOMPARE(release("L").outcome, Outcome::Released);
        QVERIFY(m_console->ownLocks().isEmpty());
        QTRY_VERIFY(m_shownLocks.isEmpty());
    }

    void releasesOnlyItsOwn() {
        m_server.cli({"HSET", "L", stranger, "1"});
        const OperationResult result = release("L");
        QCOMPARE(result.outcome, Outcome::Failed);
        QCOMPARE(result.error->code, ErrorCode::NotHeld);
        QCOMPARE(m_server.cli({"HGET", "L", stranger}), "1");
    }

    void saysWhenAnotherHoldsIt() {
        m_server.cli({"HSET", "L", stranger, "1"});
        QCOMPARE(acquire("L", std::nullopt).outcome, Outcome::HeldByOther);
    }

    void waitingCanBeCancelled() {
        m_server.cli({"HSET", "L", stranger, "1"});
        const OperationId id = nextId();
        m_console->execute(id, test::acquireOf("L", 1h));
        QTRY_COMPARE(m_server.cli({"PUBSUB", "CHANNELS"}), "redisson_lock__channel:{L}");
        // The attempt after its subscription goes before those of another acquire, which is answered in several
        // steps.
        QCOMPARE(acquire("another", std::nullopt).outcome, Outcome::Acquired);
        m_console->cancel(id);
        QTRY_VERIFY(m_results.contains(id));
        QCOMPARE(m_results.value(id).error->code, ErrorCode::Cancelled);
        QVERIFY2(!m_results.value(id).isUnderWay, "its last request was answered");
        QTRY_COMPARE(m_server.cli({"PUBSUB", "CHANNELS"}), "");
    }

    // A pause of writes holds the request up, and lets commands that read pass.
    void whatIsEndedWhileARequestIsUnderWaySaysSo_data() {
        QTest::addColumn<bool>("isDisarmed");
        QTest::addColumn<ErrorCode>("error");
        QTest::newRow("cancelled") << false << ErrorCode::Cancelled;
        QTest::newRow("disarmed") << true << ErrorCode::NotArmed;
    }
    void whatIsEndedWhileARequestIsUnderWaySaysSo() {
        QFETCH(bool, isDisarmed);
        QFETCH(ErrorCode, error);
        m_server.cli({"CLIENT", "PAUSE", "600000", "WRITE"});
        AcquireRequest request;
        request.name = LockName("L");
        const OperationId id = nextId();
        m_console->execute(id, request);
        QTRY_VERIFY(m_server.cli({"CLIENT", "LIST"}).contains("cmd=evalsha "));
        if (isDisarmed)
            m_console->setWriting(Writing::Refused);
        else
            m_console->cancel(id);
        QCOMPARE(resultOf(id).error->code, error);
        QVERIFY(resultOf(id).isUnderWay);
        QVERIFY(!m_console->isIdle());
        m_server.cli({"CLIENT", "UNPAUSE"});
        QTRY_VERIFY(m_console->isIdle());
        QCOMPARE(m_server.cli({"EXISTS", "L"}), "0");
        QVERIFY(m_console->ownLocks().isEmpty());
    }

    void breaksALockThatIsAsConfirmed() {
        m_server.cli({"HSET", "L", stranger, "1"});
        QSignalSpy forced(m_console.get(), &Console::forceReleased);
        QCOMPARE(forceRelease(1).outcome, Outcome::ForceReleased);
        QCOMPARE(m_server.cli({"EXISTS", "L"}), "0");
        QCOMPARE(forced.count(), 1);
        QCOMPARE(forced.front().front().value<monitor::LockSnapshot>().holders.first().id.display(), stranger);
        QCOMPARE(forceRelease(1).outcome, Outcome::AlreadyFree);
        QCOMPARE(forced.count(), 1);
    }

    // The user may not publish.
    void saysThatTheWaitersWereNotWoken() {
        QCOMPARE(acquire("L", std::nullopt).outcome, Outcome::Acquired);
        m_server.cli({"ACL", "SETUSER", "default", "-publish"});
        QCOMPARE(release("L").error->code, ErrorCode::NotAnnounced);
        QVERIFY(m_console->ownLocks().isEmpty());
        m_server.cli({"HSET", "L", stranger, "1"});
        const QSignalSpy forced(m_console.get(), &Console::forceReleased);
        QCOMPARE(forceRelease(1).error->code, ErrorCode::NotAnnounced);
        QCOMPARE(forced.count(), 1);
        QCOMPARE(m_server.cli({"EXISTS", "L"}), "0");
    }

    void doesNotBreakALockThatHasChanged() {
        m_server.cli({"HSET", "L", stranger, "2"});
        const QSignalSpy forced(m_console.get(), &Console::forceReleased);
        const OperationResult result = forceRelease(1);
        QCOMPARE(result.outcome, Outcome::HolderChanged);
        QVERIFY(forced.isEmpty());
        QCOMPARE(m_server.cli({"HGET", "L", stranger}), "2");
        QVERIFY(result.now);
        QCOMPARE(result.now->holders.first().count, 2);
    }

    void theReasonOfAForceReleaseIsKept() {
        m_server.cli({"HSET", "L", stranger, "1"});
        QCOMPARE(forceRelease(1).outcome, Outcome::ForceReleased);
        const Result<AuditReading> reading = readAudit(auditFolder());
        QCOMPARE(reading->lines.size(), size_t{2});
        const AuditRecord intent = *reading->lines[0].record;
        QCOMPARE(intent.step, AuditStep::Intent);
        QCOMPARE(intent.reason, QStringLiteral("it hangs"));
        QCOMPARE(intent.place.server, QStringLiteral("cache.example:6379/0"));
        QCOMPARE(intent.state->holders.first().id.display(), stranger);
        const AuditRecord outcome = *reading->lines[1].record;
        QCOMPARE(outcome.id, intent.id);
        QCOMPARE(outcome.outcome, AuditOutcome::Done);
        QVERIFY(outcome.state && !outcome.state->isHeld());
    }

    void withoutAnAuditNothingIsBroken() {
        QVERIFY(QFile(auditFolder()).open(QIODevice::WriteOnly));  // a file stands in place of the folder
        m_server.cli({"HSET", "L", stranger, "1"});
        const OperationResult result = forceRelease(1);
        QVERIFY(QFile::remove(auditFolder()));
        QCOMPARE(result.outcome, Outcome::Failed);
        QCOMPARE(result.error->code, ErrorCode::Storage);
        QCOMPARE(m_server.cli({"HGET", "L", stranger}), "1");
    }

    void ownLocksAreInTheAudit() {
        QCOMPARE(acquire("L", std::nullopt).outcome, Outcome::Acquired);
        const HolderId self = m_console->ownLocks().first().holder;
        QCOMPARE(release("L").outcome, Outcome::Released);
        m_server.cli({"HSET", "held", stranger, "1"});
        QCOMPARE(acquire("held", std::nullopt).outcome, Outcome::HeldByOther);
        QCOMPARE(acquire("lost", std::nullopt).outcome, Outcome::Acquired);
        m_server.cli({"DEL", "lost"});
        QTRY_VERIFY(m_console->ownLocks().isEmpty());
        m_console.reset();
        m_audit.reset();
        QStringList lines;
        const Result<AuditReading> reading = readAudit(auditFolder());
        for (const AuditLine& line : reading->lines) {
            QCOMPARE(line.record->holder, self);
            lines << QStringLiteral("%1 %2 %3 %4")
                         .arg(int(line.record->action))
                         .arg(int(line.record->step))
                         .arg(wordFor(line.record->outcome), QString::fromUtf8(line.record->lock.bytes()));
        }
        const QString acquired = QStringLiteral("%1 0 unknown %2\n%1 1 %3 %2").arg(int(AuditAction::Acquire));
        QCOMPARE(lines.join(u'\n'),
                 QStringList({acquired.arg("L", "done"), QStringLiteral("%1 1 done L").arg(int(AuditAction::Release)),
                              acquired.arg("held", "other_holder"), acquired.arg("lost", "done"),
                              QStringLiteral("%1 1 done lost").arg(int(AuditAction::Lost))})
                     .join(u'\n'));
        QVERIFY(reading->faults.empty());
    }

    // The lock's whole state before the request and after it.
    void anAcquireIsInTheAuditWithTheLockAsItWas() {
        QCOMPARE(acquire("L", 60s).outcome, Outcome::Acquired);
        const HolderId self = m_console->ownLocks().first().holder;
        m_server.cli({"HSET", "held", stranger, "2"});
        const OperationResult refused = acquire("held", std::nullopt);
        QCOMPARE(refused.now->holders.first().id.display(), stranger);
        m_console.reset();
        m_audit.reset();
        const std::vector<AuditLine> lines = readAudit(auditFolder())->lines;
        QCOMPARE(lines.size(), size_t{4});
        QVERIFY(!lines[0].record->state->isHeld());
        QCOMPARE(lines[1].record->state->holders.first().id, self);
        QVERIFY(lines[1].record->state->ttl > 30s);
        for (const size_t line : {2, 3}) {
            QCOMPARE(lines[line].record->state->holders.first().id.display(), stranger);
            QCOMPARE(lines[line].record->state->holders.first().count, 2);
        }
    }

    void withoutAnAuditNothingIsAcquiredButWhatIsHeldIsReleased() {
        QCOMPARE(acquire("L", std::nullopt).outcome, Outcome::Acquired);
        QTRY_COMPARE(readAudit(auditFolder())->lines.size(), size_t{2});
        QVERIFY(QDir(auditFolder()).removeRecursively());
        QVERIFY(QFile(auditFolder()).open(QIODevice::WriteOnly));  // a file stands in place of the folder
        const OperationResult result = acquire("other", std::nullopt);
        QCOMPARE(result.error->code, ErrorCode::Storage);
        QCOMPARE(m_server.cli({"EXISTS", "other"}), "0");
        QCOMPARE(release("L").outcome, Outcome::Released);
        QVERIFY(QFile::remove(auditFolder()));
    }

    void anEndBetweenTheCommandAndItsAnswerIsRecorded() {
        m_server.cli({"HSET", "L", stranger, "1"});
        QVERIFY(QDir().mkpath(auditFolder()));
        auto keeper = std::make_unique<platform::FileLock>(auditFolder() + QStringLiteral("/lock"));
        QVERIFY(keeper->acquire(1s));
        m_console->execute(nextId(), forceRequest(1));
        QTRY_VERIFY(test::ServerHand(m_server).calls(QStringLiteral("eval_ro")) == 1);
        // Answers come in order: when these have arrived, the intent waits for the disk.
        QCOMPARE(release("other").error->code, ErrorCode::NotHeld);
        QCOMPARE(release("other").error->code, ErrorCode::NotHeld);
        m_server.freeze();
        keeper.reset();
        // Records are answered in order, and the command is sent as soon as its own record is.
        AuditRecord next;
        next.step = AuditStep::Outcome;
        const Completion<Done> written = m_audit->write(next);
        QTRY_VERIFY(written.isCompleted());
        m_console.reset();
        m_audit.reset();
        m_server.kill();
        const std::vector<AuditLine> lines = readAudit(auditFolder())->lines;
        QCOMPARE(lines.front().record->action, AuditAction::Change);
        QCOMPARE(lines.back().record->id, lines.front().record->id);
        QCOMPARE(lines.back().record->outcome, AuditOutcome::Unknown);
    }

    void aReadOnlyConsoleDoesNothing() {
        makeConsole(redis::AccessMode::ReadOnly);
        m_server.cli({"HSET", "L", stranger, "1"});
        QCOMPARE(acquire("M", std::nullopt).error->code, ErrorCode::NotPermitted);
        QCOMPARE(release("L").error->code, ErrorCode::NotPermitted);
        QCOMPARE(forceRelease(1).error->code, ErrorCode::NotPermitted);
        QCOMPARE(m_server.cli({"KEYS", "*"}), "L");
    }

    void aLockTakenAwayIsToldAtOnceWhenItIsGivenBack() {
        QCOMPARE(acquire("L", std::nullopt).outcome, Outcome::Acquired);
        m_server.cli({"DEL", "L"});
        QCOMPARE(release("L").error->code, ErrorCode::NotHeld);
        QVERIFY(m_console->ownLocks().isEmpty());
    }

    void releaseAllGivesEverythingBack() {
        QCOMPARE(acquire("A", std::nullopt).outcome, Outcome::Acquired);
        QCOMPARE(acquire("A", std::nullopt).outcome, Outcome::Acquired);
        QCOMPARE(acquire("B", 20s).outcome, Outcome::Acquired);
        test::waitForEnd(m_console->releaseAll(Deadline::in(m_clock, 5s)));
        QCOMPARE(m_server.cli({"DBSIZE"}), "0");
    }

    void endsInOrderWhileOperationsAreUnderWay() {
        m_server.cli({"HSET", "L", stranger, "1"});
        AcquireRequest request;
        request.name = LockName("L");
        request.wait = 1h;
        m_console->execute(nextId(), request);
        m_console->execute(nextId(), ReleaseRequest{LockName("L")});
        m_console.reset();  // a task that still runs would abort the program here
    }

private:
    void makeConsole(redis::AccessMode access) {
        redis::ConnectionOptions options = m_server.options();
        options.access = access;
        const redis::Endpoint endpoint = options.endpoint;
        m_console.reset();
        m_shards = std::make_unique<topology::OneShard>([endpoint] { return redis::makeSocketTransport(endpoint); });
        AuditPlace place;
        place.server = QStringLiteral("cache.example:6379/0");
        m_audit = std::make_unique<AuditLog>(auditFolder(), m_clock);
        m_console = std::make_unique<Console>(options, *m_shards, m_clock, m_audit.get(), place);
        m_results.clear();
        connect(m_console.get(), &Console::operationFinished, this,
                [this](OperationId id, const OperationResult& result) { m_results.insert(id, result); });
        connect(m_console.get(), &Console::ownLocksChanged, this,
                [this](const QList<OwnLock>& locks) { m_shownLocks = locks; });
        m_console->open();
    }

    OperationId nextId() { return OperationId{++m_lastId}; }

    OperationResult resultOf(OperationId id) {
        if (!QTest::qWaitFor([this, id] { return m_results.contains(id); }, 10000))
            qFatal("an operation was not answered");
        return m_results.value(id);
    }

    OperationResult acquire(const QByteArray& name, std::optional<Milliseconds> lease) {
        AcquireRequest request;
        request.name = LockName(name);
        request.lease = lease;
        const OperationId id = nextId();
        m_console->execute(id, request);
        return resultOf(id);
    }

    OperationResult release(const QByteArray& name) {
        const OperationId id = nextId();
        m_console->execute(id, ReleaseRequest{LockName(name)});
        return resultOf(id);
    }

    QString auditFolder() const { return m_data.filePath(QStringLiteral("audit")); }

    static ForceReleaseRequest forceRequest(qint64 confirmedCount) {
        ForceReleaseRequest request;
        request.confirmed.name = LockName("L");
        request.confirmed.kind = monitor::LockKind::Reentrant;
        monitor::Holder holder;
        holder.id = HolderId(ClientId(strangerUuid), ThreadId{33});
        holder.count = confirmedCount;
        request.confirmed.holders = {holder};
        request.reason = QStringLiteral("it hangs");
        return request;
    }

    OperationResult forceRelease(qint64 confirmedCount) {
        const OperationId id = nextId();
        m_console->execute(id, forceRequest(confirmedCount));
        return resultOf(id);
    }

    test::RedisServer m_server;
    SystemClock m_clock;
    std::unique_ptr<topology::OneShard> m_shards;
    QTemporaryDir m_data;
    std::unique_ptr<AuditLog> m_audit;
    std::unique_ptr<Console> m_console;
    QHash<OperationId, OperationResult> m_results;
    QList<OwnLock> m_shownLocks;
    quint64 m_lastId = 0;
};

LOCKKEEPER_TEST(TestConsole, Guiless)

}  // namespace tst_console

#include "tst_console.moc"
