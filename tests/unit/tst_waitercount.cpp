// SPDX-License-Identifier: Apache-2.0
#include "monitor/observe/sources/waitercount.h"
#include "support/lockreplies.h"
#include "support/playedconnection.h"
#include "support/taskwait.h"
#include "support/testprogram.h"

#include <QTest>

using namespace lockkeeper;
using namespace lockkeeper::monitor;
using namespace lockkeeper::test;
using Counted = ShardedMessages::Counted;

namespace {

class ClusterNode final : public NodeScope {
public:
    [[nodiscard]] bool isInCluster() const override { return true; }
    [[nodiscard]] bool keeps(const LockName&) const override { return true; }
    void noteMovedKeys() const override {}
};

class NoLocks final : public KnownLocks {
public:
    [[nodiscard]] bool knows(const LockName&) const override { return false; }
};

const QByteArray channel = QByteArrayLiteral("redisson_lock__channel:{L}");

}  // namespace

class TestWaiterCount : public QObject {
    Q_OBJECT

private Q_SLOTS:
    // The subscription of this monitor may begin or end while the server counts.
    void ourOwnSubscriptionIsNoWaiter_data() {
        QTest::addColumn<Counted>("before");
        QTest::addColumn<Counted>("after");
        QTest::addColumn<int>("counted");
        QTest::addColumn<int>("waiters");
        QTest::newRow("none") << Counted::No << Counted::No << 1 << 1;
        QTest::newRow("counted") << Counted::Yes << Counted::Yes << 2 << 1;
        QTest::newRow("alone") << Counted::Yes << Counted::Yes << 1 << 0;
        QTest::newRow("begins") << Counted::Unclear << Counted::Unclear << 1 << 0;
        QTest::newRow("began") << Counted::Unclear << Counted::Yes << 1 << 0;
        QTest::newRow("is ending") << Counted::Yes << Counted::Unclear << 1 << 0;
        QTest::newRow("ended") << Counted::Yes << Counted::No << 1 << 0;
        QTest::newRow("was ending, and ended") << Counted::Unclear << Counted::No << 1 << 0;
    }
    void ourOwnSubscriptionIsNoWaiter() {
        QFETCH(Counted, before);
        QFETCH(Counted, after);
        QFETCH(int, counted);
        PlayedConnection played;
        played.open();
        const ClusterNode node;
        const NoLocks known;
        Denials denials;
        WaiterCount count(played.connection, denials, known, node);
        Counted own = before;
        count.subtract([&own](const QByteArray&) { return own; });
        const std::stop_source stop;
        const Task<void> counting = count.count(stop.get_token());
        turnEventLoop();
        for (const QByteArrayList& channels : {QByteArrayList(), QByteArrayList(), {channel}, QByteArrayList()})
            played.link().reply(list(channels));
        own = after;
        played.link().reply("*2\r\n" + bulk(channel) + number(counted));
        if (!counting.isReady())  // another subscriber may be a monitor, so it asks for the names of the connections
            played.link().reply(bulk(""));
        QVERIFY(counting.isReady());
        QTEST(count.waiting().value(LockName("L")).clients, "waiters");
    }
};

LOCKKEEPER_TEST(TestWaiterCount, Guiless)
#include "tst_waitercount.moc"
