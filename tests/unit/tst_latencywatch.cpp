// SPDX-License-Identifier: Apache-2.0
#include "monitor/observe/latencywatch.h"
#include "support/playedconnection.h"
#include "support/testprogram.h"

#include <QTest>

#include <algorithm>

namespace tst_latencywatch {

using namespace lockkeeper;
using namespace lockkeeper::monitor;
using namespace lockkeeper::test;
using namespace std::chrono_literals;

class TestLatencyWatch : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() {
        m_played = std::make_unique<PlayedConnection>();
        m_budget = std::make_unique<ReadBudget>(m_played->clock, always);
        m_threadTime = 0ms;
        m_watch = std::make_unique<LatencyWatch>(
            m_played->connection, *m_budget, ReadLimits{always, most}, [this] { return !m_isEndless; },
            [this] { return m_threadTime; });
        m_isEndless = false;
        m_ownShare = 0;
        m_played->open();
    }
    void cleanup() {
        m_watch.reset();
        m_budget.reset();
        m_played.reset();
    }

    void asksNothingWhileNobodyWaits() {
        (void)m_budget->take();
        QVERIFY(!m_budget->isShort());
        m_played->clock.advance(5s);
        QCOMPARE(m_played->link().takeCommands().size(), 0);
    }

    void moreIsReadWhileTheServerIsFast() {
        askFor(2000);
        playFor(2s, 1ms);
        QCOMPARE(m_budget->perSecond(), most);
    }

    void aSlowerServerIsReadAsAlways() {
        askFor(3000);
        playFor(2s, 1ms);
        QCOMPARE(m_budget->perSecond(), most);
        playFor(1s, 20ms);
        QCOMPARE(m_budget->perSecond(), always);
    }

    // Then its answers wait until this thread comes to them.
    void aBusyThreadIsNoSlowServer() {
        askFor(3000);
        playFor(2s, 1ms);
        m_ownShare = 0.95;
        playFor(1s, 20ms);
        QCOMPARE(m_budget->perSecond(), most);
        m_ownShare = 0.5;
        askFor(3000);
        playFor(1s, 20ms);
        QCOMPARE(m_budget->perSecond(), always);
    }

    void anAnswerIsAwaitedBeforeTheNextQuestion() {
        askFor(3000);
        m_played->clock.advance(500ms);
        QCOMPARE(m_played->link().takeCommands(), QList<QByteArrayList>{{"PING"}});
        QCOMPARE(m_budget->perSecond(), always);
    }

    // The reader requests the next reads only when these are done.
    void aQueueThatIsEmptyForAMomentKeepsThePace() {
        for (int i = 0; i < 50; ++i) {
            askFor(std::max(12, m_budget->perSecond() * 95 / 1000));
            playFor(2 * LatencyWatch::interval, 1ms);
        }
        QVERIFY(!m_budget->isShort());
        QCOMPARE(m_budget->perSecond(), most);
    }

    // At the higher limit no read waits, at the lower one each would.
    void aSteadyNeedKeepsThePace() {
        playSteadily(3s);
        for (int i = 0; i < 20; ++i) {
            playSteadily(100ms);
            QVERIFY(!m_budget->isShort());
            QCOMPARE(m_budget->perSecond(), most);
        }
    }

    void aSteadyNeedOfASlowerServerIsReadAsAlways() {
        playSteadily(3s);
        QCOMPARE(m_budget->perSecond(), most);
        playSteadily(500ms, 20ms);
        QCOMPARE(m_budget->perSecond(), always);
    }

    void aServerThatIsSilentIsReadAsAlways() {
        askFor(3000);
        playFor(2s, 1ms);
        QCOMPARE(m_budget->perSecond(), most);
        m_played->clock.advance(2 * LatencyWatch::interval);
        QCOMPARE(m_budget->perSecond(), always);
    }

    // Locks that are polled wait without end.
    void anEndlessQueueGetsWhatItAlwaysGets() {
        m_isEndless = true;
        askFor(3000);
        m_played->clock.advance(2s);
        QCOMPARE(m_played->link().takeCommands().size(), 0);
        QCOMPARE(m_budget->perSecond(), always);
    }

    void thePaceEndsWithTheQueue() {
        askFor(600);
        playFor(2s, 1ms);
        QVERIFY(!m_budget->isShort());
        m_played->clock.advance(1s + 5 * LatencyWatch::interval);
        QCOMPARE(m_budget->perSecond(), always);
        m_played->clock.advance(5s);
        QCOMPARE(m_played->link().takeCommands().size(), 0);
    }

    void anotherConnectionBeginsAsAlways() {
        askFor(3000);
        playFor(2s, 1ms);
        m_played->link().lose();
        QCOMPARE(m_budget->perSecond(), always);
    }

private:
    static constexpr int always = 100;
    static constexpr int most = 1000;

    void askFor(int reads) {
        for (int i = 0; i < reads; ++i)
            (void)m_budget->take();
    }
    // A server that answers each PING after this time.
    void playFor(Milliseconds time, Milliseconds roundTrip) {
        const SteadyTime end = m_played->clock.now() + time;
        while (m_played->clock.now() < end) {
            if (m_played->link().takeCommands().isEmpty()) {
                m_played->clock.advance(1ms);
                continue;
            }
            m_played->clock.advance(roundTrip);
            m_threadTime += std::chrono::duration_cast<std::chrono::nanoseconds>(m_ownShare * roundTrip);
            m_played->link().reply("+PONG\r\n");
        }
    }

    // As playFor(), and five times as many reads as are always allowed.
    void playSteadily(Milliseconds time, Milliseconds roundTrip = 1ms) {
        for (Milliseconds passed = 0ms; passed < time; passed += 20ms) {
            askFor(5 * always / 50);
            playFor(20ms, roundTrip);
        }
    }

    bool m_isEndless = false;
    double m_ownShare = 0;  // of the round trips, in which this thread is busy
    std::chrono::nanoseconds m_threadTime{};
    std::unique_ptr<PlayedConnection> m_played;
    std::unique_ptr<ReadBudget> m_budget;
    std::unique_ptr<LatencyWatch> m_watch;
};

LOCKKEEPER_TEST(TestLatencyWatch, Guiless)

}  // namespace tst_latencywatch

#include "tst_latencywatch.moc"
