// SPDX-License-Identifier: Apache-2.0
#include "monitor/discover/everywrite.h"
#include "support/broadcastreplies.h"
#include "support/manualclock.h"
#include "support/testprogram.h"

#include <QTest>

namespace tst_everywrite {

using namespace lockkeeper;
using namespace lockkeeper::monitor;
using namespace lockkeeper::test;
using namespace std::chrono_literals;

class TestEveryWrite : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() {
        m_server = std::make_unique<FakeServer>();
        m_written.clear();
        WriteLimits limits;
        limits.commandsPerSecond = 1000;
        limits.keysPerSecond = 10;
        limits.bytesPerSecond = 1000;
        m_every = std::make_unique<EveryWrite>(redis::ConnectionOptions(), m_server->factory(), m_clock, limits);
        connect(m_every.get(), &EveryWrite::written, this, [this](const QByteArrayList& keys) { m_written += keys; });
        m_every->startOver();
    }
    void cleanup() {
        m_every.reset();
        turnEventLoop();
        QVERIFY(!m_clock.hasTimers());
    }

    void beginsWhenTheServerIsKnownToBeQuiet() {
        QCOMPARE(m_every->state(), WriteReports::NotYet);
        m_every->noteLoad(std::nullopt);
        QCOMPARE(m_every->state(), WriteReports::LoadUnknown);
        m_every->noteLoad(1001);
        QCOMPARE(m_every->state(), WriteReports::Busy);
        QCOMPARE(m_server->linkCount(), size_t{0});
        begin();
        report({"L"});
        QCOMPARE(m_written, QByteArrayList{"L"});
    }

    // The number of reported writes counts more than the load.
    void goesOnWhileFewAreWritten() {
        begin();
        m_every->noteLoad(50'000);
        QCOMPARE(link().takeCommands().size(), 1);
        link().reply(bufferLimits("33554432 8388608 60"));
        for (int second = 0; second < 60; ++second) {
            report(QByteArrayList(10, "key"));
            m_clock.advance(1s);
        }
        QCOMPARE(m_every->state(), WriteReports::On);
        QCOMPARE(m_written.size(), 600);
    }

    void aBurstEndsItAtOnce_data() {
        QTest::addColumn<QByteArrayList>("keys");
        QTest::newRow("many keys") << QByteArrayList(11, "key");
        QTest::newRow("many bytes") << QByteArrayList{QByteArray(1001, 'x')};
        QTest::newRow("more than one push may have") << QByteArrayList(81, "key");
        QTest::newRow("a longer push than is read") << QByteArrayList{QByteArray(8001, 'x')};
    }
    void aBurstEndsItAtOnce() {
        QFETCH(const QByteArrayList, keys);
        begin();
        report(keys);
        QCOMPARE(m_every->state(), WriteReports::Busy);
        QVERIFY(!link().isOpen());
        QCOMPARE(m_written, QByteArrayList());
    }

    void comesBackAfterPausesThatGrow() {
        begin();
        for (const Milliseconds pause : {10s, 20s, 40s}) {
            report(QByteArrayList(11, "key"));
            m_clock.advance(pause - 1ms);
            QCOMPARE(m_every->state(), WriteReports::Busy);
            m_clock.advance(1ms);
            finishBegin();
        }
        // After a time longer than the longest pause, this is another burst.
        for (int i = 0; i <= 60; ++i) {
            m_clock.advance(10s);
            report({"key"});
        }
        report(QByteArrayList(11, "key"));
        m_clock.advance(10s);
        finishBegin();
    }

    void comesBackOnlyWhereItIsQuiet() {
        begin();
        report(QByteArrayList(11, "key"));
        m_every->noteLoad(1001);
        m_clock.advance(10s);
        QCOMPARE(m_every->state(), WriteReports::Busy);
        QCOMPARE(m_server->linkCount(), size_t{1});
        m_every->noteLoad(1000);
        finishBegin();
    }

    // The server ends the connection at its limit when this program was stopped; then the program must not reconnect
    // at once.
    void aLossIsABurst() {
        begin();
        link().lose();
        QCOMPARE(m_every->state(), WriteReports::Busy);
        m_clock.advance(9s);
        QCOMPARE(m_server->linkCount(), size_t{1});
        m_clock.advance(1s);
        finishBegin();
    }

    void namesThatCannotBeReadAreABurst() {
        begin();
        m_every->giveWay();
        QCOMPARE(m_every->state(), WriteReports::Busy);
    }

    void anObstacleIsSaidAndTriedAgainLater() {
        m_every->noteLoad(0);
        m_server->acceptAll();
        link().reply(bufferLimits("0 0 0"));
        QCOMPARE(m_every->state(), WriteReports::Unlimited);
        m_every->noteLoad(0);
        m_clock.advance(599s);
        QCOMPARE(m_server->linkCount(), size_t{1});
        m_clock.advance(1s);
        finishBegin();
    }

    // The connection would cost the server memory while this program is stopped.
    void isEndedWhenTheBoundIsGone_data() {
        QTest::addColumn<QByteArray>("answer");
        QTest::addColumn<WriteReports>("state");
        QTest::newRow("no limit any more") << bufferLimits("0 0 0") << WriteReports::Unlimited;
        QTest::newRow("no right to read it any more") << noPermission("config|get") << WriteReports::LimitUnknown;
        QTest::newRow("another limit") << bufferLimits("1000000 0 0") << WriteReports::On;
    }
    void isEndedWhenTheBoundIsGone() {
        QFETCH(QByteArray, answer);
        QFETCH(WriteReports, state);
        begin();
        m_every->noteLoad(0);
        QCOMPARE(link().takeCommand(), (QByteArrayList{"CONFIG", "GET", "client-output-buffer-limit"}));
        link().reply(answer);
        QCOMPARE(m_every->state(), state);
        QCOMPARE(link().isOpen(), state == WriteReports::On);
    }

    // The end of that connection is found in another way.
    void aLossDuringThatIsABurst() {
        begin();
        m_every->noteLoad(0);
        link().lose();
        QCOMPARE(m_every->state(), WriteReports::Busy);
    }

    void anotherServerIsAskedAtOnce() {
        m_every->noteLoad(0);
        m_server->acceptAll();
        link().reply(noPermission("config|get"));
        QCOMPARE(m_every->state(), WriteReports::LimitUnknown);
        m_every->startOver();
        QCOMPARE(m_every->state(), WriteReports::NotYet);
        begin();
    }

    void pausedItReportsNothing() {
        begin();
        m_every->setPaused(true);
        QCOMPARE(m_every->state(), WriteReports::Paused);
        QVERIFY(!link().isOpen());
        m_every->noteLoad(0);
        QCOMPARE(m_server->linkCount(), size_t{1});
        m_every->setPaused(false);
        finishBegin();
    }

private:
    void begin() {
        m_every->noteLoad(1000);
        finishBegin();
    }
    void finishBegin() {
        m_server->acceptAll();
        (void)beginBroadcast(link());
        QCOMPARE(m_every->state(), WriteReports::On);
    }
    void report(const QByteArrayList& keys) { link().reply(">2\r\n" + bulk("invalidate") + list(keys)); }
    FakeLink& link() { return m_server->lastLink(); }

    ManualClock m_clock;
    std::unique_ptr<FakeServer> m_server;
    std::unique_ptr<EveryWrite> m_every;
    QByteArrayList m_written;
};

LOCKKEEPER_TEST(TestEveryWrite, Guiless)

}  // namespace tst_everywrite

#include "tst_everywrite.moc"
