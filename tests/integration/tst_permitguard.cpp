// SPDX-License-Identifier: Apache-2.0
#include "support/brittleline.h"
#include "support/exitcodes.h"
#include "support/places.h"
#include "support/processtable.h"
#include "support/programend.h"
#include "support/redisserver.h"
#include "support/testprogram.h"

#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

#include <csignal>

namespace tst_permitguard {

using namespace lockkeeper;
using namespace lockkeeper::test::exitcode;

// `lockkeeper semaphore --expirable`, whose command must not run without its permit. Tests only what differs from
// tst_lockguard.
class TestPermitGuard : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() {
        QVERIFY(m_server.start());
        m_server.cli({"SET", "S", "1"});
    }
    void cleanup() {
        m_program.reset();
        m_server.stop();
    }

    // The program is frozen, so only the guard can know that the lease ends.
    void aFrozenProgramDoesNotLetTheCommandOutliveThePermit_data() {
        QTest::addColumn<QStringList>("lease");
        QTest::newRow("fixed") << QStringList{"--lease", "2"};
        QTest::newRow("renewed") << QStringList{"--watchdog", "2"};
    }
    void aFrozenProgramDoesNotLetTheCommandOutliveThePermit() {
        QFETCH(QStringList, lease);
        start(QStringList{"--expirable"} + lease +
              QStringList{"--on-lost", "kill", "--", "sh", "-c", "echo $$; exec sleep 100"});
        QVERIFY(m_program->waitForReadyRead());
        const QString command = "/proc/" + QString::fromLatin1(m_program->readLine()).trimmed();
        QVERIFY(QFile::exists(command));
        signalProgram(SIGSTOP);
        QTRY_VERIFY(!QFile::exists(command));
        QVERIFY(hasLeaseLeft());
        signalProgram(SIGCONT);
        QCOMPARE(exitCode(), lostWhileRunning);
    }

    // After SIGCONT the permit is prolonged before the command goes on.
    void whatHasLostItsPermitWhileItWasStoppedDoesNotGoOn() {
        const QTemporaryDir folder;
        const QString log = folder.filePath("log");
        start({"--expirable", "--on-lost", "kill", "--", "sh", "-c",
               "while :; do echo x >> " + log + "; sleep 0.01; done"});
        QTRY_VERIFY(QFile::exists(log));
        signalProgram(SIGTSTP);
        QTRY_COMPARE(test::stateOfProcess(m_program->processId()), 'T');
        const qint64 written = QFileInfo(log).size();
        m_server.cli({"DEL", "{S}:timeout"});
        signalProgram(SIGCONT);
        QCOMPARE(exitCode(), lostWhileRunning);
        QCOMPARE(QFileInfo(log).size(), written);
    }

    void aPermitThatCannotBeReadLeavesTheCommandStopped() {
        test::BrittleLine line(m_server.port());
        startAt(line.address(), {"--expirable", "--", "sh", "-c", "echo $$; exec sleep 100"});
        QTRY_VERIFY(m_program->canReadLine());
        const qint64 command = m_program->readLine().toLongLong();
        signalProgram(SIGTSTP);
        QTRY_COMPARE(test::stateOfProcess(m_program->processId()), 'T');
        line.cut();
        signalProgram(SIGCONT);
        QTRY_VERIFY(line.refused() > 1);
        QCOMPARE(test::stateOfProcess(command), 'T');
        line.mend();
        QTRY_COMPARE(test::stateOfProcess(command), 'S');
        m_program->terminate();
        QCOMPARE(exitCode(), 128 + SIGTERM);
    }

    // The grace is longer than the lease, which nobody prolongs any more.
    void whatIsKilledLetsNoWorkOutliveThePermit() {
        start({"--expirable", "--watchdog", "3", "--grace", "15", "--", "sh", "-c",
               "trap '' TERM; echo $$; while :; do sleep 0.1; done"});
        QVERIFY(m_program->waitForReadyRead());
        const qint64 command = m_program->readLine().toLongLong();
        m_program->kill();
        QTRY_COMPARE(test::stateOfProcess(command), '?');
        QVERIFY(hasLeaseLeft());
    }

    // Nobody would prolong the permit, or release one without a lease.
    void whatIsKilledLeavesNoWorkBehind_data() {
        QTest::addColumn<QStringList>("options");
        QTest::newRow("expirable") << QStringList{"--expirable"};
        QTest::newRow("plain") << QStringList{};
    }
    void whatIsKilledLeavesNoWorkBehind() {
        QFETCH(QStringList, options);
        start(options + QStringList{"--", "sh", "-c", "echo $$; exec sleep 100"});
        QVERIFY(m_program->waitForReadyRead());
        const qint64 command = m_program->readLine().toLongLong();
        m_program->kill();
        QTRY_COMPARE(test::stateOfProcess(command), '?');
    }

private:
    void start(const QStringList& arguments) { startAt("unix://" + m_server.socketPath(), arguments); }
    void startAt(const QString& address, const QStringList& arguments) {
        m_program = std::make_unique<QProcess>();
        m_program->start(test::places::program(), QStringList{"semaphore", address, "S"} + arguments);
        QVERIFY(m_program->waitForStarted());
    }
    // Whether lease is left by the clock of the server.
    [[nodiscard]] bool hasLeaseLeft() {
        const QStringList time = m_server.cli({"TIME"}).split(u'\n');  // seconds, microseconds
        const qint64 now = time.first().toLongLong() * 1000 + time.last().toLongLong() / 1000;
        return m_server.cli({"ZRANGE", "{S}:timeout", "0", "0", "WITHSCORES"}).split(u'\n').last().toLongLong() > now;
    }
    void signalProgram(int signal) const { ::kill(static_cast<pid_t>(m_program->processId()), signal); }
    int exitCode() { return test::exitCodeOf(*m_program); }

    test::RedisServer m_server;
    std::unique_ptr<QProcess> m_program;
};

LOCKKEEPER_TEST(TestPermitGuard, Guiless)

}  // namespace tst_permitguard

#include "tst_permitguard.moc"
