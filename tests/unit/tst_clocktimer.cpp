// SPDX-License-Identifier: Apache-2.0
#include "base/clocktimer.h"
#include "support/manualclock.h"
#include "support/testprogram.h"

#include <QTest>

#include <memory>
#include <optional>

namespace tst_clocktimer {

using namespace lockkeeper;
using namespace std::chrono_literals;

class TestClockTimer : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void runsOnceForEachStart() {
        m_timer->start(10ms);
        QVERIFY(m_timer->isRunning());
        QCOMPARE(m_timer->due(), m_clock.now() + 10ms);
        m_clock.advance(9ms);
        QCOMPARE(m_runs, 0);
        m_clock.advance(1ms);
        QCOMPARE(m_runs, 1);
        QVERIFY(!m_timer->isRunning());
        QVERIFY(!m_timer->due());
        m_clock.advance(1s);
        QCOMPARE(m_runs, 1);
    }

    void aLaterStartTakesThePlaceOfTheEarlierOne() {
        m_timer->start(10ms);
        m_timer->start(20ms);
        m_clock.advance(19ms);
        QCOMPARE(m_runs, 0);
        m_clock.advance(1ms);
        QCOMPARE(m_runs, 1);
    }

    void startByKeepsWhatIsEarlier_data() {
        QTest::addColumn<Milliseconds>("started");
        QTest::addColumn<Milliseconds>("startedBy");
        QTest::newRow("the first start") << 10ms << 20ms;
        QTest::newRow("the second start") << 20ms << 10ms;
    }
    void startByKeepsWhatIsEarlier() {
        QFETCH(Milliseconds, started);
        QFETCH(Milliseconds, startedBy);
        m_timer->start(started);
        m_timer->startBy(m_clock.now() + startedBy);
        m_clock.advance(10ms);
        QCOMPARE(m_runs, 1);
        m_clock.advance(1s);
        QCOMPARE(m_runs, 1);
    }

    void startByStartsWhatDoesNotRun() {
        m_timer->startBy(m_clock.now() + 10ms);
        m_clock.advance(10ms);
        QCOMPARE(m_runs, 1);
        m_timer->startBy(m_clock.now() + 20ms);
        m_clock.advance(20ms);
        QCOMPARE(m_runs, 2);
    }

    void doesNotRunWhenStopped() {
        m_timer->start(10ms);
        m_timer->stop();
        QVERIFY(!m_timer->isRunning());
        m_clock.advance(1s);
        QCOMPARE(m_runs, 0);
    }

    void stopsWithItsOwner() {
        m_timer->start(10ms);
        m_timer.reset();
        m_clock.advance(1s);
        QCOMPARE(m_runs, 0);
    }

    void theHandlerMayStartItAgain() {
        m_then = [this] {
            if (m_runs < 3)
                m_timer->start(10ms);
        };
        m_timer->start(10ms);
        m_clock.advance(1s);
        QCOMPARE(m_runs, 3);
    }

    void theHandlerMayEndItsOwner() {
        m_then = [this] { m_timer.reset(); };
        m_timer->start(10ms);
        m_clock.advance(1s);
        QCOMPARE(m_runs, 1);
        QVERIFY(!m_timer);
    }

    void init() {
        m_runs = 0;
        m_then = [] {};
        m_timer = std::make_unique<ClockTimer>(m_clock, [this] {
            ++m_runs;
            m_then();
        });
    }

private:
    test::ManualClock m_clock;
    int m_runs = 0;
    std::function<void()> m_then;
    std::unique_ptr<ClockTimer> m_timer;
};

LOCKKEEPER_TEST(TestClockTimer, Guiless)

}  // namespace tst_clocktimer

#include "tst_clocktimer.moc"
