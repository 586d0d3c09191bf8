// SPDX-License-Identifier: Apache-2.0
#include "lab/servers/reservedport.h"
#include "support/exitcodes.h"
#include "support/places.h"
#include "support/processtable.h"
#include "support/programend.h"
#include "support/redisserver.h"
#include "support/serverhand.h"
#include "support/testprogram.h"

#include <QTest>

#include <csignal>

namespace tst_lockcommand {

using namespace lockkeeper;
using namespace lockkeeper::test::exitcode;

namespace {

const QString stranger = QStringLiteral("0ae6d8e3-41d2-4a0e-9c76-0a4f3c1f6f10:33");

}  // namespace

// `lockkeeper lock`, as a shell script uses it.
class TestLockCommand : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() { QVERIFY(m_server.start()); }
    void cleanup() {
        m_program.reset();
        m_server.stop();
    }

    void holdsTheLockWhileTheCommandRuns() {
        start({"L", "--", "redis-cli", "-s", m_server.socketPath(), "HVALS", "L"});
        QCOMPARE(exitCode(), 0);
        QCOMPARE(m_program->readAllStandardOutput(), QByteArray("1\n"));
        QCOMPARE(m_server.cli({"DBSIZE"}), "0");
    }

    void passesOnTheCommandsExitCodeAndArguments() {
        start({"L", "--", "sh", "-c", "echo \"$1\"; exit 7", "sh", "--json"});
        QCOMPARE(exitCode(), 7);
        QCOMPARE(m_program->readAllStandardOutput(), QByteArray("--json\n"));
        QCOMPARE(m_server.cli({"DBSIZE"}), "0");
    }

    // The state of the server while the command runs, for each kind.
    void takesEachKindAndGivesItBack_data() {
        QTest::addColumn<QString>("kind");
        QTest::addColumn<QByteArray>("whileHeld");
        QTest::newRow("reentrant") << "reentrant" << QByteArray("1\n");
        QTest::newRow("fair") << "fair" << QByteArray("1\n");
        QTest::newRow("spin") << "spin" << QByteArray("1\n");
        QTest::newRow("not reentrant") << "nonreentrant" << QByteArray("1\n");
        QTest::newRow("not reentrant, fair") << "nonreentrant-fair" << QByteArray("1\n");
        QTest::newRow("fenced") << "fenced" << QByteArray("1\n");
        QTest::newRow("read") << "read" << QByteArray("read\n1\n");
        QTest::newRow("write") << "write" << QByteArray("write\n1\n");
    }
    void takesEachKindAndGivesItBack() {
        QFETCH(QString, kind);
        QFETCH(QByteArray, whileHeld);
        start({"L", "--kind", kind, "--", "redis-cli", "-s", m_server.socketPath(), "HVALS", "L"});
        QCOMPARE(exitCode(), 0);
        QCOMPARE(m_program->readAllStandardOutput(), whileHeld);
        QCOMPARE(m_server.cli({"EXISTS", "L"}), "0");
    }

    void theCommandKnowsTheFencingToken() {
        m_server.cli({"SET", "redisson_lock_token:{L}", "41"});
        start({"L", "--kind", "fenced", "--", "printenv", "LOCKKEEPER_TOKEN"});
        QCOMPARE(exitCode(), 0);
        QCOMPARE(m_program->readAllStandardOutput(), QByteArray("42\n"));
    }

    void readersShareAndKeepAWriterOut() {
        start({"L", "--kind", "read", "--", "sleep", "100"});
        QTRY_COMPARE(m_server.cli({"HGET", "L", "mode"}), "read");
        QCOMPARE(QProcess::execute(test::places::program(), {"lock", "unix://" + m_server.socketPath(), "L", "--kind",
                                                             "read", "--wait", "0", "--", "true"}),
                 0);
        QCOMPARE(QProcess::execute(test::places::program(), {"lock", "unix://" + m_server.socketPath(), "L", "--kind",
                                                             "write", "--wait", "0", "--", "true"}),
                 75);
        QTRY_VERIFY(hasChild());
        m_program->terminate();
        QCOMPARE(exitCode(), 128 + SIGTERM);
    }

    void triesOnceAndSaysSo_data() {
        QTest::addColumn<QStringList>("kind");
        QTest::addColumn<QByteArray>("reason");
        QTest::newRow("reentrant") << QStringList() << QByteArray("'L' was not acquired in time: it is held by others");
        QTest::newRow("fair") << QStringList{"--kind", "fair"}
                              << QByteArray("'L' was not acquired in time: others hold it, or wait for it");
    }
    void triesOnceAndSaysSo() {
        QFETCH(const QStringList, kind);
        QFETCH(const QByteArray, reason);
        m_server.cli({"HSET", "L", stranger, "1"});
        start(QStringList{"L", "--wait", "0"} + kind + QStringList{"--", "touch", m_server.socketPath() + ".ran"});
        QCOMPARE(exitCode(), 75);
        QVERIFY(!QFile::exists(m_server.socketPath() + ".ran"));
        const QByteArray complaint = m_program->readAllStandardError();
        QVERIFY2(complaint.contains(reason), complaint);
    }

    void waitsUntilItIsFree() {
        m_server.cli({"HSET", "L", stranger, "1"});
        start({"L", "--", "true"});
        QTRY_COMPARE(m_server.cli({"PUBSUB", "CHANNELS"}), "redisson_lock__channel:{L}");
        m_server.cli({"DEL", "L"});
        m_server.cli({"PUBLISH", "redisson_lock__channel:{L}", "0"});
        QCOMPARE(exitCode(), 0);
    }

    void aSignalGoesToTheCommandAndTheLockIsGivenBack() {
        start({"L", "--", "sleep", "100"});
        QTRY_COMPARE(m_server.cli({"EXISTS", "L"}), "1");
        // The command starts a moment after the lock is taken.
        QTRY_VERIFY(hasChild());
        m_program->terminate();
        QCOMPARE(exitCode(), 128 + SIGTERM);
        QCOMPARE(m_server.cli({"DBSIZE"}), "0");
    }

    void aSignalEndsTheWaiting() {
        m_server.cli({"HSET", "L", stranger, "1"});
        start({"L", "--", "touch", m_server.socketPath() + ".ran"});
        QTRY_COMPARE(m_server.cli({"PUBSUB", "CHANNELS"}), "redisson_lock__channel:{L}");
        m_program->terminate();
        QCOMPARE(exitCode(), 128 + SIGTERM);
        QVERIFY(!QFile::exists(m_server.socketPath() + ".ran"));
        QCOMPARE(m_server.cli({"HGETALL", "L"}), stranger + "\n1");
    }

    void aLostLockEndsTheCommandIfAsked() {
        start({"L", "--lease", "0.4", "--on-lost", "kill", "--", "sleep", "100"});
        QCOMPARE(exitCode(), lostWhileRunning);
        const QByteArray complaint = m_program->readAllStandardError();
        QVERIFY2(complaint.contains("lost"), complaint);
    }

    void aLostLockIsOtherwiseOnlySaid() {
        start({"L", "--lease", "0.4", "--", "sleep", "1"});
        QCOMPARE(exitCode(), lostWhileRunning);
        const QByteArray complaint = m_program->readAllStandardError();
        QVERIFY2(complaint.contains("lost"), complaint);
    }

    // The end needs no renewal to be noticed.
    void aLockThatIsTakenAwayEndsTheCommandAtOnce_data() {
        QTest::addColumn<QStringList>("lease");
        QTest::newRow("renewed") << QStringList();
        QTest::newRow("a fixed lease") << QStringList{"--lease", "600"};
    }
    void aLockThatIsTakenAwayEndsTheCommandAtOnce() {
        QFETCH(QStringList, lease);
        start(QStringList{"L"} + lease + QStringList{"--on-lost", "kill", "--", "sleep", "100"});
        QTRY_VERIFY(hasChild());
        const int before = renewals();
        m_server.cli({"DEL", "L"});
        QCOMPARE(exitCode(), lostWhileRunning);
        QCOMPARE(renewals(), before);
        const QByteArray complaint = m_program->readAllStandardError();
        QVERIFY2(complaint.contains("deleted or released by force"), complaint);
    }

    // Without the replicas the server itself refuses: NOREPLICAS.
    void missingReplicasAreNamedOnceAndWaitedFor() {
        m_server.cli({"CONFIG", "SET", "min-replicas-to-write", "1"});
        start({"L", "--", "true"});
        QTRY_VERIFY_WITH_TIMEOUT(timesRefused() >= 2, 15000);
        m_server.cli({"CONFIG", "SET", "min-replicas-to-write", "0"});
        QCOMPARE(exitCode(), 0);
        const QByteArray complaint = m_program->readAllStandardError();
        QVERIFY2(complaint.startsWith("lockkeeper: 'L' is not acquired yet, and is tried again: "), complaint);
        QCOMPARE(complaint.count('\n'), 1);
    }

    void theNameIsMappedAsTheJavaClientsDo() {
        m_server.cli({"HSET", "app:L", stranger, "1"});
        const QStringList fair{"L", "--kind", "fair", "--name-prefix", "app:", "--redisson-version", "3.51.0"};
        start(fair + QStringList{"--", "true"});
        QTRY_COMPARE(m_server.cli({"LLEN", "redisson_lock_queue:{L}"}), "1");
        QCOMPARE(m_server.cli({"EXISTS", "redisson_lock_queue:{app:L}"}), "0");
        m_program->terminate();
        QCOMPARE(exitCode(), 128 + SIGTERM);
        start(fair.first(5) + QStringList{"--", "true"});
        QTRY_COMPARE(m_server.cli({"LLEN", "redisson_lock_queue:{app:L}"}), "1");
        m_program->terminate();
        QCOMPARE(exitCode(), 128 + SIGTERM);
    }

    void aPlaceInTheQueueThatCannotBeLeftIsNamed() {
        m_server.cli({"HSET", "L", stranger, "1"});
        start({"L", "--kind", "fair", "--wait", "2", "--", "true"});
        QTRY_COMPARE(m_server.cli({"LLEN", "redisson_lock_queue:{L}"}), "1");
        m_server.cli({"ACL", "SETUSER", "default", "-eval"});
        QCOMPARE(exitCode(), 77);
        const QByteArray complaint = m_program->readAllStandardError();
        QVERIFY2(complaint.contains("the server refuses the release, or to remove a place in the queue: "), complaint);
    }

    void aServerThatReportsNoChangesIsNamed_data() {
        QTest::addColumn<QStringList>("options");
        QTest::addColumn<QByteArray>("late");
        QTest::newRow("--on-lost kill") << QStringList{"--on-lost", "kill"} << QByteArray("10 s");
        QTest::newRow("--on-lost warn") << QStringList{} << QByteArray("10 s");
        QTest::newRow("a read lock") << QStringList{"--kind", "read"} << QByteArray("10 s");
        QTest::newRow("a read lock with a lease")
            << QStringList{"--kind", "read", "--lease", "60"} << QByteArray("1 s");
    }
    void aServerThatReportsNoChangesIsNamed() {
        QFETCH(QStringList, options);
        QFETCH(QByteArray, late);
        QCOMPARE(m_server.cli({"ACL", "SETUSER", "default", "-client|tracking"}), "OK");
        start(QStringList{"L"} + options + QStringList{"--", "true"});
        QCOMPARE(exitCode(), 0);
        const QByteArray complaint = m_program->readAllStandardError();
        QVERIFY2(
            complaint.contains(
                "the server refuses CLIENT TRACKING, or to read the lock: a lock that is taken away is noticed up to " +
                late),
            complaint);
    }

    void theNameIsTheOneThatWasGiven_data() {
        QTest::addColumn<QString>("name");
        QTest::newRow("byte order mark in front") << QString(QChar(0xfeff)) + "L";
        QTest::newRow("U+FFFE") << "L" + QString(QChar(0xfffe));
        QTest::newRow("Chinese") << QString(QChar(0x9501));
    }
    void theNameIsTheOneThatWasGiven() {
        QFETCH(const QString, name);
        start({name, "--", "redis-cli", "-s", m_server.socketPath(), "HVALS", name});
        QCOMPARE(exitCode(), 0);
        QCOMPARE(m_program->readAllStandardOutput(), QByteArray("1\n"));
    }

    // Another lock whose name is nearly the same must not be taken.
    void aNameThatIsNotUtf8IsRefused() {
        m_program = std::make_unique<QProcess>();
        m_program->start("sh", {"-c", "exec \"$0\" lock \"$1\" \"$(printf 'L\\377')\" -- true", test::places::program(),
                                "unix://" + m_server.socketPath()});
        QCOMPARE(exitCode(), 2);
        const QByteArray complaint = m_program->readAllStandardError();
        QVERIFY2(complaint.startsWith("lockkeeper: not UTF-8: argument 3, 'L\\xff'\n"), complaint);
    }

    // The command itself removes the right to publish.
    void saysThatTheWaitersWereNotWoken() {
        start({"L", "--", "redis-cli", "-s", m_server.socketPath(), "ACL", "SETUSER", "default", "-publish"});
        QCOMPARE(exitCode(), 0);
        const QByteArray complaint = m_program->readAllStandardError();
        QVERIFY2(complaint.contains("'L': the lock is released, the waiters were not woken: "), complaint);
        QCOMPARE(m_server.cli({"EXISTS", "L"}), "0");
    }

    void aCommandThatCannotStartIs127AndTheLockIsGivenBack() {
        start({"L", "--", "no-such-command"});
        QCOMPARE(exitCode(), 127);
        QCOMPARE(m_server.cli({"DBSIZE"}), "0");
    }

    // The demoted master becomes the master again, in place of a next one.
    void aDemotedMasterDoesNotKeepTheLock() {
        const lab::ReservedPort noServer;
        start({"L", "--", "sh", "-c", "echo runs; read line; true"});
        QTRY_VERIFY(m_program->bytesAvailable() > 0);
        QCOMPARE(m_server.cli({"REPLICAOF", "127.0.0.1", QString::number(noServer.number())}), "OK");
        m_program->closeWriteChannel();
        QTRY_VERIFY(m_server.cli({"INFO", "errorstats"}).contains("errorstat_READONLY"));
        QCOMPARE(m_server.cli({"EXISTS", "L"}), "1");
        QCOMPARE(m_server.cli({"REPLICAOF", "NO", "ONE"}), "OK");
        QCOMPARE(exitCode(), 0);
        QCOMPARE(m_server.cli({"EXISTS", "L"}), "0");
    }

    void withoutAServerItIsThree() {
        m_server.stop();
        start({"L", "--", "true"});
        QCOMPARE(exitCode(), 3);
    }

private:
    void start(const QStringList& arguments) {
        m_program = std::make_unique<QProcess>();
        m_program->start(test::places::program(), QStringList{"lock", "unix://" + m_server.socketPath()} + arguments);
        QVERIFY(m_program->waitForStarted());
    }

    int exitCode() { return test::exitCodeOf(*m_program); }

    // Each renewal ends with EXISTS, and so does an acquire.
    int renewals() { return test::ServerHand(m_server).calls("exists"); }

    int timesRefused() {
        const QString errors = m_server.cli({"INFO", "errorstats"});
        return errors.section(u"errorstat_NOREPLICAS:count="_qs, 1).section(u'\n', 0, 0).trimmed().toInt();
    }
    [[nodiscard]] bool hasChild() const { return test::childOf(m_program->processId()) != 0; }

    test::RedisServer m_server;
    std::unique_ptr<QProcess> m_program;
};

LOCKKEEPER_TEST(TestLockCommand, Guiless)

}  // namespace tst_lockcommand

#include "tst_lockcommand.moc"
