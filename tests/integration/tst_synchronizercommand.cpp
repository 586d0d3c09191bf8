// SPDX-License-Identifier: Apache-2.0
#include "lab/servers/reservedport.h"
#include "support/brittleline.h"
#include "support/exitcodes.h"
#include "support/places.h"
#include "support/processtable.h"
#include "support/programend.h"
#include "support/redisserver.h"
#include "support/taskwait.h"
#include "support/testprogram.h"

#include <QTest>

#include <csignal>

namespace tst_synchronizercommand {

using namespace lockkeeper;
using namespace lockkeeper::test::exitcode;

// `lockkeeper semaphore` and `lockkeeper latch`, as a shell script uses them.
class TestSynchronizerCommand : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() { QVERIFY(m_server.start()); }
    void cleanup() {
        m_program.reset();
        m_server.stop();
    }

    void doesOneThing_data() {
        QTest::addColumn<QByteArray>("before");  // free permits or count; empty: no key
        QTest::addColumn<QStringList>("arguments");
        QTest::addColumn<int>("exit");
        QTest::addColumn<QByteArray>("prints");
        QTest::addColumn<QString>("after");
        const QString s = QStringLiteral("semaphore");
        const QString l = QStringLiteral("latch");
        const QByteArray none;
        QTest::newRow("permits") << QByteArray("3") << QStringList{s, "permits"} << 0 << QByteArray("3\n") << "3";
        QTest::newRow("permits of none") << none << QStringList{s, "permits"} << 0 << QByteArray("0\n") << "";
        QTest::newRow("set") << none << QStringList{s, "set", "4"} << 0 << none << "4";
        QTest::newRow("set again") << QByteArray("3") << QStringList{s, "set", "4"} << unchanged << none << "3";
        QTest::newRow("add") << QByteArray("3") << QStringList{s, "add", "2"} << 0 << none << "5";
        QTest::newRow("remove") << QByteArray("3") << QStringList{s, "remove", "4"} << 0 << none << "-1";
        QTest::newRow("acquire") << QByteArray("3") << QStringList{s, "acquire"} << 0 << none << "2";
        QTest::newRow("acquire two") << QByteArray("3") << QStringList{s, "acquire", "2"} << 0 << none << "1";
        QTest::newRow("acquire too many")
            << QByteArray("3") << QStringList{s, "acquire", "4", "--wait", "0"} << notInTime << none << "3";
        QTest::newRow("release") << QByteArray("3") << QStringList{s, "release", "2"} << 0 << none << "5";
        QTest::newRow("drain") << QByteArray("3") << QStringList{s, "drain"} << 0 << QByteArray("3\n") << "0";
        QTest::newRow("not a number") << QByteArray("abc") << QStringList{s, "acquire"} << noConnection << none
                                      << "abc";
        QTest::newRow("an id that was never taken")
            << QByteArray("1") << QStringList{s, "release", QString(32, u'a'), "--expirable"} << unchanged << none
            << "1";
        QTest::newRow("count") << QByteArray("2") << QStringList{l, "count"} << 0 << QByteArray("2\n") << "2";
        QTest::newRow("count down") << QByteArray("2") << QStringList{l, "count-down"} << 0 << QByteArray("1\n") << "1";
        QTest::newRow("the last one") << QByteArray("1") << QStringList{l, "count-down"} << 0 << QByteArray("0\n")
                                      << "";
        QTest::newRow("wait for a closed one")
            << QByteArray("1") << QStringList{l, "wait", "--wait", "0.1"} << notInTime << none << "1";
        QTest::newRow("wait for an open one") << none << QStringList{l, "wait"} << 0 << none << "";
        QTest::newRow("close") << none << QStringList{l, "set", "2"} << 0 << none << "2";
        QTest::newRow("close again") << QByteArray("1") << QStringList{l, "set", "2"} << unchanged << none << "1";
        QTest::newRow("delete") << QByteArray("3") << QStringList{s, "delete"} << 0 << none << "";
        QTest::newRow("delete nothing") << none << QStringList{s, "delete"} << unchanged << none << "";
        QTest::newRow("delete a latch") << QByteArray("2") << QStringList{l, "delete"} << 0 << none << "";
        QTest::newRow("delete an open latch") << none << QStringList{l, "delete"} << unchanged << none << "";
        QTest::newRow("no such action") << QByteArray("1") << QStringList{l, "jump"} << usage << none << "1";
    }
    void doesOneThing() {
        QFETCH(QByteArray, before);
        QFETCH(QStringList, arguments);
        QFETCH(int, exit);
        QFETCH(QByteArray, prints);
        QFETCH(QString, after);
        if (!before.isEmpty())
            m_server.cli({"SET", "S", before});
        start(arguments.takeFirst(), arguments);
        QCOMPARE(exitCode(), exit);
        QCOMPARE(m_program->readAllStandardOutput(), prints);
        QCOMPARE(!m_program->readAllStandardError().isEmpty(), exit != 0);
        QCOMPARE(m_server.cli({"GET", "S"}), after);
    }

    void saysWhyNothingWasChanged_data() {
        QTest::addColumn<QByteArray>("before");
        QTest::addColumn<QStringList>("arguments");
        QTest::addColumn<QByteArray>("reason");
        const QString s = QStringLiteral("semaphore");
        const QString l = QStringLiteral("latch");
        const QByteArray none;
        QTest::newRow("set again") << QByteArray("3") << QStringList{s, "set", "4"}
                                   << QByteArray("the permits of 'S' are set already");
        QTest::newRow("close again") << QByteArray("1") << QStringList{l, "set", "2"}
                                     << QByteArray("the count of 'S' is set already");
        QTest::newRow("delete nothing") << none << QStringList{s, "delete"} << QByteArray("there is no semaphore 'S'");
        QTest::newRow("delete an open latch")
            << none << QStringList{l, "delete"} << QByteArray("the latch 'S' is open already");
        QTest::newRow("an id that was never taken")
            << QByteArray("1") << QStringList{s, "release", QString(32, u'a'), "--expirable"}
            << QByteArray("'S' has no such permit");
        QTest::newRow("acquire too many") << QByteArray("3") << QStringList{s, "acquire", "4", "--wait", "0"}
                                          << QByteArray("'S' did not have 4 permits free in time");
        QTest::newRow("run with none free") << QByteArray("0") << QStringList{s, "--wait", "0", "--", "true"}
                                            << QByteArray("'S' did not have a permit free in time");
        QTest::newRow("wait for a closed latch") << QByteArray("1") << QStringList{l, "wait", "--wait", "0.1"}
                                                 << QByteArray("the count of 'S' did not reach 0 in time");
    }
    void saysWhyNothingWasChanged() {
        QFETCH(QByteArray, before);
        QFETCH(QStringList, arguments);
        QFETCH(QByteArray, reason);
        if (!before.isEmpty())
            m_server.cli({"SET", "S", before});
        const QString command = arguments.takeFirst();
        start(command, arguments);
        const bool waits = arguments.contains(u"--wait"_qs);
        QCOMPARE(exitCode(), waits ? notInTime : unchanged);
        const QByteArray complaint = m_program->readAllStandardError();
        QVERIFY2(complaint.contains(reason), complaint);
    }

    // A caller that takes the message for a failure would repeat the change.
    void aChangeWithoutAMessageIsDone_data() {
        QTest::addColumn<QStringList>("arguments");
        QTest::addColumn<QString>("after");
        QTest::newRow("release") << QStringList{"semaphore", "release"} << QStringLiteral("2");
        QTest::newRow("add") << QStringList{"semaphore", "add", "2"} << QStringLiteral("3");
        QTest::newRow("the last count-down") << QStringList{"latch", "count-down"} << QString();
    }
    void aChangeWithoutAMessageIsDone() {
        QFETCH(QStringList, arguments);
        QFETCH(QString, after);
        m_server.cli({"SET", "S", "1"});
        QCOMPARE(m_server.cli({"ACL", "SETUSER", "default", "-publish"}), "OK");
        start(arguments.takeFirst(), arguments);
        QCOMPARE(exitCode(), 0);
        const QByteArray complaint = m_program->readAllStandardError();
        QVERIFY2(complaint.contains("its waiters were not woken"), complaint);
        QCOMPARE(m_server.cli({"GET", "S"}), after);
    }

    void holdsPermitsWhileTheCommandRuns_data() {
        QTest::addColumn<QStringList>("options");
        QTest::addColumn<QByteArray>("whileHeld");
        QTest::newRow("one") << QStringList() << QByteArray("2\n");
        QTest::newRow("two") << QStringList{"run", "2"} << QByteArray("1\n");
        QTest::newRow("with an id") << QStringList{"--expirable"} << QByteArray("2\n");
    }
    void holdsPermitsWhileTheCommandRuns() {
        QFETCH(QStringList, options);
        QFETCH(QByteArray, whileHeld);
        m_server.cli({"SET", "S", "3"});
        start("semaphore", options + QStringList{"--", "sh", "-c", "redis-cli -s \"$1\" GET S; exit 7", "sh",
                                                 m_server.socketPath()});
        QCOMPARE(exitCode(), 7);
        QCOMPARE(m_program->readAllStandardOutput(), whileHeld);
        QCOMPARE(m_server.cli({"GET", "S"}), "3");
        QCOMPARE(m_server.cli({"ZCARD", "{S}:timeout"}), "0");
    }

    void waitsForAPermit() {
        m_server.cli({"SET", "S", "0"});
        start("semaphore", {"--", "true"});
        QTRY_COMPARE(m_server.cli({"PUBSUB", "CHANNELS"}), "redisson_sc:{S}");
        m_server.cli({"INCR", "S"});
        m_server.cli({"PUBLISH", "redisson_sc:{S}", "1"});
        QCOMPARE(exitCode(), 0);
        QCOMPARE(m_server.cli({"GET", "S"}), "1");
    }

    void waitsForALatch() {
        m_server.cli({"SET", "S", "1"});
        start("latch", {"wait"});
        const QString channel = QStringLiteral("redisson_countdownlatch__channel__{S}");
        QTRY_COMPARE(m_server.cli({"PUBSUB", "CHANNELS"}), channel);
        m_server.cli({"DEL", "S"});
        m_server.cli({"PUBLISH", channel, "0"});
        QCOMPARE(exitCode(), 0);
    }

    void aSignalEndsTheWaiting_data() {
        QTest::addColumn<QString>("face");
        QTest::addColumn<QStringList>("arguments");
        QTest::addColumn<QString>("value");
        QTest::newRow("for a permit") << "semaphore" << QStringList{"acquire"} << "0";
        QTest::newRow("for a permit with an id") << "semaphore" << QStringList{"acquire", "--expirable"} << "0";
        QTest::newRow("for a latch") << "latch" << QStringList{"wait"} << "1";
    }
    void aSignalEndsTheWaiting() {
        QFETCH(QString, face);
        QFETCH(QStringList, arguments);
        QFETCH(QString, value);
        m_server.cli({"SET", "S", value});
        start(face, arguments);
        QTRY_VERIFY(!m_server.cli({"PUBSUB", "CHANNELS"}).isEmpty());
        m_program->terminate();
        QCOMPARE(exitCode(), 128 + SIGTERM);
        QCOMPARE(m_server.cli({"GET", "S"}), value);
    }

    void aSignalGoesToTheCommandAndThePermitIsReleased() {
        m_server.cli({"SET", "S", "1"});
        start("semaphore", {"--", "sh", "-c", "echo runs; exec sleep 100"});
        QVERIFY(m_program->waitForReadyRead());
        QCOMPARE(m_server.cli({"GET", "S"}), "0");
        m_program->terminate();
        QCOMPARE(exitCode(), 128 + SIGTERM);
        QCOMPARE(m_server.cli({"GET", "S"}), "1");
    }

    void aPermitIsTakenInOneCallAndReleasedInAnother() {
        m_server.cli({"SET", "S", "1"});
        start("semaphore", {"acquire", "--expirable", "--lease", "600"});
        QCOMPARE(exitCode(), 0);
        const QString id = QString::fromLatin1(m_program->readAllStandardOutput()).trimmed();
        QCOMPARE(id.size(), 32);
        QCOMPARE(m_server.cli({"GET", "S"}), "0");
        start("semaphore", {"release", id, "--expirable"});
        QCOMPARE(exitCode(), 0);
        QCOMPARE(m_server.cli({"GET", "S"}), "1");
    }

    void aPermitThatIsProlongedGivesTheCommandMoreTime() {
        m_server.cli({"SET", "S", "1"});
        start("semaphore", {"--expirable", "--watchdog", "2", "--on-lost", "kill", "--", "sleep", "3"});
        QCOMPARE(exitCode(), 0);
        QCOMPARE(m_server.cli({"GET", "S"}), "1");
    }

    // The permit's lease is 30 s; it is prolonged at once when the command starts, and then every 10 s.
    void aPermitThatWasTakenAwayIsALoss() {
        m_server.cli({"SET", "S", "1"});
        start("semaphore",
              {"--expirable", "--", "sh", "-c", "redis-cli -s \"$1\" DEL '{S}:timeout'", "sh", m_server.socketPath()});
        QCOMPARE(exitCode(), lostWhileRunning);
    }

    void aPermitWithAFixedLeaseEndsTheCommandIfAsked() {
        m_server.cli({"SET", "S", "1"});
        start("semaphore", {"--expirable", "--lease", "0.9", "--on-lost", "kill", "--", "sleep", "100"});
        QCOMPARE(exitCode(), lostWhileRunning);
        const QByteArray complaint = m_program->readAllStandardError();
        QVERIFY2(complaint.contains("lost"), complaint);
        QCOMPARE(m_server.cli({"GET", "S"}), "1");
    }

    // A change that was made stays, and is reported on stderr. Only a permit whose id nobody knows is released.
    void anAnswerThatCannotBePrinted_data() {
        QTest::addColumn<QStringList>("arguments");
        QTest::addColumn<QByteArray>("says");
        QTest::addColumn<QString>("after");
        QTest::newRow("permits") << QStringList{"semaphore", "permits"} << QByteArray("the answer is 3") << "3";
        QTest::newRow("drain") << QStringList{"semaphore", "drain"} << QByteArray("the answer is 3") << "0";
        QTest::newRow("count down") << QStringList{"latch", "count-down"} << QByteArray("the answer is 2") << "2";
        QTest::newRow("the id of a permit")
            << QStringList{"semaphore", "acquire", "--expirable"} << QByteArray("the permit is released") << "3";
    }
    void anAnswerThatCannotBePrinted() {
        QFETCH(QStringList, arguments);
        QFETCH(QByteArray, says);
        QFETCH(QString, after);
        m_server.cli({"SET", "S", "3"});
        const QString face = arguments.takeFirst();
        m_program = std::make_unique<QProcess>();
        m_program->setStandardOutputFile("/dev/full");
        m_program->start(test::places::program(),
                         QStringList{face, "unix://" + m_server.socketPath(), "S"} + arguments);
        QCOMPARE(exitCode(), outputFailed);
        const QByteArray complaint = m_program->readAllStandardError();
        QVERIFY2(complaint.contains(says), complaint);
        QCOMPARE(m_server.cli({"GET", "S"}), after);
    }

    // CLIENT PAUSE holds up what writes: nobody knows whether the permit will be taken.
    void aSilentServerMayKeepAPermit() {
        m_server.cli({"SET", "S", "1"});
        m_server.cli({"CLIENT", "PAUSE", "60000", "WRITE"});
        start("semaphore", {"acquire", "--grace", "0.2"});
        QTRY_VERIFY(isHeldUp());
        m_program->terminate();
        QCOMPARE(exitCode(), mayBeLeft);
        const QByteArray complaint = m_program->readAllStandardError();
        QVERIFY2(complaint.contains("may stay taken"), complaint);
        m_server.cli({"CLIENT", "UNPAUSE"});
    }

    // Nobody knows whether the change was made.
    void aLostAnswerLeavesTheOutcomeUnknown_data() {
        QTest::addColumn<QStringList>("arguments");
        QTest::newRow("count down") << QStringList{"latch", "count-down"};
        QTest::newRow("close") << QStringList{"latch", "set", "5"};
        QTest::newRow("set") << QStringList{"semaphore", "set", "5"};
        QTest::newRow("add") << QStringList{"semaphore", "add", "2"};
        QTest::newRow("remove") << QStringList{"semaphore", "remove", "2"};
        QTest::newRow("drain") << QStringList{"semaphore", "drain"};
        QTest::newRow("release") << QStringList{"semaphore", "release", "2"};
    }
    void aLostAnswerLeavesTheOutcomeUnknown() {
        QFETCH(QStringList, arguments);
        m_server.cli({"SET", "S", "3"});
        test::BrittleLine line(m_server.port());
        line.cutBehind("$4\r\nEVAL\r\n");
        startThrough(line, arguments.takeFirst(), arguments);
        QCOMPARE(exitCode(), mayBeLeft);
        QVERIFY(line.isCut());
        const QByteArray complaint = m_program->readAllStandardError();
        QVERIFY2(complaint.contains("it is not known whether 'S' was changed") || complaint.contains("may stay taken"),
                 complaint);
    }

    // The connection is lost before the command ends, or while the release is under way. Only a release by id may be
    // sent a second time.
    void aReleaseIsTriedAgain_data() {
        QTest::addColumn<QStringList>("options");
        QTest::addColumn<bool>("isSent");
        QTest::addColumn<int>("exit");
        QTest::newRow("not sent") << QStringList() << false << 0;
        QTest::newRow("not sent, with an id") << QStringList{"--expirable"} << false << 0;
        QTest::newRow("sent, not answered") << QStringList() << true << mayBeLeft;
        QTest::newRow("sent, not answered, with an id") << QStringList{"--expirable"} << true << 0;
    }
    void aReleaseIsTriedAgain() {
        QFETCH(QStringList, options);
        QFETCH(bool, isSent);
        QFETCH(int, exit);
        m_server.cli({"SET", "S", "1"});
        test::BrittleLine line(m_server.port());
        startThrough(line, "semaphore", options + QStringList{"--", "sh", "-c", "echo runs; read line; true"});
        QTRY_VERIFY(m_program->bytesAvailable() > 0);
        if (isSent)
            line.cutBehind("EVAL");
        else
            line.cut();
        m_program->closeWriteChannel();
        QTRY_VERIFY(line.isCut());
        line.mend();
        QCOMPARE(exitCode(), exit);
        if (exit == 0)
            QCOMPARE(m_server.cli({"GET", "S"}), "1");
        const bool isSaid = m_program->readAllStandardError().contains("may stay taken until somebody releases");
        QCOMPARE(isSaid, exit == mayBeLeft);
    }

    // The demoted master becomes the master again, in place of a next one.
    void aDemotedMasterDoesNotKeepPermits_data() {
        QTest::addColumn<QStringList>("options");
        QTest::newRow("permits") << QStringList{"run", "2"};
        QTest::newRow("a permit with an id") << QStringList{"--expirable"};
    }
    void aDemotedMasterDoesNotKeepPermits() {
        QFETCH(QStringList, options);
        const lab::ReservedPort noServer;
        m_server.cli({"SET", "S", "3"});
        start("semaphore", options + QStringList{"--", "sh", "-c", "echo runs; read line; true"});
        QTRY_VERIFY(m_program->bytesAvailable() > 0);
        QCOMPARE(m_server.cli({"REPLICAOF", "127.0.0.1", QString::number(noServer.number())}), "OK");
        m_program->closeWriteChannel();
        QTRY_VERIFY(m_server.cli({"INFO", "errorstats"}).contains("errorstat_READONLY"));
        QVERIFY(m_server.cli({"GET", "S"}) != "3");
        QCOMPARE(m_server.cli({"REPLICAOF", "NO", "ONE"}), "OK");
        QCOMPARE(exitCode(), 0);
        QCOMPARE(m_server.cli({"GET", "S"}), "3");
    }

    // The signal arrives while the lease of the permit is prolonged, before the command starts.
    void whatIsReleasedAfterASignalIsTriedAgainForTheGrace() {
        m_server.cli({"SET", "S", "1"});
        test::BrittleLine line(m_server.port());
        line.keepBackBehind("redis.call('zscore', leases, ARGV[2])");
        startThrough(line, "semaphore", {"--expirable", "--", "true"});
        QTRY_VERIFY(line.keepsBack());
        const qint64 before = test::sleepsOfProcess(m_program->processId());
        m_program->terminate();
        QVERIFY(test::becomesTrue([&] { return test::hasHandledSignal(m_program->processId(), before); }));
        line.cutBehind("redis.call('zrem', leases, id)");
        line.letPass();
        QTRY_VERIFY(line.isCut());
        line.mend();
        QCOMPARE(exitCode(), signalled + SIGTERM);
        QCOMPARE(m_server.cli({"GET", "S"}), "1");
    }

    // The right to take the permit back is taken away while the program reconnects.
    void aRefusedReturnAfterALostAnswerIsSaid() {
        m_server.cli({"SET", "S", "3"});
        test::BrittleLine line(m_server.port());
        line.cutBehind("$4\r\nEVAL\r\n");
        startThrough(line, "semaphore", {"acquire", "--expirable", "--wait", "10"});
        QTRY_VERIFY(line.isCut());
        QCOMPARE(m_server.cli({"ACL", "SETUSER", "default", "-eval", "-evalsha"}), "OK");
        line.mend();
        QCOMPARE(exitCode(), mayBeLeft);
        const QByteArray complaint = m_program->readAllStandardError();
        QVERIFY2(complaint.contains("may stay taken") && complaint.contains("NOPERM"), complaint);
    }

    // The exit code for what may be left says more than the signal that ends the rest of the program.
    void aSignalDoesNotHideWhatMayBeLeft() {
        m_server.cli({"SET", "S", "3"});
        test::BrittleLine line(m_server.port());
        line.cutBehind("$4\r\nEVAL\r\n");
        startThrough(line, "semaphore", {"acquire", "--expirable", "--wait", "0.5", "--grace", "3"});
        QVERIFY(QTest::qWaitFor([this] { return m_program->readAllStandardError().contains("may stay taken"); }));
        m_program->terminate();
        line.mend();
        QCOMPARE(exitCode(), mayBeLeft);
    }

private:
    void startThrough(const test::BrittleLine& line, const QString& face, const QStringList& arguments) {
        m_program = std::make_unique<QProcess>();
        m_program->start(test::places::program(), QStringList{face, line.address(), "S"} + arguments);
        QVERIFY(m_program->waitForStarted());
    }
    void start(const QString& face, const QStringList& arguments) {
        m_program = std::make_unique<QProcess>();
        m_program->start(test::places::program(),
                         QStringList{face, "unix://" + m_server.socketPath(), "S"} + arguments);
        QVERIFY(m_program->waitForStarted());
    }
    // Whether a command of the program waits for the end of the pause.
    bool isHeldUp() {
        const QStringList clients = m_server.cli({"CLIENT", "LIST"}).split(u'\n').filter(" name=lockkeeper-semaphore ");
        return clients.size() == 1 && clients.first().contains(QLatin1String(" flags=b"));
    }
    int exitCode() { return test::exitCodeOf(*m_program); }

    test::RedisServer m_server;
    std::unique_ptr<QProcess> m_program;
};

LOCKKEEPER_TEST(TestSynchronizerCommand, Guiless)

}  // namespace tst_synchronizercommand

#include "tst_synchronizercommand.moc"
