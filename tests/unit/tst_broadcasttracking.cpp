// SPDX-License-Identifier: Apache-2.0
#include "locks/lockkeys.h"
#include "support/broadcastreplies.h"
#include "support/manualclock.h"
#include "support/testprogram.h"

#include <QTest>

namespace tst_broadcasttracking {

using namespace lockkeeper;
using namespace lockkeeper::monitor;
using namespace lockkeeper::test;
using namespace std::chrono_literals;
using Obstacle = BroadcastTracking::Obstacle;

class TestBroadcastTracking : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void cleanup() {
        m_tracking.reset();
        turnEventLoop();
        QVERIFY(!m_clock.hasTimers());
    }

    // In this order: nothing is tracked before the limit of pub/sub applies to the connection. Never CLIENT NO-EVICT.
    void subscribesBeforeItTracks() {
        open({});
        const QList<QByteArrayList> commands{{"CONFIG", "GET", "client-output-buffer-limit"},
                                             {"SUBSCRIBE", BroadcastTracking::ownChannel()},
                                             {"CLIENT", "TRACKING", "ON", "BCAST"}};
        QCOMPARE(m_began, 0);
        QCOMPARE(beginBroadcast(link()), commands);
        QCOMPARE(m_began, 1);
        QCOMPARE(m_obstacles, QList<Obstacle>());
        QCOMPARE(link().takeCommands().size(), 0);
    }

    void noLockHasItsChannel() { QVERIFY(locks::locksOfChannel(BroadcastTracking::ownChannel()).isEmpty()); }

    void asksForThePrefixesOfWhichNoneBeginsWithAnother() {
        open({"orders/", "jobs:", "orders/eu/", "jobs:"});
        QCOMPARE(beginBroadcast(link()).last(),
                 QByteArrayList({"CLIENT", "TRACKING", "ON", "BCAST", "PREFIX", "jobs:", "PREFIX", "orders/"}));
    }

    void tellsWhichKeysWereWritten_data() {
        QTest::addColumn<QByteArray>("push");
        QTest::addColumn<QByteArrayList>("written");
        QTest::newRow("a key") << invalidation("jobs:7") << QByteArrayList{"jobs:7"};
        QTest::newRow("several") << ">2\r\n" + bulk("invalidate") + list({"jobs:7", "jobs:8"})
                                 << QByteArrayList({"jobs:7", "jobs:8"});
        QTest::newRow("a flush") << ">2\r\n" + bulk("invalidate") + "_\r\n" << QByteArrayList();
        QTest::newRow("a message") << messageOn("jobs:7") << QByteArrayList();
    }
    void tellsWhichKeysWereWritten() {
        QFETCH(const QByteArray, push);
        open({"jobs:"});
        (void)beginBroadcast(link());
        link().reply(push);
        QTEST(m_written, "written");
    }

    void isNotUsedWhereItCouldCostMemory_data() {
        QTest::addColumn<QByteArray>("limits");
        QTest::addColumn<Obstacle>("obstacle");
        QTest::newRow("refused") << noPermission("config|get") << Obstacle::LimitUnknown;
        QTest::newRow("no such setting") << QByteArray("*0\r\n") << Obstacle::LimitUnknown;
        QTest::newRow("no such class") << list({"client-output-buffer-limit", "normal 0 0 0"})
                                       << Obstacle::LimitUnknown;
        QTest::newRow("no limit") << bufferLimits("0 0 0") << Obstacle::Unlimited;
        QTest::newRow("a soft limit only") << bufferLimits("0 8388608 60") << Obstacle::Unlimited;
    }
    void isNotUsedWhereItCouldCostMemory() {
        QFETCH(const QByteArray, limits);
        QFETCH(const Obstacle, obstacle);
        open({});
        (void)link().takeCommands();
        link().reply(limits);
        QCOMPARE(link().takeCommands().size(), 0);
        QCOMPARE(m_obstacles, QList<Obstacle>{obstacle});
        QVERIFY(!m_tracking->isOpen());
    }

    void aRefusalEndsIt_data() {
        QTest::addColumn<QByteArrayList>("replies");
        QTest::newRow("SUBSCRIBE") << QByteArrayList{noPermission("subscribe")};
        QTest::newRow("CLIENT TRACKING") << QByteArrayList{subscribedToOwnChannel(), noPermission("client|tracking")};
    }
    void aRefusalEndsIt() {
        QFETCH(const QByteArrayList, replies);
        open({});
        link().reply(bufferLimits("33554432 8388608 60"));
        for (const QByteArray& reply : replies)
            link().reply(reply);
        QCOMPARE(m_obstacles, QList<Obstacle>{Obstacle::Refused});
        QCOMPARE(m_began, 0);
        QVERIFY(!m_tracking->isOpen());
    }

    void beginsAgainAfterALoss() {
        open({"jobs:"});
        (void)beginBroadcast(link());
        link().lose();
        QCOMPARE(m_interrupted, 1);
        m_clock.advance(1s);
        m_server->acceptAll();
        (void)beginBroadcast(link());
        QCOMPARE(m_began, 2);
    }

    void aLossBeforeItBeginsIsNoObstacle() {
        open({});
        link().lose();
        QCOMPARE(m_obstacles, QList<Obstacle>());
        QVERIFY(m_tracking->isOpen());
    }

    void mayBeClosedAndOpenedAgain() {
        open({});
        (void)beginBroadcast(link());
        m_tracking->close();
        QCOMPARE(m_interrupted, 1);
        m_tracking->open();
        m_server->acceptAll();
        (void)beginBroadcast(link());
        QCOMPARE(m_began, 2);
    }

private:
    void open(const QByteArrayList& prefixes) {
        m_server = std::make_unique<FakeServer>();
        m_began = m_interrupted = 0;
        m_obstacles.clear();
        m_written.clear();
        m_tracking =
            std::make_unique<BroadcastTracking>(redis::ConnectionOptions(), m_server->factory(), m_clock, prefixes);
        connect(m_tracking.get(), &BroadcastTracking::began, this, [this] { ++m_began; });
        connect(m_tracking.get(), &BroadcastTracking::interrupted, this, [this] { ++m_interrupted; });
        connect(m_tracking.get(), &BroadcastTracking::refused, this,
                [this](Obstacle obstacle) { m_obstacles += obstacle; });
        connect(m_tracking.get(), &BroadcastTracking::written, this,
                [this](const QByteArrayList& keys) { m_written += keys; });
        m_tracking->open();
        m_server->acceptAll();
    }
    FakeLink& link() { return m_server->lastLink(); }

    ManualClock m_clock;
    std::unique_ptr<FakeServer> m_server;
    std::unique_ptr<BroadcastTracking> m_tracking;
    int m_began = 0;
    int m_interrupted = 0;
    QList<Obstacle> m_obstacles;
    QByteArrayList m_written;
};

LOCKKEEPER_TEST(TestBroadcastTracking, Guiless)

}  // namespace tst_broadcasttracking

#include "tst_broadcasttracking.moc"
