// SPDX-License-Identifier: Apache-2.0
#include "support/places.h"
#include "support/processtable.h"
#include "support/redisserver.h"
#include "support/serverhand.h"
#include "support/taskwait.h"
#include "support/testprogram.h"

#include <QFile>
#include <QProcess>
#include <QSocketNotifier>
#include <QTemporaryDir>
#include <QTest>

#include <fcntl.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>

namespace tst_lockterminal {

using namespace lockkeeper;
using test::stateOfProcess;

namespace {

// A terminal with a program in it, which leads its session.
class Terminal {
public:
    ~Terminal() {
        m_program.kill();
        m_program.waitForFinished();
        close();
    }
    // Closes the terminal as its window does: the system sends SIGHUP to the leader of the session.
    void close() {
        if (m_keys >= 0)
            ::close(std::exchange(m_keys, -1));
    }
    [[nodiscard]] const QProcess& program() const { return m_program; }
    bool start(const QString& program, const QStringList& arguments) {
        m_keys = ::posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC | O_NONBLOCK);
        if (m_keys < 0 || ::grantpt(m_keys) != 0 || ::unlockpt(m_keys) != 0)
            return false;
        const QByteArray name = ::ptsname(m_keys);
        m_program.setChildProcessModifier([name] {
            ::setsid();
            const int terminal = ::open(name.constData(), O_RDWR);
            ::ioctl(terminal, TIOCSCTTY, 0);
            for (const int standard : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
                ::dup2(terminal, standard);
        });
        m_program.start(program, arguments);
        return m_program.waitForStarted();
    }
    void type(const QByteArray& keys) const {
        QCOMPARE(::write(m_keys, keys.constData(), static_cast<size_t>(keys.size())), keys.size());
    }
    [[nodiscard]] bool shows(const QByteArray& text) {
        QByteArray part(4096, '\0');
        for (ssize_t count = 0; (count = ::read(m_keys, part.data(), static_cast<size_t>(part.size()))) > 0;)
            m_shown += part.first(count);
        return m_shown.contains(text);
    }
    [[nodiscard]] QByteArray shown() const { return m_shown; }

private:
    int m_keys = -1;
    QByteArray m_shown;
    QProcess m_program;
};

constexpr char ctrlC = 3;
constexpr char ctrlZ = 26;

}  // namespace

// `lockkeeper lock` typed into a shell: the keys reach all of its processes.
class TestLockTerminal : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() { QVERIFY(m_server.start()); }
    void cleanup() {
        m_terminal.reset();
        for (const qint64 process : workers())
            ::kill(static_cast<pid_t>(process), SIGKILL);
        m_server.stop();
    }

    void ctrlCEndsTheCommandAndReleases() {
        start();
        m_terminal->type(QByteArray(1, ctrlC));
        QTRY_VERIFY2(m_terminal->shows("code 130"), m_terminal->shown());
        QCOMPARE(workers().size(), 0);
        QCOMPARE(m_server.cli({"EXISTS", "L"}), "0");
    }

    void ctrlZStopsTheCommandThenTheProgram() {
        start();
        stop();
        const int reads = readsOfTheLock();
        m_terminal->type("\n");  // fg
        QTRY_VERIFY(readsOfTheLock() > reads);
        for (const qint64 process : workers())
            QTRY_COMPARE(stateOfProcess(process), 'S');
        QCOMPARE(m_server.cli({"EXISTS", "L"}), "1");
        m_terminal->type(QByteArray(1, ctrlC));
        QTRY_VERIFY2(m_terminal->shows("code 130"), m_terminal->shown());
        QCOMPARE(m_server.cli({"EXISTS", "L"}), "0");
    }

    void whatHasLostItsLockIsEndedByFg() {
        start();
        stop();
        m_server.cli({"DEL", "L"});
        m_terminal->type("\n");
        QTRY_VERIFY2(m_terminal->shows("code 76"), m_terminal->shown());
        QCOMPARE(workers().size(), 0);
    }

    // The program leads the session itself, as after `exec` in a shell.
    void aTerminalThatIsClosedEndsTheWork() {
        m_terminal = std::make_unique<Terminal>();
        QVERIFY(m_terminal->start(test::places::program(), {"lock", "unix://" + m_server.socketPath(), "L", "--", "sh",
                                                            "-c", worker() + " | " + worker()}));
        QTRY_COMPARE(workers().size(), 2);
        m_terminal->close();
        QTRY_COMPARE(workers().size(), 0);
        QTRY_COMPARE(m_terminal->program().state(), QProcess::NotRunning);
        QCOMPARE(m_terminal->program().exitStatus(), QProcess::NormalExit);
        QCOMPARE(m_terminal->program().exitCode(), 128 + SIGHUP);
        QCOMPARE(m_server.cli({"EXISTS", "L"}), "0");
    }

    // The server is frozen to show the order: nothing may work before it has answered.
    void theLockIsReadBeforeTheCommandGoesOn() {
        start();
        stop();
        m_server.freeze();
        ::kill(m_lockkeeper, SIGCONT);
        QTRY_COMPARE(stateOfProcess(m_lockkeeper), 'S');
        for (const qint64 process : workers())
            QCOMPARE(stateOfProcess(process), 'T');
        m_server.thaw();
        for (const qint64 process : workers())
            QTRY_COMPARE(stateOfProcess(process), 'S');
        QCOMPARE(m_server.cli({"EXISTS", "L"}), "1");
    }

    // The shell continues all processes at once, and the program stops the workers again until it has read the lock.
    void theLockIsReadBeforeFgLetsTheCommandWork() {
        start();
        stop();
        m_server.freeze();
        const qint64 sleeps = test::sleepsOfProcess(m_lockkeeper);
        m_terminal->type("\n");  // fg
        QVERIFY(test::becomesTrue([&] { return test::hasHandledSignal(m_lockkeeper, sleeps); }));
        for (const qint64 process : workers())
            QTRY_COMPARE(stateOfProcess(process), 'T');
        m_server.thaw();
        for (const qint64 process : workers())
            QTRY_COMPARE(stateOfProcess(process), 'S');
        m_terminal->type(QByteArray(1, ctrlC));
        QTRY_VERIFY2(m_terminal->shows("code 130"), m_terminal->shown());
    }

private:
    int readsOfTheLock() { return test::ServerHand(m_server).calls("hexists"); }
    // The shell has job control: it goes on when the program stops, and continues it after a line.
    void start() {
        m_terminal = std::make_unique<Terminal>();
        const QString shell =
            "set -m; \"$0\" lock \"$1\" L --on-lost kill -- sh -c '" + worker() + " | " + worker() +
            "'; code=$?; if [ -n \"$(jobs)\" ]; then echo stopped; read line; fg; code=$?; fi; echo code $code";
        QVERIFY(m_terminal->start("bash", {"-c", shell, test::places::program(), "unix://" + m_server.socketPath()}));
        QTRY_COMPARE(workers().size(), 2);
        // In a terminal all workers are in the group of the program.
        m_lockkeeper = static_cast<pid_t>(test::groupOfProcess(workers().first()));
    }
    void stop() {
        m_terminal->type(QByteArray(1, ctrlZ));
        QTRY_COMPARE(stateOfProcess(m_lockkeeper), 'T');
        for (const qint64 process : workers())
            QTRY_COMPARE(stateOfProcess(process), 'T');
        QTRY_VERIFY2(m_terminal->shows("stopped"), m_terminal->shown());
    }

    [[nodiscard]] QString worker() const { return "sleep " + m_mark; }
    [[nodiscard]] QList<qint64> workers() const { return test::processesOf({"sleep", m_mark.toLatin1()}); }

    const QString m_mark = QString::number(1000 + QCoreApplication::applicationPid()) + ".25";
    test::RedisServer m_server;
    std::unique_ptr<Terminal> m_terminal;
    pid_t m_lockkeeper = 0;
};

LOCKKEEPER_TEST(TestLockTerminal, Guiless)

}  // namespace tst_lockterminal

#include "tst_lockterminal.moc"
