// SPDX-License-Identifier: Apache-2.0
#include "base/systemclock.h"
#include "control/audit/auditlog.h"
#include "session/session.h"
#include "support/redisserver.h"
#include "support/testprogram.h"

#include <QTemporaryDir>
#include <QTest>

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

// What a session shows after its machine slept is old until it was read again.
class TestSleep : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void whatIsShownIsOldUntilItIsReadAgain() {
        test::RedisServer server;
        QVERIFY(server.start());
        const QTemporaryDir audit;
        SleepingClock clock;
        control::AuditLog log(audit.path(), clock);
        SessionTarget target;
        target.profile.endpoint = server.options().endpoint;
        Session session(target, {}, nullptr, log, clock);
        QList<ConnectionStatus> seen;
        connect(&session, &Session::connectionChanged, this, [&seen](const ConnectionStatus& status) { seen << status; });
        QList<LockName> lost;
        connect(&session, &Session::ownLockLost, this, [&lost](const LockName& name) { lost << name; });
        QList<control::OwnLock> own;
        connect(&session, &Session::ownLocksChanged, this, [&own](const QList<control::OwnLock>& locks) { own = locks; });
        session.open();
        QTRY_VERIFY(!seen.isEmpty() && seen.back().phase == ConnectionPhase::Connected);
        session.arm(10min);
        control::AcquireRequest request;
        request.name = LockName("mine");
        session.acquire(OperationId{1}, request);
        QTRY_COMPARE(own.size(), 1);
        // No answer comes between the end of the sleep and its being noticed.
        server.freeze();
        QCoreApplication::processEvents();
        const WallTime before = clock.wallNow();
        seen.clear();
        clock.sleep(15s);  // less than the lease
        QTRY_VERIFY_WITH_TIMEOUT(!seen.isEmpty(), 10000);
        server.thaw();
        QTRY_VERIFY_WITH_TIMEOUT(!seen.isEmpty() && seen.back().phase == ConnectionPhase::Connected, 10000);
        QCOMPARE(seen.front().phase, ConnectionPhase::Reconnecting);
        QCOMPARE(seen.front().error->cause, Cause::ServerSilent);
        QVERIFY(seen.front().lastHeard <= before);
        QVERIFY(lost.isEmpty());
        QCOMPARE(own.size(), 1);
    }
};

LOCKKEEPER_TEST(TestSleep, Guiless)
#include "tst_sleep.moc"
