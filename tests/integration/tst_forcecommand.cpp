// SPDX-License-Identifier: Apache-2.0
#include "base/isotime.h"
#include "control/audit/auditfile.h"
#include "control/audit/readaudit.h"
#include "profile/profilestore.h"
#include "support/exitcodes.h"
#include "support/places.h"
#include "support/redisserver.h"
#include "support/serverhand.h"
#include "support/testprogram.h"
#include "support/tool.h"

#include <QDateTime>
#include <QDir>
#include <QProcess>
#include <QScopeGuard>
#include <QTemporaryDir>
#include <QTest>

#include <sys/resource.h>
#include <sys/stat.h>
#include <csignal>

namespace tst_forcecommand {

using namespace lockkeeper;
using namespace lockkeeper::test::exitcode;
using control::AuditLine;
using control::AuditOutcome;
using control::AuditRecord;
using control::AuditStep;

namespace {

const QString worker = QStringLiteral("0ae6d8e3-41d2-4a0e-9c76-0a4f3c1f6f10:33");
const QString other = QStringLiteral("b1f7d9a4-52e3-4b1f-8d87-1b5a4d2a7a21:36");
const QString third = QStringLiteral("c2a8e0b5-63f4-4c20-9e98-2c6b5e3b8b32:39");

}  // namespace

// `lockkeeper force-release`, as an operator in a terminal or a script uses it, and `lockkeeper audit` after it.
class TestForceCommand : public QObject {
    Q_OBJECT

private:
    QString url() const { return QStringLiteral("unix://") + m_server.socketPath(); }
    QString folder() const { return m_data->filePath(QStringLiteral("lockkeeper/lockkeeper/audit")); }
    void hold(const QStringList& fields) { m_server.cli(QStringList{"HSET", "L"} + fields); }
    void hold(const QString& holder = worker, const char* count = "1") { hold({holder, QString::fromLatin1(count)}); }
    // As Redisson writes a value of a faster multi lock.
    static QStringList valueOf(const QString& value, const QString& holder) {
        const QString part = value + u':' + holder;
        return {value, holder, part + ":expire_time", "99999999999999", part + ":lock_count", "1"};
    }
    bool isHeld() { return m_server.cli({"EXISTS", "L"}) == "1"; }

    std::unique_ptr<QProcess> program() const {
        auto process = std::make_unique<QProcess>();
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        environment.insert(QStringLiteral("XDG_DATA_HOME"), m_data->path());
        process->setProcessEnvironment(environment);
        process->setStandardInputFile(QProcess::nullDevice());
        return process;
    }
    // room: the largest size of a file in bytes; writing more fails.
    int run(const QStringList& arguments, rlim_t room = RLIM_INFINITY) {
        const std::unique_ptr<QProcess> process = program();
        process->setChildProcessModifier([room] {
            const rlimit limit{room, room};
            setrlimit(RLIMIT_FSIZE, &limit);
            std::signal(SIGXFSZ, SIG_IGN);
        });
        process->start(test::places::program(), arguments);
        if (!process->waitForFinished(60000))
            return -1;
        m_output = QString::fromUtf8(process->readAllStandardOutput());
        m_complaint = QString::fromUtf8(process->readAllStandardError());
        return process->exitCode();
    }
    // Runs with all options that a script must give.
    int force(const QStringList& further = {}, rlim_t room = RLIM_INFINITY) {
        return run(QStringList{"force-release", url(), "L", "--holder", worker, "--reason", "worker-7 crashed",
                               "--confirm", "L"} +
                       further,
                   room);
    }
    profile::StoredProfile orders() const {
        profile::StoredProfile stored;
        stored.profile = *profile::ConnectionProfile::fromUrl(url());
        stored.profile.id = profile::ProfileStore::newId();
        stored.label = {QStringLiteral("Orders"), profile::Environment::Staging, {}};
        stored.keeping = profile::StoredProfile::Keeping::Saved;
        return stored;
    }
    int forceThrough(const profile::StoredProfile& saved) {
        const QString path =
            qEnvironmentVariable("XDG_CONFIG_HOME") + QStringLiteral("/lockkeeper/lockkeeper/profiles.json");
        if (!profile::ProfileStore(path).save({saved}).ok())
            return -1;
        const auto remove = qScopeGuard([&path] { QFile::remove(path); });
        return run(
            {"force-release", "--profile", saved.label.name, "L", "--holder", worker, "--reason", "crashed", "--yes"});
    }
    // A fair queue, its head first, of waiters that are not subscribed.
    void queueUp(const QStringList& waiters) {
        const qint64 deadline = QDateTime::currentMSecsSinceEpoch() + 300000;
        for (const QString& waiter : waiters) {
            m_server.cli({"RPUSH", "redisson_lock_queue:{L}", waiter});
            m_server.cli({"ZADD", "redisson_lock_timeout:{L}", QString::number(deadline), waiter});
        }
    }
    QString queue() { return m_server.cli({"LRANGE", "redisson_lock_queue:{L}", "0", "-1"}); }
    int removeWaiter(const QStringList& further) {
        return run(QStringList{"force-release", url(), "L", "--waiter", worker, "--reason", "worker-7 crashed",
                               "--confirm", "L"} +
                   further);
    }
    // Whether the lock was read before the confirmation and after it. The first script is sent by its hash, then by
    // its text.
    bool isReadTwice() {
        test::ServerHand hand(m_server);
        return hand.calls(QStringLiteral("eval_ro")) == 1 && hand.calls(QStringLiteral("evalsha_ro")) == 2;
    }
    std::vector<AuditLine> lines() const {
        const Result<control::AuditReading> reading = control::readAudit(folder());
        return reading && reading->faults.empty() ? reading->lines : std::vector<AuditLine>();
    }
    // The outcome of the only action in the audit.
    std::optional<AuditRecord> outcome() const {
        const std::vector<AuditLine> all = lines();
        const bool isPair = all.size() == 2 && all[0].record->step == AuditStep::Intent &&
                            all[1].record->step == AuditStep::Outcome && all[0].record->id == all[1].record->id;
        return isPair ? all[1].record : std::nullopt;
    }

    test::RedisServer m_server;
    std::unique_ptr<QTemporaryDir> m_data;
    QString m_output;
    QString m_complaint;

private Q_SLOTS:
    void init() {
        m_data = std::make_unique<QTemporaryDir>();
        QVERIFY(m_server.start());
    }
    void cleanup() { m_server.stop(); }

    void breaksTheLockOfAnotherProgram() {
        hold({"svc:1", "2"});
        m_server.cli({"PEXPIRE", "L", "60000"});
        const QStringList given{"force-release", url(), "L", "--reason", "svc crashed", "--confirm", "L", "--holder"};
        QCOMPARE(run(given + QStringList{"svc:2"}), otherHolder);
        QVERIFY(isHeld());
        QCOMPARE(run(given + QStringList{"svc:1"}), 0);
        QVERIFY(!isHeld());
        const std::optional<AuditRecord> recorded = outcome();
        QVERIFY(recorded);
        QCOMPARE(recorded->outcome, AuditOutcome::Done);
        const std::vector<AuditLine> all = lines();
        QCOMPARE(all[0].record->state->otherProgram().size(), 1);
        QCOMPARE(all[0].record->state->holders.first().id.bytes(), "svc:1");
    }

    void givesBackAPermitAndRecordsIt() {
        const QString id = QString::fromLatin1(QByteArray("a-permit-of-16-b").toHex());
        m_server.cli({"SET", "pool", "0"});
        m_server.cli({"ZADD", "{pool}:timeout", "1700000300123", "a-permit-of-16-b"});
        const QStringList given{"force-release", url(),     "pool",      "--permit", id,
                                "--reason",      "crashed", "--confirm", "pool"};
        QCOMPARE(run(given), 0);
        QCOMPARE(m_server.cli({"GET", "pool"}), "1");
        QCOMPARE(m_server.cli({"EXISTS", "{pool}:timeout"}), "0");
        const std::optional<AuditRecord> recorded = outcome();
        QVERIFY(recorded);
        QCOMPARE(recorded->outcome, AuditOutcome::Done);
        QCOMPARE(recorded->change.kind, control::ChangeKind::GiveBackPermit);
        QCOMPARE(recorded->change.permit->id, QByteArray("a-permit-of-16-b"));
        QCOMPARE(recorded->change.permit->ends, std::optional(WallTime(Milliseconds(1700000300123))));
        QVERIFY2(m_output.contains("a permit of 'pool' was returned"), qPrintable(m_output));
        QCOMPARE(run(given), alreadyFree);
        QCOMPARE(m_server.cli({"GET", "pool"}), "1");
        QCOMPARE(run({"audit"}), 0);
        QVERIFY2(m_output.contains("return of the permit " + id), qPrintable(m_output));
        QVERIFY2(m_output.contains("its lease ended at 2023-11-14T22:18:20.123Z"), qPrintable(m_output));
    }

    void keepsAPermitWhoseLeaseIsNotOver() {
        const QString id = QString::fromLatin1(QByteArray("a-permit-of-16-b").toHex());
        m_server.cli({"SET", "pool", "0"});
        m_server.cli({"ZADD", "{pool}:timeout", "99999999999999", "a-permit-of-16-b"});
        QCOMPARE(run({"force-release", url(), "pool", "--permit", id, "--reason", "crashed", "--confirm", "pool"}),
                 refused);
        QCOMPARE(m_server.cli({"GET", "pool"}), "0");
        QVERIFY(lines().empty());
    }

    void breaksTheLockAndRecordsIt() {
        hold(worker, "2");
        m_server.cli({"PEXPIRE", "L", "60000"});
        QCOMPARE(force({"--count", "2"}), 0);
        QVERIFY2(m_complaint.isEmpty(), qPrintable(m_complaint));
        QVERIFY(m_output.contains(worker));
        QVERIFY(m_output.endsWith(QStringLiteral("'L' was released by force\n")));
        QVERIFY(!isHeld());
        QVERIFY(outcome());
        const AuditRecord intent = *lines()[0].record;
        QCOMPARE(intent.lock, LockName("L"));
        QCOMPARE(intent.reason, QStringLiteral("worker-7 crashed"));
        QCOMPARE(intent.place.server, m_server.socketPath());
        QVERIFY(!intent.user.isEmpty() && !intent.host.isEmpty());
        QCOMPARE(intent.state->holders.first().id.display(), worker);
        QCOMPARE(intent.state->holders.first().count, 2);
        QVERIFY(intent.state->ttl);
        QCOMPARE(outcome()->outcome, AuditOutcome::Done);
        QVERIFY(!outcome()->state->isHeld());
    }

    void doesNotBreakWhatIsNotHeldAsGiven_data() {
        QTest::addColumn<QStringList>("fields");
        QTest::addColumn<QStringList>("options");
        QTest::newRow("another holder") << QStringList{other, "1"} << QStringList();
        QTest::newRow("one more reader") << QStringList{"mode", "read", worker, "1", other, "1"} << QStringList();
        QTest::newRow("another count") << QStringList{worker, "2"} << QStringList{"--count", "1"};
        QTest::newRow("another token") << QStringList{worker, "1"} << QStringList{"--token", "7"};
    }
    void doesNotBreakWhatIsNotHeldAsGiven() {
        QFETCH(QStringList, fields);
        QFETCH(QStringList, options);
        hold(fields);
        m_server.cli({"SET", "redisson_lock_token:{L}", "8"});
        QCOMPARE(force(options), otherHolder);
        QVERIFY(m_output.contains(fields.at(fields.size() - 2)));  // who holds it
        QVERIFY(isHeld());
        QVERIFY(!QFile::exists(folder()));
    }

    void theTokenThatIsGivenIsCompared() {
        hold();
        m_server.cli({"SET", "redisson_lock_token:{L}", "8"});
        QCOMPARE(force({"--token", "8"}), 0);
        QCOMPARE(lines()[0].record->state->token, 8);
    }

    void aKeyThatIsNoLockIsLeftAlone() {
        m_server.cli({"SET", "L", "text"});
        QCOMPARE(force(), otherHolder);
        QCOMPARE(m_server.cli({"GET", "L"}), "text");
    }

    void aLockThatChangesInBetweenIsLeftAlone() {
        hold();
        QProcess keeper;  // keeps the audit locked until the lock has changed
        QVERIFY(QDir().mkpath(folder()));
        keeper.start(QStringLiteral("flock"), {folder() + "/lock", "sh", "-c", "echo locked; read unused"});
        QVERIFY(keeper.waitForReadyRead());
        const std::unique_ptr<QProcess> process = program();
        process->start(test::places::program(),
                       {"force-release", url(), "L", "--holder", worker, "--reason", "r", "--confirm", "L"});
        QTRY_VERIFY(isReadTwice());  // it waits for the audit now
        m_server.cli({"HINCRBY", "L", worker, "1"});
        keeper.closeWriteChannel();
        QVERIFY(process->waitForFinished());
        QCOMPARE(process->exitCode(), otherHolder);
        QVERIFY(process->readAllStandardOutput().contains("x2"));
        QVERIFY(isHeld());
        QCOMPARE(outcome()->outcome, AuditOutcome::OtherHolder);
        QVERIFY(keeper.waitForFinished());
    }

    void saysThatItIsFreeAlready() {
        QCOMPARE(force(), alreadyFree);
        QVERIFY(!QFile::exists(folder()));
    }

    // A writer holds a lock that is in read mode.
    void doesNotBreakAKindThatItDoesNotKnow() {
        hold({"mode", "read", worker + ":write", "1"});
        const int code = force();
        QVERIFY2(code == refused || code == otherHolder, qPrintable(m_complaint));
        QVERIFY(isHeld());
    }

    void ofAFasterMultiLockItReleasesOneHolder() {
        hold(valueOf("x", worker) + valueOf("y", other));
        QCOMPARE(force({"--count", "2"}), otherHolder);
        QCOMPARE(force(), 0);
        QVERIFY2(m_output.contains(QStringLiteral("one holder of 'L' was released by force")), qPrintable(m_output));
        QCOMPARE(m_server.cli({"HEXISTS", "L", "x"}) + m_server.cli({"HEXISTS", "L", "y"}), "01");
        QCOMPARE(outcome()->change.kind, control::ChangeKind::ReleaseHolder);
        QCOMPARE(outcome()->change.holder->display(), worker);
        QCOMPARE(force(), otherHolder);
    }

    void withoutAServerThereIsNoConnection() {
        m_server.stop();
        QCOMPARE(force(), noConnection);
        QVERIFY(!QFile::exists(folder()));
    }

    void theServerMayRefuse() {
        hold();
        m_server.cli({"ACL", "SETUSER", "default", "-evalsha", "-eval", "-script"});
        QCOMPARE(force(), denied);
        QVERIFY(isHeld());
        QCOMPARE(outcome()->outcome, AuditOutcome::Failed);
        QVERIFY(!outcome()->error.isEmpty());
    }

    void aLostAnswerIsAnUnknownOutcome() {
        hold();
        QProcess keeper;
        QVERIFY(QDir().mkpath(folder()));
        keeper.start(QStringLiteral("flock"), {folder() + "/lock", "sh", "-c", "echo locked; read unused"});
        QVERIFY(keeper.waitForReadyRead());
        const std::unique_ptr<QProcess> process = program();
        process->start(test::places::program(),
                       {"force-release", url(), "L", "--holder", worker, "--reason", "r", "--confirm", "L"});
        QTRY_VERIFY(isReadTwice());
        m_server.freeze();
        keeper.closeWriteChannel();
        QTRY_COMPARE(lines().size(), size_t{1});
        // Nothing reports that the command was sent. It follows the line at once, and the answer is waited for.
        QVERIFY(process->waitForFinished(20000));
        m_server.thaw();
        QCOMPARE(process->exitCode(), outcomeUnknown);
        QCOMPARE(outcome()->outcome, AuditOutcome::Unknown);
    }

    void aWakeUpThatTheServerRefusesIsReported() {
        hold();
        m_server.cli({"ACL", "SETUSER", "default", "-publish"});
        QCOMPARE(force(), 0);
        QVERIFY(m_complaint.contains(QStringLiteral("waiters were not woken")));
        QVERIFY(!isHeld());
        QCOMPARE(outcome()->outcome, AuditOutcome::Done);
    }

    // ---- other changes ----

    void wakesTheWaitersOfAFreeLock() {
        QCOMPARE(run({"wake", url(), "L", "--reason", "they sleep", "--confirm", "L"}), 0);
        QCOMPARE(m_output, QStringLiteral("the waiters of 'L' were woken\n"));
        QCOMPARE(outcome()->change.kind, control::ChangeKind::WakeWaiters);
        QCOMPARE(test::ServerHand(m_server).calls(QStringLiteral("publish")), 2);
    }

    void wakesNobodyOfAHeldLock() {
        hold();
        QCOMPARE(run({"wake", url(), "L", "--reason", "they sleep", "--confirm", "L"}), otherHolder);
        QVERIFY2(m_complaint.contains(QStringLiteral("its release will wake the waiters")), qPrintable(m_complaint));
        QVERIFY(lines().empty());
    }

    void setsTheTtlOfALockThatNeverExpires() {
        hold();
        const QStringList setTtl{"set-ttl", url(),      "L", "--holder",  worker, "--ttl",
                                 "90",      "--reason", "r", "--confirm", "L"};
        QCOMPARE(run(setTtl), 0);
        const int ttl = m_server.cli({"PTTL", "L"}).toInt();
        QVERIFY2(ttl > 60000 && ttl <= 90000, qPrintable(QString::number(ttl)));
        QCOMPARE(outcome()->change.kind, control::ChangeKind::SetExpiry);
        QVERIFY(outcome()->wokeWaiters);
        QVERIFY2(m_output.contains(QStringLiteral("its waiters were woken")), qPrintable(m_output));
        QCOMPARE(test::ServerHand(m_server).calls(QStringLiteral("publish")), 1);
        QCOMPARE(run(setTtl), otherHolder);
        QVERIFY2(m_complaint.contains(QStringLiteral("has an expiry")), qPrintable(m_complaint));
    }

    void releasesOneReaderOfSeveral() {
        hold({"mode", "read", worker, "2", other, "1"});
        QCOMPARE(force(), otherHolder);
        QCOMPARE(force({"--reader", "--count", "1"}), otherHolder);
        QCOMPARE(force({"--reader"}), 0);
        QCOMPARE(m_server.cli({"HGETALL", "L"}), "mode\nread\n" + other + "\n1");
        QCOMPARE(outcome()->change.kind, control::ChangeKind::ReleaseReader);
    }

    // No client was subscribed for the waiter in two counts 10 s apart.
    void aDeadWaiterIsRemoved() {
        queueUp({worker, other});
        QCOMPARE(removeWaiter({}), 0);
        QVERIFY2(m_output.contains(QStringLiteral("the waiter %1 was removed from the queue of 'L'").arg(worker)),
                 qPrintable(m_output));
        QCOMPARE(queue(), other);
        QCOMPARE(m_server.cli({"ZSCORE", "redisson_lock_timeout:{L}", worker}), "");
        QCOMPARE(outcome()->outcome, AuditOutcome::Done);
        QCOMPARE(outcome()->change.kind, control::ChangeKind::RemoveWaiter);
        QCOMPARE(outcome()->change.waiter->id.display(), worker);
        QCOMPARE(lines()[0].record->state->fairQueue.size(), 2);
    }

    void ofAHeldLockAnyDeadWaiterIsRemoved() {
        hold(QStringList{other, "1"});
        queueUp({third, worker});
        QCOMPARE(removeWaiter({}), 0);
        QCOMPARE(queue(), third);
        QCOMPARE(m_server.cli({"HGET", "L", other}), "1");
        QCOMPARE(outcome()->outcome, AuditOutcome::Done);
        QCOMPARE(outcome()->change.waiter->id.display(), worker);
    }

    void aWaiterThatIsNotProvenDeadIsLeftAlone() {
        queueUp({worker});
        QCOMPARE(removeWaiter({"--wait", "1"}), refused);
        QVERIFY2(m_complaint.contains(QStringLiteral("is not proven dead")), qPrintable(m_complaint));
        QCOMPARE(queue(), worker);
        QVERIFY(lines().empty());
    }

    // One confirmation for the client; each place is compared, proven dead and audited by itself.
    void thePlacesOfAClientThatIsGoneAreRemoved() {
        hold(third);
        m_server.cli({"HSET", "M", third, "1"});
        queueUp({worker, other});
        m_server.cli({"RPUSH", "redisson_lock_queue:{M}", other, worker});
        const QString client = worker.section(u':', 0, 0);
        QCOMPARE(run({"force-release", url(), "--client", client, "--reason", "worker-7 crashed", "--confirm", client}),
                 0);
        QCOMPARE(queue(), other);
        QCOMPARE(m_server.cli({"LRANGE", "redisson_lock_queue:{M}", "0", "-1"}), other);
        QVERIFY(isHeld());
        const std::vector<AuditLine> audited = lines();
        QCOMPARE(audited.size(), size_t{4});
        QCOMPARE(audited[1].record->outcome, AuditOutcome::Done);
        QCOMPARE(audited[3].record->outcome, AuditOutcome::Done);
        QCOMPARE(audited[0].record->lock, LockName("L"));
        QCOMPARE(audited[2].record->lock, LockName("M"));
    }

    void aClientWithoutDeadPlacesIsLeftAlone() {
        hold(third);
        queueUp({other});
        const QString client = worker.section(u':', 0, 0);
        QCOMPARE(run({"force-release", url(), "--client", client, "--reason", "worker-7 crashed", "--confirm", client,
                      "--wait", "2"}),
                 refused);
        QCOMPARE(queue(), other);
        QVERIFY(lines().empty());
    }

    // The dead ones are removed first; the one that listens keeps its place, and gets the message of the release.
    void aForceTakesTheDeadWaitersAlong() {
        hold();
        queueUp({other, third});
        QProcess listener;
        listener.start(test::tool(QStringLiteral("redis-cli"), QStringLiteral("redis-tools")),
                       {"-s", m_server.socketPath(), "SUBSCRIBE", "redisson_lock__channel:{L}:" + third});
        QTRY_COMPARE(m_server.cli({"PUBSUB", "NUMSUB", "redisson_lock__channel:{L}:" + third}).section(u'\n', 1), "1");
        QCOMPARE(force({"--with-dead-waiters"}), 0);
        QVERIFY(!isHeld());
        QCOMPARE(queue(), third);
        // It writes what it has received when it ends.
        m_server.cli({"CLIENT", "KILL", "TYPE", "pubsub"});
        QVERIFY(listener.waitForFinished());
        QVERIFY(listener.readAllStandardOutput().contains("message"));
        const std::vector<AuditLine> audited = lines();
        QCOMPARE(audited.size(), size_t{4});
        QCOMPARE(audited[0].record->change.kind, control::ChangeKind::RemoveWaiter);
        QCOMPARE(audited[0].record->change.waiter->id.display(), other);
        QCOMPARE(audited[3].record->change.kind, control::ChangeKind::ReleaseLock);
    }

    void whoDoesNotWaitIsNotRemoved_data() {
        QTest::addColumn<QStringList>("waiters");
        QTest::newRow("not in the queue") << QStringList{other};
        QTest::newRow("no queue") << QStringList{};
    }
    void whoDoesNotWaitIsNotRemoved() {
        QFETCH(QStringList, waiters);
        queueUp(waiters);
        QCOMPARE(removeWaiter({}), alreadyFree);
        QVERIFY(!m_complaint.isEmpty());
        QCOMPARE(queue(), waiters.join(u'\n'));
        QVERIFY(lines().empty());
    }

    void theseTooMustBeWhole_data() {
        QTest::addColumn<QStringList>("arguments");
        const QStringList confirmed{"--reason", "r", "--confirm", "L"};
        const QStringList held{"--holder", worker};
        QTest::newRow("wake names a holder") << QStringList{"wake", url(), "L"} + held + confirmed;
        QTest::newRow("wake gives no reason") << QStringList{"wake", url(), "L", "--confirm", "L"};
        QTest::newRow("no TTL") << QStringList{"set-ttl", url(), "L"} + held + confirmed;
        QTest::newRow("a TTL of 0") << QStringList{"set-ttl", url(), "L", "--ttl", "0"} + held + confirmed;
        QTest::newRow("a TTL that is no number")
            << QStringList{"set-ttl", url(), "L", "--ttl", "nan"} + held + confirmed;
        QTest::newRow("a TTL without a holder") << QStringList{"set-ttl", url(), "L", "--ttl", "9"} + confirmed;
        QTest::newRow("a force with a TTL")
            << QStringList{"force-release", url(), "L", "--ttl", "9"} + held + confirmed;
        QTest::newRow("a reader with a TTL")
            << QStringList{"set-ttl", url(), "L", "--ttl", "9", "--reader"} + held + confirmed;
        const QStringList waiter{"force-release", url(), "L", "--waiter", worker};
        QTest::newRow("a waiter that is none")
            << QStringList{"force-release", url(), "L", "--waiter", "me"} + confirmed;
        QTest::newRow("a waiter without a reason") << waiter + QStringList{"--confirm", "L"};
        QTest::newRow("a waiter and a holder") << waiter + held + confirmed;
        QTest::newRow("a waiter and a reader") << waiter + QStringList{"--reader"} + confirmed;
        QTest::newRow("wake with a waiter") << QStringList{"wake", url(), "L", "--waiter", worker} + confirmed;
        QTest::newRow("a wait that is no number") << waiter + QStringList{"--wait", "long"} + confirmed;
        QTest::newRow("a wait without a waiter")
            << QStringList{"force-release", url(), "L", "--wait", "1"} + held + confirmed;
        QTest::newRow("list with a waiter") << QStringList{"list", url(), "--waiter", worker};
        QTest::newRow("list with a TTL") << QStringList{"list", url(), "--ttl", "9"};
    }
    void theseTooMustBeWhole() {
        QFETCH(QStringList, arguments);
        hold();
        QCOMPARE(run(arguments), usage);
        QCOMPARE(m_server.cli({"PTTL", "L"}), "-1");
        QVERIFY(lines().empty());
    }

    // ---- without an audit nothing is sent ----

    void aFolderThatCannotBeWrittenBlocksIt() {
        hold();
        QVERIFY(QDir().mkpath(m_data->filePath(QStringLiteral("lockkeeper"))));
        QVERIFY(QFile(m_data->filePath(QStringLiteral("lockkeeper/lockkeeper"))).open(QIODevice::WriteOnly));
        QCOMPARE(force(), auditNotPossible);
        QVERIFY(m_complaint.contains(QStringLiteral("nothing was sent")));
        QVERIFY(isHeld());
    }

    void aFullDiskBlocksIt() {
        hold();
        QCOMPARE(force({}, 50), auditNotPossible);
        QVERIFY2(m_complaint.contains(QStringLiteral("File too large")), qPrintable(m_complaint));
        QVERIFY(isHeld());
    }

    // Nobody writes to the FIFO, so a program that opens it would wait for ever.
    void aFifoInTheFolderBlocksItAndNothingHangs() {
        hold();
        QVERIFY(QDir().mkpath(folder()));
        const QString month =
            folder() + u'/' + isoTime(std::chrono::system_clock::now()).left(7) + QStringLiteral(".jsonl");
        QCOMPARE(mkfifo(QFile::encodeName(month).constData(), S_IRUSR | S_IWUSR), 0);
        QCOMPARE(force(), auditNotPossible);
        QVERIFY2(m_complaint.contains(month + QStringLiteral(" is not a file")), qPrintable(m_complaint));
        QVERIFY(isHeld());
        QCOMPARE(run({"audit"}), auditNotPossible);
        QVERIFY2(m_complaint.contains(month + QStringLiteral(" is not a file")), qPrintable(m_complaint));
    }

    // The lock is released, and the operator must know that only the intent is recorded.
    void anOutcomeThatCannotBeRecordedIsReported() {
        hold();
        QCOMPARE(force(), 0);
        const std::vector<AuditLine> first = lines();
        const auto room = static_cast<rlim_t>(2 * (first[0].bytes.size() + 1) + first[1].bytes.size() + 1 + 50);
        hold();
        QCOMPARE(force({}, room), 0);
        QVERIFY2(m_complaint.contains(QStringLiteral("the outcome is not in the audit")), qPrintable(m_complaint));
        QVERIFY(!isHeld());
        const Result<control::AuditReading> reading = control::readAudit(folder());
        QCOMPARE(reading->lines.back().record->step, AuditStep::Intent);
        QCOMPARE(run({"audit", "--verify"}), 0);
        QVERIFY2(m_complaint.contains(QStringLiteral("line 4: half written")), qPrintable(m_complaint));
    }

    // ---- confirmation ----

    void theCommandLineMustBeWhole_data() {
        QTest::addColumn<QStringList>("arguments");
        const QStringList whole{"--holder", worker, "--reason", "r", "--confirm", "L"};
        QTest::newRow("nobody confirms") << whole.first(4);
        QTest::newRow("--yes is not enough") << whole.first(4) + QStringList{"--yes"};
        QTest::newRow("another name is confirmed") << whole.first(4) + QStringList{"--confirm", "M"};
        QTest::newRow("no holder") << whole.mid(2);
        QTest::newRow("no thread") << QStringList{"--holder", worker.left(36)} + whole.mid(2);
        QTest::newRow("no reason") << whole.first(2) + whole.mid(4);
        QTest::newRow("blank reason") << whole.first(2) + QStringList{"--reason", " ", "--confirm", "L"};
        QTest::newRow("no number") << whole + QStringList{"--count", "many"};
        QTest::newRow("read-only") << whole + QStringList{"--read-only"};
        QTest::newRow("an option of lock") << whole + QStringList{"--kind", "fair"};
    }
    void theCommandLineMustBeWhole() {
        QFETCH(QStringList, arguments);
        hold();
        QCOMPARE(run(QStringList{"force-release", url(), "L"} + arguments), usage);
        QVERIFY(isHeld());
        QVERIFY(!QFile::exists(folder()));
    }

    void yesAndTheNameAreEnough() {
        hold();
        QCOMPARE(force({"--yes"}), 0);
    }

    void theAuditNamesTheSavedConnectionAndItsEnvironment() {
        hold();
        QCOMPARE(forceThrough(orders()), 0);
        QVERIFY(outcome());
        QCOMPARE(outcome()->place,
                 (control::AuditPlace{m_server.socketPath(), QStringLiteral("Orders"), QStringLiteral("staging")}));
    }

    // The server's default user needs no password here, and could write, too.
    void aSavedConnectionWritesAsItsUserWhoWrites() {
        m_server.cli({"ACL", "SETUSER", "writer", "on", ">secret", "~*", "&*", "+@all"});
        profile::StoredProfile stored = orders();
        stored.profile.writing.user = "writer";
        stored.secrets = profile::StoredProfile::Secrets::AskedEachTime;
        hold();
        QCOMPARE(forceThrough(stored), usage);
        const auto unset = qScopeGuard([] { qunsetenv("LOCKKEEPER_WRITING_PASSWORD"); });
        qputenv("LOCKKEEPER_WRITING_PASSWORD", "wrong");
        QVERIFY(forceThrough(stored) != 0);
        QVERIFY(isHeld());
        qputenv("LOCKKEEPER_WRITING_PASSWORD", "secret");
        QCOMPARE(forceThrough(stored), 0);
        QVERIFY(!isHeld());
    }

    void aNameMayBeginWithAHyphen() {
        m_server.cli({"HSET", "-L", worker, "1"});
        QCOMPARE(run({"force-release", url(), "--name=-L", "--holder", worker, "--reason", "r", "--confirm=-L"}), 0);
        QCOMPARE(m_server.cli({"EXISTS", "-L"}), "0");
    }

    // Also with a configuration of Redisson: it names a server that this program knows nothing about.
    void aConfigurationOfRedissonIsLikeAUrl() {
        hold();
        QFile file(m_data->filePath(QStringLiteral("redisson.yaml")));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("singleServerConfig:\n  address: \"" + m_server.url().toLatin1() + "\"\n");
        file.close();
        const QStringList command{
            "force-release", "--redisson-config", file.fileName(), "L", "--holder", worker, "--reason", "r"};
        QCOMPARE(run(command), usage);
        QCOMPARE(run(command + QStringList{"--confirm", "L"}), 0);
        QVERIFY(!isHeld());
    }

    void aTerminalAsksForTheName_data() {
        QTest::addColumn<QByteArray>("typed");
        QTest::addColumn<int>("code");
        QTest::newRow("the name") << QByteArray("L\n") << 0;
        QTest::newRow("another name") << QByteArray("M\n") << refused;
        QTest::newRow("only enter") << QByteArray("\n") << refused;
        QTest::newRow("the end of the input") << QByteArray("\x04") << refused;
        QTest::newRow("Ctrl+C") << QByteArray("\x03") << 130;
    }
    void aTerminalAsksForTheName() {
        QFETCH(QByteArray, typed);
        QFETCH(int, code);
        hold();
        const std::unique_ptr<QProcess> terminal = program();
        terminal->setStandardInputFile(QString());
        const QString command = QStringLiteral("'%1' force-release '%2' L --holder %3 --reason r")
                                    .arg(test::places::program(), url(), worker);
        terminal->start(test::tool("script", "bsdutils"), {"-qec", command, "/dev/null"});
        QByteArray shown;
        QTRY_VERIFY(shown.append(terminal->readAllStandardOutput()).contains("Type the name"));
        QVERIFY(shown.contains(worker.toLatin1()));
        QVERIFY(shown.contains(m_server.socketPath().toLocal8Bit()));
        terminal->write(typed);
        QVERIFY(terminal->waitForFinished());
        QCOMPARE(terminal->exitCode(), code);
        QCOMPARE(isHeld(), code != 0);
        QCOMPARE(lines().size(), size_t{code == 0 ? 2U : 0U});
    }

    // ---- lockkeeper audit ----

    void theAuditIsPrinted() {
        hold();
        QCOMPARE(force(), 0);
        QCOMPARE(run({"audit"}), 0);
        QCOMPARE(m_output.count(u'\n'), 2);
        QVERIFY(m_output.contains(QStringLiteral("worker-7 crashed")));
        QVERIFY(m_output.contains(worker));
        QVERIFY(m_output.section(u'\n', 1).contains(QStringLiteral("Done: ")));
        QCOMPARE(run({"audit", "--json"}), 0);
        QCOMPARE(m_output.toUtf8(), lines()[0].bytes + '\n' + lines()[1].bytes + '\n');
        QCOMPARE(run({"audit", "--lock", "M"}), 0);
        QCOMPARE(m_output, QString());
        QCOMPARE(run({"audit", "--lock", "L", "--since", "2020-01-01T00:00:00Z"}), 0);
        QCOMPARE(m_output.count(u'\n'), 2);
        QCOMPARE(run({"audit", "--since", "2120-01-01T00:00:00Z"}), 0);
        QCOMPARE(m_output, QString());
    }

    // The audit has what was done in the window.
    void ownLocksArePrinted() {
        AuditRecord acquire;
        acquire.action = control::AuditAction::Acquire;
        acquire.id = QStringLiteral("12345678-of-acquire");
        acquire.lock = LockName("L");
        acquire.holder = HolderId::parse(worker.toLatin1());
        monitor::LockSnapshot held;
        held.name = LockName("L");
        held.kind = monitor::LockKind::Reentrant;
        held.holders = {monitor::Holder{*HolderId::parse(other.toLatin1()), monitor::HoldMode::Exclusive, 2}};
        AuditRecord ofHeld = acquire;
        ofHeld.state = held;
        AuditRecord taken = acquire;
        taken.step = AuditStep::Outcome;
        taken.outcome = AuditOutcome::Done;
        AuditRecord released = taken;
        released.action = control::AuditAction::Release;
        AuditRecord lost = taken;
        lost.action = control::AuditAction::Lost;
        lost.error = QStringLiteral("the lease ran out");
        for (const AuditRecord& record : {acquire, ofHeld, taken, released, lost})
            QVERIFY(control::AuditFile(folder()).append(record).ok());
        QCOMPARE(run({"audit"}), 0);
        QStringList said;
        for (const QString& line : m_output.split(u'\n', Qt::SkipEmptyParts))
            said << line.section(QStringLiteral("'L'  "), 1);
        const QString acquired = QStringLiteral("acquire of 12345678, as ") + worker;
        QCOMPARE(said, (QStringList{acquired, acquired + QStringLiteral(", held by %1 x2").arg(other),
                                    QStringLiteral("Done: acquire of 12345678"),
                                    QStringLiteral("Done: release by %1").arg(worker),
                                    QStringLiteral("lost by %1: the lease ran out").arg(worker)}));
    }

    void nothingCommandsTheTerminal() {
        hold();
        QCOMPARE(run({"force-release", url(), "L", "--holder", worker, "--reason", "a\x1b[31mb", "--confirm", "L"}), 0);
        for (const QStringList& arguments : {QStringList{"audit"}, QStringList{"audit", "--json"}}) {
            QCOMPARE(run(arguments), 0);
            QVERIFY(!m_output.contains(QChar(0x1b)));
        }
    }

    void theAuditIsVerified() {
        QCOMPARE(run({"audit", "--verify"}), 0);
        hold();
        QCOMPARE(force(), 0);
        QCOMPARE(run({"audit", "--verify"}), 0);
        QVERIFY(m_output.startsWith(QStringLiteral("lines: 2, the chain holds")));
        const QString path = QDir(folder()).filePath(lines()[0].file);
        QFile file(path);
        QVERIFY(file.open(QIODevice::ReadWrite));
        const QByteArray changed = file.readAll().replace("worker-7", "worker-8");
        file.seek(0);
        file.write(changed);
        file.close();
        QCOMPARE(run({"audit", "--verify"}), chainBroken);
        QVERIFY2(m_complaint.contains(QStringLiteral("line 2: does not follow")), qPrintable(m_complaint));
    }

    void anAuditThatCannotBeReadIsReported() {
        QVERIFY(QDir().mkpath(folder()));
        QVERIFY(QFile::link(QStringLiteral("/dev/null/gone"), folder() + QStringLiteral("/2026-11.jsonl")));
        QCOMPARE(run({"audit"}), auditNotPossible);
    }

    void theAuditTakesNoServer_data() {
        QTest::addColumn<QStringList>("arguments");
        QTest::newRow("URL") << QStringList{"audit", "localhost"};
        QTest::newRow("demo") << QStringList{"audit", "--demo"};
        QTest::newRow("time") << QStringList{"audit", "--since", "yesterday"};
        QTest::newRow("a part verified") << QStringList{"audit", "--verify", "--lock", "L"};
        QTest::newRow("verify of list") << QStringList{"list", "localhost", "--verify"};
    }
    void theAuditTakesNoServer() {
        QFETCH(QStringList, arguments);
        QCOMPARE(run(arguments), usage);
    }
};

LOCKKEEPER_TEST(TestForceCommand, Guiless)

}  // namespace tst_forcecommand

#include "tst_forcecommand.moc"
