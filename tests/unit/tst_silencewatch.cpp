// SPDX-License-Identifier: Apache-2.0
#include "monitor/observe/silencewatch.h"
#include "support/playedconnection.h"
#include "support/testprogram.h"

#include <QTest>

namespace tst_silencewatch {

using namespace lockkeeper;
using namespace lockkeeper::monitor;
using namespace lockkeeper::test;
using namespace std::chrono_literals;

class TestSilenceWatch : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() {
        m_played = std::make_unique<PlayedConnection>();
        m_watch = std::make_unique<SilenceWatch>(m_played->connection);
        m_changes = 0;
        connect(m_watch.get(), &SilenceWatch::changed, this, [this] { ++m_changes; });
        m_played->open();
        m_watch->start();
    }
    void cleanup() {
        m_watch.reset();
        m_played.reset();
    }

    // The first check finds the unanswered command, the second one finds it again.
    void aCommandWithoutAnAnswerAtTwoChecksIsASilence() {
        ask();
        m_played->clock.advance(SilenceWatch::interval);
        QCOMPARE(m_watch->silence(), 0ms);
        m_played->clock.advance(SilenceWatch::interval);
        QCOMPARE(m_watch->silence(), 4s);
        m_played->clock.advance(SilenceWatch::interval);
        QCOMPARE(m_watch->silence(), 6s);
        QCOMPARE(m_changes, 2);
        QVERIFY(m_played->connection.isReady());
    }

    void theFirstAnswerEndsIt() {
        ask();
        m_played->clock.advance(SilenceWatch::interval);
        m_played->clock.advance(SilenceWatch::interval);
        QCOMPARE(m_watch->silence(), 4s);
        QCOMPARE(m_played->link().takeCommands().size(), 2);  // DBSIZE, and the PING whose answer ends the silence
        m_played->link().reply(":0\r\n+PONG\r\n");
        QCOMPARE(m_watch->silence(), 0ms);
        QCOMPARE(m_changes, 2);
    }

    void aServerThatAnswersSlowlyIsNotSilent() {
        for (int i = 0; i < 5; ++i) {
            ask();
            m_played->clock.advance(SilenceWatch::interval);
            m_played->link().reply(":0\r\n");
        }
        QCOMPARE(m_changes, 0);
    }

    // The program stood still: the answer may already be there, and is read before the next check.
    void aPauseOfThisProgramIsNoSilence() {
        ask();
        m_played->clock.passUnnoticed(10s);
        m_played->link().reply(":0\r\n");
        m_played->clock.advance(SilenceWatch::interval);
        QCOMPARE(m_changes, 0);
    }

    void aLossIsNoSilence() {
        ask();
        m_played->clock.advance(SilenceWatch::interval);
        m_played->clock.advance(SilenceWatch::interval);
        m_played->link().lose();
        QCOMPARE(m_watch->silence(), 0ms);
        m_played->clock.advance(SilenceWatch::interval);
        QCOMPARE(m_watch->silence(), 0ms);
    }

    void itAsksOnlyIfNothingElseIsSent() {
        m_played->clock.advance(SilenceWatch::interval);
        QCOMPARE(m_played->link().takeCommands().size(), 0);
        m_played->clock.advance(SilenceWatch::interval);
        QCOMPARE(m_played->link().takeCommand(), QByteArrayList{"PING"});
        m_played->link().reply("+PONG\r\n");
        m_played->clock.advance(SilenceWatch::interval);
        QCOMPARE(m_played->link().takeCommands().size(), 0);
    }

private:
    void ask() { (void)m_played->connection.send(redis::Command("DBSIZE")); }

    std::unique_ptr<PlayedConnection> m_played;
    std::unique_ptr<SilenceWatch> m_watch;
    int m_changes = 0;
};

LOCKKEEPER_TEST(TestSilenceWatch, Guiless)

}  // namespace tst_silencewatch

#include "tst_silencewatch.moc"
