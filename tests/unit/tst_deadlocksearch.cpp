// SPDX-License-Identifier: Apache-2.0
#include "monitor/analyse/deadlocksearch.h"
#include "support/samplelocks.h"
#include "support/testprogram.h"

#include <QTest>

namespace tst_deadlocksearch {

using namespace lockkeeper;
using namespace lockkeeper::monitor;
using namespace lockkeeper::test;
using namespace std::chrono_literals;

namespace {

HolderId threadOfA(int thread) {
    return HolderId(ClientId(clientA), ThreadId(thread));
}

}  // namespace

// Thread 1 holds A and waits for B; thread 2 holds B and waits for A.
class TestDeadlockSearch : public QObject {
    Q_OBJECT

private:
    // Reads the lock as the store does; waiter 0: nobody waits.
    void read(const char* name, int holder, int waiter, SteadyTime at) {
        LockSnapshot lock;
        lock.name = lockName(name);
        lock.holders = {Holder{threadOfA(holder)}};
        if (waiter > 0)
            lock.fairQueue = {{threadOfA(waiter), WallTime(300s)}};
        lock.seenAt = at;
        lock.seenAtWall = WallTime(at.time_since_epoch());
        const auto before = m_known.find(lock.name);
        m_deadlocks.follow(before == m_known.end() ? nullptr : &*before, lock);
        m_known.insert(lock.name, lock);
        m_changed = m_deadlocks.isDue(at) ? m_deadlocks.search(at, lastRead()) : QSet<LockName>();
    }
    DeadlockSearch::LastRead lastRead() {
        return [this](const LockName& name) {
            const auto known = m_known.constFind(name);
            return known == m_known.cend() ? nullptr : &*known;
        };
    }
    std::optional<Deadlock> of(const char* name) const { return m_deadlocks.of(lockName(name)); }
    void readBothTwice() {
        read("A", 1, 2, m_start);
        read("B", 2, 1, m_start + 1s);
        read("A", 1, 2, m_start + 2s);
        read("B", 2, 1, m_start + 3s);
    }

    const SteadyTime m_start{1h};
    DeadlockSearch m_deadlocks;
    QHash<LockName, LockSnapshot> m_known;
    QSet<LockName> m_changed;

private Q_SLOTS:
    void init() {
        m_deadlocks = {};
        m_known.clear();
    }

    void aCircleIsADeadlockOnceItsLocksWereReadAgain() {
        read("A", 1, 2, m_start);
        read("B", 2, 1, m_start + 1s);
        QVERIFY(!of("A") && !of("B"));
        read("A", 1, 2, m_start + 2s);
        QVERIFY(!of("A"));
        read("B", 2, 1, m_start + 3s);
        QCOMPARE(m_changed, (QSet<LockName>{lockName("A"), lockName("B")}));
        const WallTime last(m_start.time_since_epoch() + 3s);
        QVERIFY(of("A") == (Deadlock{threadOfA(1), lockName("B"), threadOfA(2), 2, last}));
        QVERIFY(of("B") == (Deadlock{threadOfA(2), lockName("A"), threadOfA(1), 2, last}));
    }

    // On a quiet server nothing else would read these locks.
    void theLocksOfACircleAreReadAgain() {
        read("A", 1, 2, m_start);
        QCOMPARE(m_deadlocks.nextRead(lockName("A")), std::nullopt);
        read("B", 2, 1, m_start + 1s);
        QCOMPARE(m_deadlocks.nextRead(lockName("A")), std::optional(m_start + 2s));
        QCOMPARE(m_deadlocks.nextRead(lockName("B")), std::optional(m_start + 2s));
        read("A", 1, 2, m_start + 2s);
        read("B", 2, 1, m_start + 3s);
        QCOMPARE(m_deadlocks.nextRead(lockName("A")), std::nullopt);
    }

    void whatIsReadBetweenTwoSearchesIsSearchedLater() {
        read("A", 1, 2, m_start);
        read("B", 2, 1, m_start + 100ms);
        QCOMPARE(m_deadlocks.nextRead(lockName("B")), std::optional(m_start + 500ms));
        read("B", 2, 1, m_start + 500ms);
        QVERIFY(!of("A"));
        read("A", 1, 2, m_start + 1500ms);
        read("B", 2, 1, m_start + 2500ms);
        QVERIFY(of("A").has_value());
    }

    void laterReadsChangeNothing() {
        readBothTwice();
        const std::optional<Deadlock> first = of("A");
        read("A", 1, 2, m_start + 10s);
        read("B", 2, 1, m_start + 11s);
        QVERIFY(m_changed.isEmpty());
        QVERIFY(of("A") == first);
    }

    void itEndsWithOneOfItsWaits() {
        readBothTwice();
        read("B", 2, 0, m_start + 3100ms);  // thread 1 gave up
        QVERIFY(!of("B"));                  // the deadlock ends at once
        QCOMPARE(m_deadlocks.nextRead(lockName("B")), std::optional(m_start + 3500ms));
        read("B", 2, 0, m_start + 3500ms);
        QCOMPARE(m_changed, QSet<LockName>{lockName("A")});
        QVERIFY(!of("A") && !of("B"));
    }

    void itEndsWithALockThatIsForgotten() {
        readBothTwice();
        m_known.remove(lockName("B"));
        m_deadlocks.forget(lockName("B"));
        QVERIFY(!of("B"));
        read("A", 1, 2, m_start + 10s);
        QVERIFY(!of("A"));
    }

    void locksThatNobodyQueuesForAreNoMatter() {
        read("A", 1, 0, m_start);
        QVERIFY(!m_deadlocks.isDue(m_start + 1h));
        QCOMPARE(m_deadlocks.nextRead(lockName("A")), std::nullopt);
    }
};

LOCKKEEPER_TEST(TestDeadlockSearch, Appless)

}  // namespace tst_deadlocksearch

#include "tst_deadlocksearch.moc"
