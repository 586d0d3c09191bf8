// SPDX-License-Identifier: Apache-2.0
#include "async/pause.h"
#include "support/manualclock.h"
#include "support/testprogram.h"

#include <QTest>

namespace tst_pause {

using namespace lockkeeper;
using namespace std::chrono_literals;

namespace {

using Ends = std::shared_ptr<QList<bool>>;

Task<void> pauseOnce(Deadline end, std::stop_token stop, Ends ends) {
    const bool hasPassed = co_await pauseUntil(end, stop);
    ends->append(hasPassed);
}

}  // namespace

class TestPause : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() { m_ends = std::make_shared<QList<bool>>(); }

    void endsAtItsDeadline() {
        test::ManualClock clock;
        pauseOnce(Deadline::in(clock, 10ms), {}, m_ends);
        clock.advance(9ms);
        QVERIFY(m_ends->isEmpty());
        clock.advance(1ms);
        QCOMPARE(*m_ends, QList<bool>{true});
        QVERIFY(!clock.hasTimers());
    }

    void aDeadlineThatHasPassedIsNotWaitedFor() {
        test::ManualClock clock;
        pauseOnce(Deadline::in(clock, -1ms), {}, m_ends);
        QCOMPARE(*m_ends, QList<bool>{true});
        QVERIFY(!clock.hasTimers());
    }

    void aStopEndsIt() {
        test::ManualClock clock;
        std::stop_source stop;
        pauseOnce(Deadline::in(clock, 10ms), stop.get_token(), m_ends);
        stop.request_stop();
        QCOMPARE(*m_ends, QList<bool>{false});
        QVERIFY(!clock.hasTimers());
    }

    void aStopBeforeItCounts() {
        test::ManualClock clock;
        std::stop_source stop;
        stop.request_stop();
        pauseOnce(Deadline::in(clock, -1ms), stop.get_token(), m_ends);
        QCOMPARE(*m_ends, QList<bool>{false});
    }

private:
    Ends m_ends;
};

LOCKKEEPER_TEST(TestPause, Guiless)

}  // namespace tst_pause

#include "tst_pause.moc"
