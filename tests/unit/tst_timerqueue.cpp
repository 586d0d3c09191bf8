// SPDX-License-Identifier: Apache-2.0
#include "base/timerqueue.h"
#include "support/testprogram.h"

#include <QTest>

namespace tst_timerqueue {

using namespace lockkeeper;
using namespace std::chrono_literals;

class TestTimerQueue : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() {
        m_queue = TimerQueue();
        m_ran.clear();
    }

    void givesOutWhatIsDueInOrder() {
        add(30ms, u"c"_qs);
        add(10ms, u"a"_qs);
        add(20ms, u"b"_qs);
        runUpTo(20ms);
        QCOMPARE(m_ran, u"ab"_qs);
        runUpTo(100ms);
        QCOMPARE(m_ran, u"abc"_qs);
        QVERIFY(!m_queue.takeDue(SteadyTime::max()));
    }

    void equalTimesRunAsTheyWereScheduled() {
        for (const QString& name : {u"x"_qs, u"b"_qs, u"z"_qs, u"a"_qs})
            add(10ms, name);
        runUpTo(10ms);
        QCOMPARE(m_ran, u"xbza"_qs);
    }

    void knowsTheEarliest() {
        QVERIFY(!m_queue.earliest());
        add(20ms, u"b"_qs);
        const Clock::TimerId first = add(10ms, u"a"_qs);
        QCOMPARE(m_queue.earliest(), SteadyTime(10ms));
        m_queue.remove(first);
        QCOMPARE(m_queue.earliest(), SteadyTime(20ms));
    }

    void whatIsRemovedDoesNotRun() {
        add(10ms, u"a"_qs);
        m_queue.remove(add(10ms, u"b"_qs));
        add(10ms, u"c"_qs);
        runUpTo(10ms);
        QCOMPARE(m_ran, u"ac"_qs);
    }

    void removingWhatIsNotThereIsFine() {
        const Clock::TimerId ran = add(10ms, u"a"_qs);
        runUpTo(10ms);
        m_queue.remove(ran);
        m_queue.remove(ran);
        m_queue.remove(Clock::TimerId::None);
        m_queue.remove(Clock::TimerId{12345});
        add(20ms, u"b"_qs);
        runUpTo(20ms);
        QCOMPARE(m_ran, u"ab"_qs);
    }

    void handlersMayAddAndRemove() {
        const Clock::TimerId victim = add(15ms, u"never"_qs);
        const Clock::TimerId adding = m_queue.add(SteadyTime(10ms), [this, victim] {
            m_queue.remove(victim);
            add(5ms, u"x"_qs);
        });
        QVERIFY(adding != Clock::TimerId::None);
        runUpTo(20ms);
        QCOMPARE(m_ran, u"x"_qs);
    }

    void everyTimerHasANumberOfItsOwn() { QVERIFY(add(1ms, u"a"_qs) != add(1ms, u"a"_qs)); }

private:
    Clock::TimerId add(std::chrono::milliseconds when, const QString& name) {
        return m_queue.add(SteadyTime(when), [this, name] { m_ran += name; });
    }
    void runUpTo(std::chrono::milliseconds now) {
        while (const std::function<void()> handler = m_queue.takeDue(SteadyTime(now)))
            handler();
    }

    TimerQueue m_queue;
    QString m_ran;
};

LOCKKEEPER_TEST(TestTimerQueue, Guiless)

}  // namespace tst_timerqueue

#include "tst_timerqueue.moc"
