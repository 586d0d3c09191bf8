// SPDX-License-Identifier: Apache-2.0
#include "base/systemclock.h"
#include "control/audit/auditlog.h"
#include "session/session.h"
#include "support/redisserver.h"
#include "support/testprogram.h"

#include <QLocalSocket>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>

namespace tst_sleep {

using namespace lockkeeper;
using namespace std::chrono_literals;

namespace {

// The real clock of a machine that may be put to sleep: its timers stand still meanwhile, its time does not.
class SleepingClock final : public Clock {
public:
    [[nodiscard]] SteadyTime now() const override { return m_awake.now() + m_slept; }
    [[nodiscard]] WallTime wallNow() const override { return m_awake.wallNow() + m_slept; }
    [[nodiscard]] TimerId schedule(SteadyTime when, std::function<void()> handler) override {
        return m_awake.schedule(when - m_slept, std::move(handler));
    }
    void cancel(TimerId timer) override { m_awake.cancel(timer); }
    void sleep(Milliseconds time) { m_slept += time; }

private:
    SystemClock m_awake;
    Milliseconds m_slept{0};
};

}  // namespace

// What a session does after its machine has slept: what is shown is old until it is read again, and own locks come
// first.
class TestSleep : public QObject {
    Q_OBJECT

private:
    bool isConnected() const { return !m_seen.isEmpty() && m_seen.back().phase == ConnectionPhase::Connected; }
    // Keeps each command that the server receives from now on.
    void listen() {
        m_monitor.connectToServer(m_server->socketPath());
        m_monitor.write("MONITOR\r\n");
        QTRY_VERIFY(m_monitor.canReadLine());
        m_monitor.readLine();
    }
    void readOn() {
        while (m_monitor.canReadLine())
            m_received += m_monitor.readLine();
    }
    // The place of the first command with this word, or -1.
    qsizetype firstWith(const QByteArray& word) {
        readOn();
        const auto found = std::ranges::find_if(
            m_received, [&word](const QByteArray& line) { return line.contains('"' + word + '"'); });
        return found == m_received.end() ? -1 : found - m_received.begin();
    }

    std::unique_ptr<test::RedisServer> m_server;
    std::unique_ptr<QTemporaryDir> m_audit;
    std::unique_ptr<SleepingClock> m_clock;
    std::unique_ptr<control::AuditLog> m_log;
    std::unique_ptr<Session> m_session;
    QList<ConnectionStatus> m_seen;
    QList<LockName> m_lost;
    QList<control::OwnLock> m_own;
    QLocalSocket m_monitor;
    QByteArrayList m_received;

private Q_SLOTS:
    // A session with a lock of its own.
    void init() {
        m_server = std::make_unique<test::RedisServer>();
        QVERIFY(m_server->start());
        m_audit = std::make_unique<QTemporaryDir>();
        m_clock = std::make_unique<SleepingClock>();
        m_log = std::make_unique<control::AuditLog>(m_audit->path(), *m_clock);
        SessionTarget target;
        target.profile.endpoint = m_server->options().endpoint;
        m_session = std::make_unique<Session>(target, monitor::MonitorOptions(), nullptr, *m_log, *m_clock);
        m_session->onReport<ConnectionStatus>(this, [this](const ConnectionStatus& status) { m_seen << status; });
        m_session->onReport<OwnLockLost>(this, [this](const OwnLockLost& loss) { m_lost << loss.name; });
        m_session->onReport<OwnLocksChanged>(this, [this](const OwnLocksChanged& own) { m_own = own.locks; });
        m_session->open();
        QTRY_VERIFY(isConnected());
        m_session->request({}, ArmFor{10min});
        control::AcquireRequest request;
        request.name = LockName("mine");
        m_session->request(OperationId{1}, request);
        QTRY_COMPARE(m_own.size(), 1);
    }
    void cleanup() {
        m_monitor.abort();
        m_received.clear();
        m_session.reset();
        m_log.reset();
        m_server.reset();
        m_seen.clear();
        m_own.clear();
        m_lost.clear();
    }

    void whatIsShownIsOldUntilItIsReadAgain() {
        // No answer arrives between the end of the sleep and the moment when it is noticed.
        m_server->freeze();
        QCoreApplication::processEvents();
        const WallTime before = m_clock->wallNow();
        m_seen.clear();
        m_clock->sleep(15s);  // less than the lease
        QTRY_VERIFY_WITH_TIMEOUT(!m_seen.isEmpty(), 10000);
        m_server->thaw();
        QTRY_VERIFY_WITH_TIMEOUT(isConnected(), 10000);
        QCOMPARE(m_seen.front().phase, ConnectionPhase::Reconnecting);
        QCOMPARE(m_seen.front().error->cause, Cause::ServerSilent);
        QVERIFY(m_seen.front().lastHeard <= before);
        QVERIFY(m_lost.isEmpty());
        QCOMPARE(m_own.size(), 1);
    }

    // Work may be done under own locks, so they are read first. Only then the monitor connects and reads again.
    void ownLocksAreReadFirst() {
        listen();
        // Commands that were received before the sleep is noticed do not count.
        m_session->onReport<ConnectionStatus>(this, [this](const ConnectionStatus& status) {
            readOn();
            if (status.phase == ConnectionPhase::Reconnecting)
                m_received.clear();
        });
        m_clock->sleep(15s);
        QTRY_VERIFY_WITH_TIMEOUT(isConnected() && m_seen.at(m_seen.size() - 2).phase == ConnectionPhase::Reconnecting,
                                 10000);
        QTRY_VERIFY(firstWith("HELLO") >= 0);
        const qsizetype ownRead = firstWith("mine");
        QVERIFY2(ownRead >= 0 && ownRead < firstWith("HELLO"), m_received.join().constData());
        QVERIFY(m_lost.isEmpty());
    }
};

LOCKKEEPER_TEST(TestSleep, Guiless)

}  // namespace tst_sleep

#include "tst_sleep.moc"
