// SPDX-License-Identifier: Apache-2.0
#include "support/brittleline.h"
#include "support/exitcodes.h"
#include "support/lateanswers.h"
#include "support/places.h"
#include "support/processtable.h"
#include "support/programend.h"
#include "support/redisserver.h"
#include "support/taskwait.h"
#include "support/testprogram.h"

#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>

#include <csignal>

namespace tst_lockguard {

using namespace lockkeeper;
using namespace lockkeeper::test::exitcode;
using test::childOf;
using test::childrenOf;
using test::groupOfProcess;
using test::procFile;
using test::stateOfProcess;

// What a cron job relies on around `lockkeeper lock`: nothing works on without the lock, nothing is left behind in
// silence, and the exit code says so.
class TestLockGuard : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() { QVERIFY(m_server.start()); }
    void cleanup() {
        m_program.reset();
        killWorkers();
        m_server.stop();
    }

    // ---- work never outlives the lock ----

    void aSignalEndsAllThatAShellHasStarted_data() {
        QTest::addColumn<int>("signal");
        QTest::newRow("SIGTERM") << SIGTERM;
        QTest::newRow("SIGHUP") << SIGHUP;
        QTest::newRow("SIGINT") << SIGINT;
        QTest::newRow("SIGQUIT") << SIGQUIT;
    }
    void aSignalEndsAllThatAShellHasStarted() {
        QFETCH(int, signal);
        // Processes that a shell starts in the background ignore SIGINT and SIGQUIT, and must be killed.
        start({"L", "--grace", "0.5", "--", "sh", "-c", worker() + " & " + worker() + "; true"});
        QTRY_COMPARE(workers().size(), 2);
        ::kill(static_cast<pid_t>(m_program->processId()), signal);
        QVERIFY(exitCode() != -1);
        QCOMPARE(workers().size(), 0);
        QCOMPARE(m_server.cli({"EXISTS", "L"}), "0");
    }

    void aLossEndsAllThatAShellHasStarted() {
        start({"L", "--lease", "3", "--on-lost", "kill", "--", "sh", "-c", worker() + " & " + worker()});
        QTRY_COMPARE(workers().size(), 2);
        QCOMPARE(exitCode(), lostWhileRunning);
        QCOMPARE(workers().size(), 0);
    }

    // A command that ignores SIGTERM is killed while the lease still lasts.
    void withAFixedLeaseTheEndIsOverBeforeTheLease() {
        start({"L", "--lease", "6", "--on-lost", "kill", "--", "sh", "-c", "trap '' TERM; " + worker() + "; true"});
        QTRY_COMPARE(workers().size(), 1);
        QCOMPARE(exitCode(), lostWhileRunning);
        QCOMPARE(workers().size(), 0);
        // The lock was released, and has not expired before.
        QVERIFY(m_server.cli({"INFO", "stats"}).contains("expired_keys:0"));
        QCOMPARE(m_server.cli({"EXISTS", "L"}), "0");
    }

    void whatIgnoresTheSignalIsKilledAfterTheGrace() {
        start({"L", "--grace", "0.3", "--", "sh", "-c", "trap '' TERM; " + worker() + "; true"});
        QTRY_COMPARE(workers().size(), 1);
        m_program->terminate();
        QCOMPARE(exitCode(), 128 + SIGKILL);
        QCOMPARE(workers().size(), 0);
    }

    void theLockIsRenewedWhileTheCommandEnds() {
        start({"L", "--watchdog", "1", "--grace", "3", "--", "sh", "-c", "trap '' TERM; " + worker() + "; true"});
        QTRY_COMPARE(workers().size(), 1);
        m_program->terminate();
        QVERIFY(workEndsBeforeTheLock());
        QCOMPARE(exitCode(), 128 + SIGKILL);
        QVERIFY(m_server.cli({"INFO", "stats"}).contains("expired_keys:0"));
    }

    void whatIsKilledLeavesNoWorkBehind_data() {
        QTest::addColumn<QString>("onLost");
        QTest::newRow("--on-lost kill") << "kill";
        QTest::newRow("--on-lost warn") << "warn";
    }
    void whatIsKilledLeavesNoWorkBehind() {
        QFETCH(QString, onLost);
        start({"L", "--on-lost", onLost, "--grace", "0.3", "--", "sh", "-c",
               "trap '' TERM; " + worker() + " & " + worker()});
        QTRY_COMPARE(workers().size(), 2);
        m_program->kill();
        QTRY_COMPARE(workers().size(), 0);
    }

    // Nobody renews the lock any more, and the grace is longer than the lease.
    void whatIsKilledLetsNoWorkOutliveTheLease_data() {
        QTest::addColumn<QStringList>("options");
        QTest::newRow("--on-lost kill") << QStringList{"--watchdog", "3", "--on-lost", "kill"};
        QTest::newRow("--on-lost warn") << QStringList{"--watchdog", "3", "--on-lost", "warn"};
        QTest::newRow("--on-lost warn, fixed") << QStringList{"--lease", "3", "--on-lost", "warn"};
    }
    void whatIsKilledLetsNoWorkOutliveTheLease() {
        QFETCH(QStringList, options);
        start(QStringList{"L"} + options +
              QStringList{"--grace", "15", "--", "sh", "-c", "trap '' TERM; " + worker() + " & " + worker()});
        QTRY_COMPARE(workers().size(), 2);
        m_program->kill();
        QVERIFY(workEndsBeforeTheLock());
    }

    // A user who wants only a warning gets the whole grace while this program lives, also after the lease.
    void withWarnTheGraceMayBeLongerThanTheLease() {
        start({"L", "--lease", "1", "--grace", "3", "--on-lost", "warn", "--", "sh", "-c",
               "trap '' TERM; " + worker() + "; true"});
        QTRY_COMPARE(workers().size(), 1);
        m_program->terminate();
        QTRY_COMPARE(m_server.cli({"EXISTS", "L"}), "0");
        QCOMPARE(workers().size(), 1);
        QCOMPARE(exitCode(), lostWhileRunning);
        QCOMPARE(workers().size(), 0);
    }

    // The program is frozen, so only the guard can know that the lease ends.
    void aFrozenProgramDoesNotLetTheCommandOutliveTheLease_data() {
        QTest::addColumn<QStringList>("lease");
        QTest::newRow("fixed") << QStringList{"--lease", "6"};
        QTest::newRow("renewed") << QStringList{"--watchdog", "6"};
    }
    void aFrozenProgramDoesNotLetTheCommandOutliveTheLease() {
        QFETCH(QStringList, lease);
        start(QStringList{"L"} + lease +
              QStringList{"--on-lost", "kill", "--", "sh", "-c", worker() + " & " + worker()});
        QTRY_COMPARE(workers().size(), 2);
        signalProgram(SIGSTOP);
        QVERIFY(workEndsBeforeTheLock());
        signalProgram(SIGCONT);
        QCOMPARE(exitCode(), lostWhileRunning);
        const QByteArray complaint = m_program->readAllStandardError();
        QVERIFY2(complaint.contains("'L' is lost"), complaint);
    }

    void aRenewedLeaseGivesTheCommandMoreTime() {
        start({"L", "--watchdog", "3", "--on-lost", "kill", "--", "sleep", "4.5"});
        QCOMPARE(exitCode(), 0);
    }

    void aLeaseThatOthersShortenShortensTheTime() {
        start({"L", "--lease", "600", "--on-lost", "kill", "--", "sh", "-c", worker() + " & " + worker()});
        QTRY_COMPARE(workers().size(), 2);
        m_server.cli({"PEXPIRE", "L", "4500"});
        QCOMPARE(exitCode(), lostWhileRunning);
        QCOMPARE(workers().size(), 0);
        QVERIFY(m_server.cli({"INFO", "stats"}).contains("expired_keys:0"));
    }

    // Nothing renews the lock then. The guard ends the command before another client can get the lock.
    void withoutAConnectionTheCommandEndsBeforeTheLease() {
        test::BrittleLine line(m_server.port());
        startThrough(line,
                     {"L", "--watchdog", "3", "--on-lost", "kill", "--", "sh", "-c", worker() + " & " + worker()});
        QTRY_COMPARE(workers().size(), 2);
        line.cut();
        QVERIFY(workEndsBeforeTheLock());
        line.mend();
        QCOMPARE(exitCode(), lostWhileRunning);
    }

    void whoKillsTheGuardKillsTheWork_data() {
        QTest::addColumn<QString>("onLost");
        QTest::addColumn<bool>("isKeeper");
        QTest::newRow("the guard") << "kill" << false;
        QTest::newRow("its keeper") << "kill" << true;
        QTest::newRow("the guard, --on-lost warn") << "warn" << false;
        QTest::newRow("its keeper, --on-lost warn") << "warn" << true;
    }
    void whoKillsTheGuardKillsTheWork() {
        QFETCH(QString, onLost);
        QFETCH(bool, isKeeper);
        start({"L", "--on-lost", onLost, "--grace", "0.3", "--", "sh", "-c",
               "trap '' TERM; (setsid " + worker() + " & " + worker() + ") & " + worker()});
        QTRY_COMPARE(workers().size(), 3);
        const qint64 keeper = childOf(m_program->processId());
        ::kill(static_cast<pid_t>(isKeeper ? keeper : childOf(keeper)), SIGKILL);
        QCOMPARE(exitCode(), 128 + SIGKILL);
        QCOMPARE(workers().size(), 0);
        QCOMPARE(m_server.cli({"EXISTS", "L"}), "0");
    }

    // Nothing else would end the command before the lease.
    void aGuardThatStandsStillIsKilled_data() {
        QTest::addColumn<bool>("isCut");
        QTest::newRow("SIGTERM") << false;
        QTest::newRow("no connection") << true;
    }
    void aGuardThatStandsStillIsKilled() {
        QFETCH(bool, isCut);
        test::BrittleLine line(m_server.port());
        startThrough(line, {"L", "--watchdog", "6", "--grace", "2", "--on-lost", "kill", "--", "sh", "-c",
                            worker() + " & " + worker()});
        QTRY_COMPARE(workers().size(), 2);
        ::kill(static_cast<pid_t>(guard()), SIGSTOP);
        if (isCut)
            line.cut();
        else
            m_program->terminate();
        QVERIFY(workEndsBeforeTheLock());
        line.mend();
        QCOMPARE(exitCode(), isCut ? lostWhileRunning : 128 + SIGKILL);
    }

    // A signal to the group of one must not reach the other.
    void withoutATerminalTheCommandHasAGroupOfItsOwn() {
        start({"L", "--", "sh", "-c", worker() + " & " + worker()});
        QTRY_COMPARE(workers().size(), 2);
        QCOMPARE(groupOfProcess(workers().first()), groupOfProcess(workers().last()));
        for (const qint64 other : {m_program->processId(), childOf(m_program->processId()), guard()})
            QVERIFY(groupOfProcess(workers().first()) != groupOfProcess(other));
        m_program->terminate();
        QCOMPARE(exitCode(), 128 + SIGTERM);
    }

    // Orphans of the command become children of the guard, which waits for their ends.
    void orphansThatHaveEndedAreGone() {
        const QString ready = m_folder.filePath("orphans");
        start({"L", "--", "sh", "-c",
               "for i in 1 2 3 4 5 6 7 8; do (true &); done; touch " + ready + "; " + worker() + "; exit 5"});
        QTRY_VERIFY(QFile::exists(ready));
        QTRY_COMPARE(workers().size(), 1);
        QTRY_COMPARE(childrenOf(guard()).size(), 1);
        killWorkers();
        QCOMPARE(exitCode(), 5);
    }

    // The system shows process names unchanged, also odd ones.
    void anOddNameHidesNothing() {
        const QString odd = m_folder.filePath("a\n) S 1\n(b");
        QVERIFY(QFile::copy(QStandardPaths::findExecutable("sleep"), odd));
        start({"L", "--", "bash", "-c", "(exec -a sleep '" + odd + "' " + m_mark + ") & " + worker()});
        QTRY_COMPARE(workers().size(), 2);
        m_program->terminate();
        QCOMPARE(exitCode(), 128 + SIGTERM);
        QCOMPARE(workers().size(), 0);
    }

    void theLockIsKeptForWhatTheCommandLeavesInItsSession_data() {
        QTest::addColumn<QStringList>("options");
        QTest::addColumn<QString>("prefix");
        QTest::addColumn<bool>("kept");
        QTest::newRow("usually") << QStringList() << "" << true;
        QTest::newRow("a daemon") << QStringList() << "setsid " << false;
        QTest::newRow("only the command") << QStringList{"--wait-for", "command"} << "" << false;
        QTest::newRow("all, a daemon") << QStringList{"--wait-for", "all"} << "setsid " << true;
    }
    void theLockIsKeptForWhatTheCommandLeavesInItsSession() {
        QFETCH(QStringList, options);
        QFETCH(QString, prefix);
        QFETCH(bool, kept);
        const QString done = m_folder.filePath("done");
        const QString ended = done + ".ended";
        QFile::remove(done);
        QFile::remove(ended);
        start(QStringList{"L"} + options +
              QStringList{"--", "sh", "-c",
                          prefix + worker() + " & while ! [ -e " + done + " ]; do sleep 0.02; done; touch " + ended});
        QTRY_COMPARE(workers().size(), 1);
        QFile file(done);
        QVERIFY(file.open(QIODevice::WriteOnly));
        if (!kept) {
            QCOMPARE(exitCode(), 0);
            return;
        }
        QTRY_VERIFY(QFile::exists(ended));
        QCOMPARE(m_server.cli({"EXISTS", "L"}), "1");
        for (const qint64 process : workers())
            ::kill(static_cast<pid_t>(process), SIGTERM);
        QCOMPARE(exitCode(), 0);
        QCOMPARE(m_server.cli({"EXISTS", "L"}), "0");
    }

    // ---- signals ----

    void otherSignalsReachTheCommand_data() {
        QTest::addColumn<int>("signal");
        QTest::addColumn<QString>("name");
        QTest::newRow("SIGUSR1") << SIGUSR1 << "USR1";
        QTest::newRow("SIGUSR2") << SIGUSR2 << "USR2";
        QTest::newRow("SIGALRM") << SIGALRM << "ALRM";
    }
    void otherSignalsReachTheCommand() {
        QFETCH(int, signal);
        QFETCH(QString, name);
        const QString ready = m_folder.filePath("ready" + name);
        start({"L", "--", "sh", "-c", "trap 'exit 9' " + name + "; touch " + ready + "; while :; do sleep 0.02; done"});
        QTRY_VERIFY(QFile::exists(ready));
        ::kill(static_cast<pid_t>(m_program->processId()), signal);
        QCOMPARE(exitCode(), 9);
        QCOMPARE(m_server.cli({"EXISTS", "L"}), "0");
    }

    // Ctrl+Z and fg: nothing works while nobody renews the lock.
    void whatIsStoppedStopsTheCommandFirst_data() {
        QTest::addColumn<QString>("trap");
        QTest::newRow("usually") << "";
        QTest::newRow("the command ignores it") << "trap '' TSTP; ";
    }
    void whatIsStoppedStopsTheCommandFirst() {
        QFETCH(QString, trap);
        start({"L", "--", "sh", "-c", trap + worker() + " & " + worker()});
        QTRY_COMPARE(workers().size(), 2);
        signalProgram(SIGTSTP);
        QTRY_COMPARE(stateOfProcess(m_program->processId()), 'T');
        // A process shows a signal that it has got only when the system lets it run next; the stopped guard sends no
        // more.
        for (const qint64 process : workers())
            QTRY_COMPARE(stateOfProcess(process), 'T');
        signalProgram(SIGCONT);
        for (const qint64 process : workers())
            QTRY_COMPARE(stateOfProcess(process), 'S');
        QCOMPARE(m_server.cli({"EXISTS", "L"}), "1");
        m_program->terminate();
        QCOMPARE(exitCode(), 128 + SIGTERM);
        QCOMPARE(workers().size(), 0);
    }

    // SIGCONT arrives while the guard waits for the command, which ignores SIGTSTP.
    void whatIsContinuedBeforeItHasStoppedGoesOn() {
        const QString asked = m_folder.filePath("askedToStop");
        start({"L", "--", "sh", "-c", "trap 'touch " + asked + "' TSTP; " + worker() + " & while :; do wait; done"});
        QTRY_COMPARE(workers().size(), 1);
        signalProgram(SIGTSTP);
        QTRY_VERIFY(QFile::exists(asked));
        signalProgram(SIGCONT);
        QTRY_COMPARE(stateOfProcess(workers().first()), 'S');
        QCOMPARE(stateOfProcess(m_program->processId()), 'S');
        m_program->terminate();
        QCOMPARE(exitCode(), 128 + SIGTERM);
        QCOMPARE(workers().size(), 0);
    }

    void aLockThatCannotBeReadLeavesTheCommandStopped() {
        test::BrittleLine line(m_server.port());
        startThrough(line, {"L", "--", "sh", "-c", worker() + " & " + worker()});
        QTRY_COMPARE(workers().size(), 2);
        signalProgram(SIGTSTP);
        QTRY_COMPARE(stateOfProcess(m_program->processId()), 'T');
        line.cut();
        signalProgram(SIGCONT);
        QTRY_VERIFY(line.refused() > 1);
        for (const qint64 process : workers())
            QCOMPARE(stateOfProcess(process), 'T');
        line.mend();
        for (const qint64 process : workers())
            QTRY_COMPARE(stateOfProcess(process), 'S');
        QCOMPARE(m_server.cli({"EXISTS", "L"}), "1");
        m_program->terminate();
        QCOMPARE(exitCode(), 128 + SIGTERM);
    }

    void aLockThatCannotBeReadInTimeIsLost_data() {
        QTest::addColumn<QStringList>("lease");
        QTest::newRow("fixed") << QStringList{"--lease", "2"};
        QTest::newRow("renewed") << QStringList{"--watchdog", "2"};
    }
    void aLockThatCannotBeReadInTimeIsLost() {
        QFETCH(QStringList, lease);
        test::BrittleLine line(m_server.port());
        startThrough(line, QStringList{"L"} + lease + QStringList{"--", "sh", "-c", worker() + " & " + worker()});
        QTRY_COMPARE(workers().size(), 2);
        signalProgram(SIGTSTP);
        QTRY_COMPARE(stateOfProcess(m_program->processId()), 'T');
        line.cut();
        signalProgram(SIGCONT);
        for (const qint64 process : workers())
            QTRY_COMPARE(stateOfProcess(process), 'S');
        QByteArray complaint;
        QTRY_VERIFY2((complaint += m_program->readAllStandardError()).contains("'L' is lost: its lease ran out"),
                     complaint);
        line.mend();
        m_program->terminate();
        QCOMPARE(exitCode(), lostWhileRunning);
    }

    void whatHasLostItsLockWhileItWasStoppedDoesNotGoOn() {
        const QString log = m_folder.filePath("log");
        start({"L", "--on-lost", "kill", "--", "sh", "-c", "while :; do echo x >> " + log + "; sleep 0.01; done"});
        QTRY_VERIFY(QFile::exists(log));
        signalProgram(SIGTSTP);
        QTRY_COMPARE(stateOfProcess(m_program->processId()), 'T');
        const qint64 written = QFileInfo(log).size();
        m_server.cli({"DEL", "L"});
        signalProgram(SIGCONT);
        QCOMPARE(exitCode(), lostWhileRunning);
        QCOMPARE(QFileInfo(log).size(), written);
    }

    void whatIsStoppedForLongerThanTheLeaseIsEnded() {
        start({"L", "--watchdog", "4", "--on-lost", "kill", "--", "sh", "-c", worker() + " & " + worker()});
        QTRY_COMPARE(workers().size(), 2);
        signalProgram(SIGTSTP);
        QTRY_COMPARE(stateOfProcess(m_program->processId()), 'T');
        QTRY_COMPARE_WITH_TIMEOUT(workers().size(), 0, 15000);
        QCOMPARE(m_server.cli({"EXISTS", "L"}), "1");
        signalProgram(SIGCONT);
        QCOMPARE(exitCode(), lostWhileRunning);
    }

    void aBurstOfSignalsDoesNotBlockIt() {
        start({"L", "--", "sh", "-c", "trap '' USR1; " + worker() + "; true"});
        QTRY_COMPARE(workers().size(), 1);
        for (int i = 0; i < 20000; ++i)
            ::kill(static_cast<pid_t>(m_program->processId()), SIGUSR1);
        m_program->terminate();
        QVERIFY(exitCode() > 0);
        QCOMPARE(workers().size(), 0);
    }

    // Some signals arrive when the guard has ended and nobody reads them.
    void signalsAtTheEndDoNotHideTheExitCode() {
        const QString ready = m_folder.filePath("readyToExit");
        const QString leave = m_folder.filePath("leave");
        for (int i = 0; i < 15; ++i) {
            QFile::remove(ready);
            QFile::remove(leave);
            start({"L", "--", "sh", "-c",
                   "trap '' USR1; touch " + ready + "; until [ -e " + leave + " ]; do :; done; exit 5"});
            QTRY_VERIFY_WITH_TIMEOUT(QFile::exists(ready), 15000);
            for (int signal = 0; m_program->state() != QProcess::NotRunning; ++signal) {
                signalProgram(SIGUSR1);
                QCoreApplication::processEvents();
                if (signal == 100)
                    QVERIFY(QFile(leave).open(QIODevice::WriteOnly));
            }
            QCOMPARE(exitCode(), 5);
        }
    }

    // ---- nothing is left behind in silence ----

    void aLockThatHasExpiredMeanwhileStartsNothing_data() {
        QTest::addColumn<QString>("onLost");
        QTest::newRow("kill") << "kill";
        QTest::newRow("warn") << "warn";
    }
    void aLockThatHasExpiredMeanwhileStartsNothing() {
        QFETCH(QString, onLost);
        test::LateAnswers line(m_server.port());
        const QString ran = m_folder.filePath("ran" + onLost);
        m_program = std::make_unique<QProcess>();
        m_program->start(test::places::program(),
                         {"lock", line.address(), "L", "--lease", "0.5", "--on-lost", onLost, "--", "touch", ran});
        QTRY_COMPARE(m_server.cli({"EXISTS", "L"}), "1");
        QTRY_COMPARE(m_server.cli({"EXISTS", "L"}), "0");
        line.letPass();
        QCOMPARE(exitCode(), notInTime);
        QVERIFY(!QFile::exists(ran));
    }

    void whatAFrozenServerMayStillDoIsSaid() {
        m_server.cli({"HSET", "L", "0ae6d8e3-41d2-4a0e-9c76-0a4f3c1f6f10:33", "1"});
        test::BrittleLine line(m_server.port());
        startThrough(line, {"L", "--kind", "spin", "--grace", "0.5", "--", "true"});
        // The program asks again and again; at some moment it gets no answer.
        QTRY_VERIFY(m_server.cli({"INFO", "commandstats"}).contains("cmdstat_evalsha"));
        m_server.freeze();
        QCoreApplication::processEvents();  // what the server answered before
        QTRY_VERIFY(line.awaitsScript());
        m_program->terminate();
        QCOMPARE(exitCode(), mayBeLeft);
        const QByteArray complaint = m_program->readAllStandardError();
        QVERIFY2(complaint.contains("'L' may be held by ") && complaint.contains("30 s"), complaint);
        m_server.thaw();
    }

    // The connection is lost before the command ends, or while the release is under way.
    void aReleaseIsTriedAgain_data() {
        QTest::addColumn<bool>("isSent");
        QTest::newRow("not sent") << false;
        QTest::newRow("sent, not answered") << true;
    }
    void aReleaseIsTriedAgain() {
        QFETCH(bool, isSent);
        test::BrittleLine line(m_server.port());
        startThrough(line, {"L", "--", "sh", "-c", worker() + "; true"});
        QTRY_COMPARE(workers().size(), 1);
        if (isSent)
            line.cutBehind("EVAL");
        else
            line.cut();
        killWorkers();
        QTRY_VERIFY(line.isCut());
        line.mend();
        QCOMPARE(exitCode(), 0);
        QCOMPARE(m_server.cli({"EXISTS", "L"}), "0");
    }

    // The right to release is taken away, and the answer that reports it is lost. The command has succeeded, but the
    // exit code is not 0.
    void aRefusedReleaseAfterALostAnswerIsSaid() {
        test::BrittleLine line(m_server.port());
        startThrough(line, {"L", "--lease", "60", "--", "sh", "-c", worker() + "; true"});
        QTRY_COMPARE(workers().size(), 1);
        QCOMPARE(m_server.cli({"ACL", "SETUSER", "default", "-eval", "-evalsha"}), "OK");
        line.cutBehind("EVAL");
        killWorkers();
        QTRY_VERIFY(line.isCut());
        line.mend();
        QCOMPARE(exitCode(), mayBeLeft);
        const QByteArray complaint = m_program->readAllStandardError();
        QVERIFY2(complaint.contains("the server refuses the release: 'L' may be held by "), complaint);
        QVERIFY2(complaint.contains(", for up to 60 s from now on: "), complaint);
        QCOMPARE(m_server.cli({"EXISTS", "L"}), "1");
    }

    void aReleaseThatDoesNotComeInTimeIsSaid() {
        test::BrittleLine line(m_server.port());
        startThrough(line, {"L", "--lease", "2", "--", "sh", "-c", worker() + "; true"});
        QTRY_COMPARE(workers().size(), 1);
        line.cut();
        killWorkers();
        QCOMPARE(exitCode(), mayBeLeft);
        const QByteArray complaint = m_program->readAllStandardError();
        QVERIFY2(complaint.contains("'L' may stay until its lease ends, held by "), complaint);
    }

    // The loss was not noticed; only the release finds it.
    void aReleaseThatFindsNothingIsALoss() {
        QCOMPARE(m_server.cli({"ACL", "SETUSER", "default", "-client|tracking"}), "OK");
        start({"L", "--", "redis-cli", "-s", m_server.socketPath(), "DEL", "L"});
        QCOMPARE(exitCode(), lostWhileRunning);
        const QByteArray complaint = m_program->readAllStandardError();
        QVERIFY2(complaint.contains("'L' is lost"), complaint);
    }

    // ---- where output goes ----

    void aLossIsNoLossOfTheEndWhenNobodyReads_data() {
        QTest::addColumn<QString>("redirect");
        QTest::newRow("closed stderr") << "exec 2>&-";
        QTest::newRow("a pipe without reader") << "exec 2> >(exec <&-)";
        QTest::newRow("a full pipe") << "exec 2> >(exec sleep 10); head -c 65536 /dev/zero >&2";
        QTest::newRow("a full device") << "exec 2>/dev/full";
    }
    void aLossIsNoLossOfTheEndWhenNobodyReads() {
        QFETCH(QString, redirect);
        m_program = std::make_unique<QProcess>();
        m_program->start("bash",
                         {"-c", redirect + "; exec \"$0\" lock \"$1\" L --lease 3 --on-lost kill -- " + worker(),
                          test::places::program(), url()});
        QTRY_COMPARE(workers().size(), 1);
        QCOMPARE(exitCode(), lostWhileRunning);
        QCOMPARE(workers().size(), 0);
    }

    // Otherwise the first file that the program opens would get what is printed.
    void aClosedStreamStaysAStream_data() {
        QTest::addColumn<int>("stream");
        QTest::newRow("stdin") << 0;
        QTest::newRow("stdout") << 1;
        QTest::newRow("stderr") << 2;
    }
    void aClosedStreamStaysAStream() {
        QFETCH(int, stream);
        m_program = std::make_unique<QProcess>();
        m_program->start("bash",
                         {"-c", QStringLiteral("exec \"$0\" lock \"$1\" L -- %1 %2>&-").arg(worker()).arg(stream),
                          test::places::program(), url()});
        QTRY_COMPARE(workers().size(), 1);
        for (const qint64 process : {m_program->processId(), guard(), workers().first()})
            QCOMPARE(QFile::symLinkTarget(QStringLiteral("/proc/%1/fd/%2").arg(process).arg(stream)), "/dev/null");
        m_program->terminate();
        QCOMPARE(exitCode(), 128 + SIGTERM);
    }

    void linesThatCannotBeWrittenAreAnError_data() {
        QTest::addColumn<QString>("word");
        QTest::addColumn<QString>("redirect");
        for (const QString word : {"list", "watch"}) {
            QTest::addRow("%s, a full device", qPrintable(word)) << word << ">/dev/full";
            QTest::addRow("%s, closed", qPrintable(word)) << word << ">&-";
        }
    }
    void linesThatCannotBeWrittenAreAnError() {
        QFETCH(QString, word);
        QFETCH(QString, redirect);
        m_program = std::make_unique<QProcess>();
        m_server.cli({"HSET", "L", "0ae6d8e3-41d2-4a0e-9c76-0a4f3c1f6f10:33", "1"});
        m_program->start("bash", {"-c", "exec \"$0\" \"$1\" \"$2\" " + redirect, test::places::program(), word, url()});
        QCOMPARE(exitCode(), outputFailed);
        const QByteArray complaint = m_program->readAllStandardError();
        QVERIFY2(complaint.contains("cannot be written"), complaint);
    }

    void aHelpThatCannotBeWrittenIsAnError_data() {
        QTest::addColumn<QString>("option");
        QTest::newRow("help") << "--help";
        QTest::newRow("version") << "--version";
    }
    void aHelpThatCannotBeWrittenIsAnError() {
        QFETCH(QString, option);
        m_program = std::make_unique<QProcess>();
        m_program->setStandardOutputFile("/dev/full");
        m_program->start(test::places::program(), {option});
        QCOMPARE(exitCode(), outputFailed);
        const QByteArray complaint = m_program->readAllStandardError();
        QVERIFY2(complaint.contains("cannot be written"), complaint);
    }

    // ---- exit codes and arguments ----

    void whatCannotBeExecutedIs126() {
        start({"L", "--", "/etc/passwd"});
        QCOMPARE(exitCode(), notExecutable);
        const QByteArray complaint = m_program->readAllStandardError();
        QVERIFY2(complaint.contains("/etc/passwd"), complaint);
        QCOMPARE(m_server.cli({"EXISTS", "L"}), "0");
    }

    void whatTheServerDeniesIsSeven() {
        m_server.cli({"ACL", "SETUSER", "reader", "on", "nopass", "~*", "&*", "+@read", "+hello", "+client", "+ping"});
        m_program = std::make_unique<QProcess>();
        m_program->start(test::places::program(),
                         {"lock", QStringLiteral("redis://reader:x@127.0.0.1:%1").arg(m_server.port()), "L", "--wait",
                          "0", "--", "true"});
        QCOMPARE(exitCode(), denied);
    }

    void aNameThatBeginsWithAHyphen() {
        m_program = std::make_unique<QProcess>();
        m_program->start(test::places::program(), {"lock", url(), "--name", "-x", "--", "redis-cli", "-s",
                                                   m_server.socketPath(), "HVALS", "-x"});
        QCOMPARE(exitCode(), 0);
        QCOMPARE(m_program->readAllStandardOutput(), QByteArray("1\n"));
    }

    void thePasswordComesFromAFileOrADescriptor_data() {
        QTest::addColumn<QString>("option");
        QTest::newRow("file") << "--password-file \"$2\"";
        QTest::newRow("descriptor") << "--password-fd 5 5<\"$2\"";
    }
    void thePasswordComesFromAFileOrADescriptor() {
        QFETCH(QString, option);
        m_server.cli({"CONFIG", "SET", "requirepass", "se cret"});
        QFile file(m_folder.filePath("password"));
        QVERIFY(file.open(QIODevice::WriteOnly) && file.write("se cret\nmore\n") > 0);
        file.close();
        m_program = std::make_unique<QProcess>();
        m_program->start("bash", {"-c", "exec \"$0\" lock \"$1\" L " + option + " -- true", test::places::program(),
                                  url(), file.fileName()});
        QCOMPARE(exitCode(), 0);
    }

    void thePasswordIsNotInTheEnvironmentOfTheProgram() {
        m_server.cli({"CONFIG", "SET", "requirepass", "se cret"});
        m_program = std::make_unique<QProcess>();
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        environment.insert("LOCKKEEPER_PASSWORD", "se cret");
        m_program->setProcessEnvironment(environment);
        m_program->start(test::places::program(), {"lock", url(), "L", "--", "sh", "-c", worker() + "; true"});
        QTRY_COMPARE(workers().size(), 1);
        for (const qint64 process : {m_program->processId(), childOf(m_program->processId()), workers().first()})
            QVERIFY(!procFile(process, "environ").contains("se cret"));
        m_program->terminate();
        QCOMPARE(exitCode(), 128 + SIGTERM);
    }

    void whatMakesNoSenseIsAnError_data() {
        QTest::addColumn<QStringList>("options");
        QTest::newRow("NaN") << QStringList{"--wait", "nan"};
        QTest::newRow("no kind") << QStringList{"--kind", ""};
        QTest::newRow("no action") << QStringList{"--on-lost", ""};
        QTest::newRow("watchdog") << QStringList{"--watchdog", "0"};
        QTest::newRow("two leases") << QStringList{"--watchdog", "5", "--lease", "5"};
        QTest::newRow("grace") << QStringList{"--grace", "-1"};
        QTest::newRow("wait for") << QStringList{"--wait-for", "nobody"};
        QTest::newRow("no password file") << QStringList{"--password-file", "/no/such/file"};
        QTest::newRow("empty password file") << QStringList{"--password-file", "/dev/null"};
        QTest::newRow("closed descriptor") << QStringList{"--password-fd", "99"};
        QTest::newRow("no descriptor") << QStringList{"--password-fd", "stdin"};
    }
    void whatMakesNoSenseIsAnError() {
        QFETCH(QStringList, options);
        start(QStringList{"L"} + options + QStringList{"--", "true"});
        QCOMPARE(exitCode(), usage);
        QVERIFY(!m_program->readAllStandardError().isEmpty());
    }

private:
    void start(const QStringList& arguments) {
        m_program = std::make_unique<QProcess>();
        m_program->start(test::places::program(), QStringList{"lock", url()} + arguments);
        QVERIFY(m_program->waitForStarted());
    }
    void startThrough(const test::BrittleLine& line, const QStringList& arguments) {
        m_program = std::make_unique<QProcess>();
        m_program->start(test::places::program(), QStringList{"lock", line.address()} + arguments);
        QVERIFY(m_program->waitForStarted());
    }
    void killWorkers() const {
        for (const qint64 process : workers())
            ::kill(static_cast<pid_t>(process), SIGKILL);
    }
    // The keeper is between the guard and the program.
    [[nodiscard]] qint64 guard() const { return childOf(childOf(m_program->processId())); }
    void signalProgram(int signal) const { ::kill(static_cast<pid_t>(m_program->processId()), signal); }
    [[nodiscard]] QString url() const { return "unix://" + m_server.socketPath(); }

    int exitCode() { return test::exitCodeOf(*m_program, 20000); }

    // Work that the test finds again by the argument of its own.
    [[nodiscard]] QString worker() const { return "sleep " + m_mark; }
    // False if work still runs when the lock is gone, or does not end.
    [[nodiscard]] bool workEndsBeforeTheLock() {
        bool hasOutlived = false;
        const bool hasEnded = test::becomesTrue(
            [&] {
                const bool isHeld = m_server.cli({"EXISTS", "L"}) == "1";
                const bool works = !workers().isEmpty();
                hasOutlived = works && !isHeld;
                return hasOutlived || !works;
            },
            20000);
        return hasEnded && !hasOutlived;
    }
    [[nodiscard]] QList<qint64> workers() const { return test::processesOf({"sleep", m_mark.toLatin1()}); }

    const QString m_mark = QString::number(1000 + QCoreApplication::applicationPid()) + ".5";
    QTemporaryDir m_folder;
    test::RedisServer m_server;
    std::unique_ptr<QProcess> m_program;
};

LOCKKEEPER_TEST(TestLockGuard, Guiless)

}  // namespace tst_lockguard

#include "tst_lockguard.moc"
