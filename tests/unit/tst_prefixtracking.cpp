// SPDX-License-Identifier: Apache-2.0
#include "monitor/format/watchingwords.h"
#include "monitor/observe/sources/prefixtracking.h"
#include "support/lockreplies.h"
#include "support/manualclock.h"
#include "support/testprogram.h"

#include <QTest>

using namespace lockkeeper;
using namespace lockkeeper::monitor;
using namespace lockkeeper::test;
using namespace std::chrono_literals;

class TestPrefixTracking : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void cleanup() {
        m_tracking.reset();
        turnEventLoop();
        QVERIFY(!m_clock.hasTimers());
    }

    void withoutPrefixesNobodyConnects() {
        open({});
        QCOMPARE(m_server->linkCount(), size_t{0});
    }

    void asksForThePrefixesOfWhichNoneBeginsWithAnother() {
        open({"orders/", "jobs:", "orders/eu/", "jobs:"});
        QCOMPARE(link().takeCommand(), QByteArrayList({"CLIENT", "TRACKING", "ON", "BCAST", "PREFIX", "jobs:", "PREFIX",
                                                       "orders/"}));
        link().reply("+OK\r\n");
        QCOMPARE(denialLines(m_denials.list()), QStringList());
    }

    void tellsWhichLockWasTouched_data() {
        QTest::addColumn<QByteArray>("push");
        QTest::addColumn<QByteArrayList>("touched");
        QTest::newRow("a key") << invalidation("jobs:7") << QByteArrayList{"jobs:7"};
        QTest::newRow("several") << ">2\r\n" + bulk("invalidate") + list({"jobs:7", "jobs:8"})
                                 << QByteArrayList({"jobs:7", "jobs:8"});
        QTest::newRow("a reader's timeout")
            << invalidation("jobs:{7}:" + alice.bytes() + ":rwlock_timeout:1") << QByteArrayList{"jobs:{7}"};
        QTest::newRow("a queue") << invalidation("redisson_lock_queue:{jobs:7}") << QByteArrayList{"jobs:7"};
        QTest::newRow("a flush") << ">2\r\n" + bulk("invalidate") + "_\r\n" << QByteArrayList();
        QTest::newRow("a message") << messageOn("jobs:7") << QByteArrayList();
    }
    void tellsWhichLockWasTouched() {
        QFETCH(const QByteArray, push);
        open({"jobs:"});
        (void)link().takeCommands();
        link().reply("+OK\r\n" + push);
        QTEST(m_touched, "touched");
    }

    void aRefusalIsNoted() {
        open({"jobs:"});
        (void)link().takeCommands();
        link().reply(noPermission("client|tracking"));
        QCOMPARE(denialLines(m_denials.list()).size(), 1);
        QVERIFY(denialLines(m_denials.list()).first().startsWith("CLIENT TRACKING BCAST: "));
    }

    void asksAgainAfterALoss() {
        open({"jobs:"});
        (void)link().takeCommands();
        link().reply("+OK\r\n");
        link().lose();
        m_clock.advance(1s);
        m_server->acceptAll();
        QCOMPARE(link().takeCommand().value(3), QByteArray("BCAST"));
    }

private:
    void open(const QByteArrayList& prefixes) {
        m_server = std::make_unique<FakeServer>();
        m_denials = Denials();
        m_touched.clear();
        m_tracking = std::make_unique<PrefixTracking>(redis::ConnectionOptions(), m_server->factory(), m_clock,
                                                      m_denials, prefixes);
        connect(m_tracking.get(), &PrefixTracking::touched, this,
                [this](const LockName& name) { m_touched << name.bytes(); });
        m_tracking->open();
        m_server->acceptAll();
    }
    FakeLink& link() { return m_server->lastLink(); }

    ManualClock m_clock;
    std::unique_ptr<FakeServer> m_server;
    Denials m_denials;
    std::unique_ptr<PrefixTracking> m_tracking;
    QByteArrayList m_touched;
};

LOCKKEEPER_TEST(TestPrefixTracking, Guiless)
#include "tst_prefixtracking.moc"
