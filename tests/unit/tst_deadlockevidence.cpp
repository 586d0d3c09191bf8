// SPDX-License-Identifier: Apache-2.0
#include "monitor/analyse/who/deadlockevidence.h"
#include "support/samplelocks.h"
#include "support/testprogram.h"

#include <QTest>

namespace tst_deadlockevidence {

using namespace lockkeeper;
using namespace lockkeeper::monitor;
using namespace std::chrono_literals;

namespace {

HolderId owner(int thread) {
    return HolderId(ClientId(test::clientA), ThreadId(thread));
}

// One lock in one read: its holder, and since when each waiter has been in its queue.
struct Read {
    const char* name;
    std::chrono::seconds at;
    int holder;
    int waiter;
    std::chrono::seconds deadline = 300s;
};
using Reads = std::vector<Read>;

LockSnapshot snapshotOf(const Read& read) {
    LockSnapshot lock;
    lock.name = test::lockName(read.name);
    lock.holders = {Holder{owner(read.holder)}};
    lock.fairQueue = {{owner(read.waiter), WallTime(read.deadline)}};
    lock.seenAt = SteadyTime(read.at);
    lock.seenAtWall = WallTime(read.at);
    return lock;
}

std::vector<CycleReads> follow(DeadlockEvidence& evidence, const Reads& reads) {
    std::vector<LockSnapshot> locks;
    for (const Read& read : reads)
        locks.push_back(snapshotOf(read));
    std::vector<const LockSnapshot*> all;
    for (const LockSnapshot& lock : locks)
        all.push_back(&lock);
    return evidence.follow(waitGraphOf(all), all);
}

}  // namespace

class TestDeadlockEvidence : public QObject {
    Q_OBJECT

private Q_SLOTS:
    // The first two reads show the cycle: 1 waits for 2 at B, 2 waits for 1 at A.
    void provesWhatWasThereTogether_data() {
        QTest::addColumn<Reads>("first");
        QTest::addColumn<Reads>("second");
        QTest::addColumn<bool>("proven");
        const Reads cycle{{"A", 1s, 1, 2}, {"B", 9s, 2, 1}};
        QTest::newRow("one read each") << cycle << cycle << false;
        QTest::newRow("the earlier one again") << cycle << Reads{{"A", 10s, 1, 2}, {"B", 9s, 2, 1}} << false;
        QTest::newRow("the later one again") << cycle << Reads{{"A", 1s, 1, 2}, {"B", 10s, 2, 1}} << false;
        QTest::newRow("both again, one before the other was first seen")
            << cycle << Reads{{"A", 8s, 1, 2}, {"B", 10s, 2, 1}} << false;
        QTest::newRow("both again, one in the same answer as the other's first")
            << cycle << Reads{{"A", 9s, 1, 2}, {"B", 10s, 2, 1}} << false;
        QTest::newRow("both again") << cycle << Reads{{"A", 10s, 1, 2}, {"B", 11s, 2, 1}} << true;
        QTest::newRow("both again, but one has queued again")
            << cycle << Reads{{"A", 10s, 1, 2, 301s}, {"B", 11s, 2, 1}} << false;
        QTest::newRow("a cycle only since the second reads")
            << Reads{{"A", 1s, 3, 2}, {"B", 9s, 2, 1}} << Reads{{"A", 10s, 1, 2}, {"B", 11s, 2, 1}} << false;
        QTest::newRow("itself") << Reads{} << Reads{{"A", 1s, 1, 1}} << true;
    }
    void provesWhatWasThereTogether() {
        QFETCH(const Reads, first);
        QFETCH(const Reads, second);
        DeadlockEvidence evidence;
        std::ignore = follow(evidence, first);
        const std::vector<CycleReads> answers = follow(evidence, second);
        QCOMPARE(answers.size(), size_t{1});
        QTEST(answers.front().isProven, "proven");
    }

    void saysBetweenWhichReads() {
        DeadlockEvidence evidence;
        const std::vector<CycleReads> answers = follow(evidence, {{"A", 1s, 1, 2}, {"B", 9s, 2, 1}});
        QVERIFY(answers == (std::vector{CycleReads{WallTime(1s), WallTime(9s), false}}));
    }

    void staysProvenWhileNothingChanges() {
        DeadlockEvidence evidence;
        std::ignore = follow(evidence, {{"A", 1s, 1, 2}, {"B", 2s, 2, 1}});
        for (int i = 0; i < 3; ++i)
            QVERIFY(follow(evidence, {{"A", 3s, 1, 2}, {"B", 4s, 2, 1}}).front().isProven);
    }

    void whatEndedMeanwhileBeginsAgain() {
        DeadlockEvidence evidence;
        std::ignore = follow(evidence, {{"A", 1s, 1, 2}, {"B", 2s, 2, 1}});
        QVERIFY(follow(evidence, {{"A", 3s, 3, 2}, {"B", 4s, 2, 1}}).empty());
        QVERIFY(!follow(evidence, {{"A", 5s, 1, 2}, {"B", 6s, 2, 1}}).front().isProven);
        QVERIFY(follow(evidence, {{"A", 7s, 1, 2}, {"B", 8s, 2, 1}}).front().isProven);
    }

    void forgets() {
        DeadlockEvidence evidence;
        std::ignore = follow(evidence, {{"A", 1s, 1, 2}, {"B", 2s, 2, 1}});
        evidence.forget();
        QVERIFY(!follow(evidence, {{"A", 3s, 1, 2}, {"B", 4s, 2, 1}}).front().isProven);
    }
};

LOCKKEEPER_TEST(TestDeadlockEvidence, Guiless)

}  // namespace tst_deadlockevidence

#include "tst_deadlockevidence.moc"
