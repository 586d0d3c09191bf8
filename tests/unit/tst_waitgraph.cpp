// SPDX-License-Identifier: Apache-2.0
#include "monitor/analyse/who/waitgraph.h"
#include "support/samplelocks.h"
#include "support/testprogram.h"

#include <QTest>

namespace tst_waitgraph {

using namespace lockkeeper;
using namespace lockkeeper::monitor;

namespace {

using Locks = std::vector<LockSnapshot>;

// Owners that differ only in their thread ids.
HolderId owner(int thread) {
    return HolderId(ClientId(test::clientA), ThreadId(thread));
}

LockSnapshot lock(const QByteArray& name, const QList<int>& holders, const QList<int>& queue) {
    LockSnapshot lock;
    lock.name = LockName(name);
    for (const int holder : holders)
        lock.holders += Holder{owner(holder)};
    for (const int waiter : queue)
        lock.fairQueue += FairWaiter{owner(waiter), std::nullopt};
    lock.waiters = static_cast<int>(queue.size());
    return lock;
}

WaitGraph graphOf(const Locks& locks) {
    std::vector<const LockSnapshot*> all;
    for (const LockSnapshot& each : locks)
        all.push_back(&each);
    return waitGraphOf(all);
}

// "1 -A-> 2"
QByteArray described(const WaitEdge& edge) {
    const auto number = [](const HolderId& id) { return QByteArray::number(static_cast<qint64>(id.thread())); };
    return number(edge.waiter) + " -" + edge.lock.bytes() + "-> " + number(edge.holder);
}

QByteArrayList described(const std::vector<WaitEdge>& edges) {
    QByteArrayList texts;
    for (const WaitEdge& edge : edges)
        texts += described(edge);
    return texts;
}

QByteArrayList cyclesIn(const WaitGraph& graph) {
    QByteArrayList texts;
    for (const std::vector<WaitEdge>& cycle : graph.cycles)
        texts += described(cycle).join(", ");
    return texts;
}

}  // namespace

class TestWaitGraph : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void eachWaiterOfAFairLockWaitsForItsHolders() {
        const WaitGraph graph = graphOf({lock("A", {1}, {2, 3}), lock("B", {4, 5}, {1})});
        QCOMPARE(described(graph.edges), (QByteArrayList{"2 -A-> 1", "3 -A-> 1", "1 -B-> 4", "1 -B-> 5"}));
        QVERIFY(graph.cycles.empty());
    }

    void aFreeLockHasNobodyToWaitFor() { QCOMPARE(graphOf({lock("A", {}, {1, 2})}), WaitGraph()); }

    void saysWhoseWaitersAreNotNamed() {
        LockSnapshot plain = lock("plain", {1}, {});
        plain.waiters = 3;
        LockSnapshot unknown = lock("unknown", {1}, {});
        unknown.waiters.reset();
        LockSnapshot free = lock("free", {}, {});
        free.waiters = 3;
        QCOMPARE(graphOf({plain, unknown, free, lock("fair", {1}, {2}), lock("idle", {1}, {})}).unnamedWaiters,
                 QList<LockName>{LockName("plain")});
    }

    void findsDeadlocks_data() {
        QTest::addColumn<Locks>("locks");
        QTest::addColumn<QByteArrayList>("cycles");
        using Cycles = QByteArrayList;
        QTest::newRow("none") << Locks{} << Cycles{};
        QTest::newRow("a chain") << Locks{lock("A", {1}, {2}), lock("B", {2}, {3}), lock("C", {3}, {4})} << Cycles{};
        QTest::newRow("two ways to the same end") << Locks{lock("A", {1}, {2, 3}), lock("B", {2, 3}, {4})} << Cycles{};
        QTest::newRow("two of each other")
            << Locks{lock("A", {1}, {2}), lock("B", {2}, {1})} << Cycles{"2 -A-> 1, 1 -B-> 2"};
        QTest::newRow("itself") << Locks{lock("A", {1}, {1})} << Cycles{"1 -A-> 1"};
        QTest::newRow("three in a ring") << Locks{lock("A", {1}, {3}), lock("B", {2}, {1}), lock("C", {3}, {2})}
                                         << Cycles{"3 -A-> 1, 1 -B-> 2, 2 -C-> 3"};
        QTest::newRow("a ring with a tail in and out")
            << Locks{lock("A", {1}, {9, 2}), lock("B", {2}, {1}), lock("C", {7}, {2})} << Cycles{"2 -A-> 1, 1 -B-> 2"};
        QTest::newRow("two rings apart") << Locks{lock("A", {1}, {2}), lock("B", {2}, {1}), lock("C", {3}, {4}),
                                                  lock("D", {4}, {3})}
                                         << Cycles{"2 -A-> 1, 1 -B-> 2", "4 -C-> 3, 3 -D-> 4"};
        QTest::newRow("two rings with one owner in common: the shorter way")
            << Locks{lock("A", {1}, {2}), lock("B", {2}, {1, 3}), lock("C", {3}, {1})} << Cycles{"2 -A-> 1, 1 -B-> 2"};
        QTest::newRow("by one of several holders")
            << Locks{lock("A", {8, 1}, {2}), lock("B", {2}, {1})} << Cycles{"2 -A-> 1, 1 -B-> 2"};
    }
    void findsDeadlocks() {
        QFETCH(Locks, locks);
        QTEST(cyclesIn(graphOf(locks)), "cycles");
    }

    void aLongChainIsFollowedToItsEnd() {
        constexpr int length = 15000;
        Locks locks;
        for (int i = 0; i < length; ++i)
            locks.push_back(lock("L" + QByteArray::number(i), {i}, {(i + 1) % length}));
        const WaitGraph graph = graphOf(locks);
        QCOMPARE(graph.cycles.size(), size_t{1});
        QCOMPARE(graph.cycles.front().size(), size_t{length});
    }

    void keepsNoMoreThanItsBound() {
        QList<int> holders;
        QList<int> waiters;
        for (int i = 0; i < 200; ++i) {
            holders += i;
            waiters += 1000 + i;
        }
        const WaitGraph graph = graphOf({lock("A", holders, waiters)});
        QCOMPARE(graph.edges.size(), mostWaitEdges);
        QCOMPARE(graph.edgesLeftOut, 200 * 200 - static_cast<qint64>(mostWaitEdges));
    }
};

LOCKKEEPER_TEST(TestWaitGraph, Guiless)

}  // namespace tst_waitgraph

#include "tst_waitgraph.moc"
