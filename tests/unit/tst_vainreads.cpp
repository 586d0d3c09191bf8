// SPDX-License-Identifier: Apache-2.0
#include "monitor/observe/vainreads.h"
#include "support/testprogram.h"

#include <QTest>

namespace tst_vainreads {

using namespace lockkeeper;
using namespace lockkeeper::monitor;
using namespace std::chrono_literals;

namespace {

constexpr SteadyTime start{1h};

int takeAll(VainReads& reads, SteadyTime now) {
    int taken = 0;
    while (taken < 10 * VainReads::most && reads.take(now))
        ++taken;
    return taken;
}

}  // namespace

class TestVainReads : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void theyAreFewInARowAndThenOneASecond() {
        VainReads reads;
        QCOMPARE(takeAll(reads, start), VainReads::most);
        QCOMPARE(takeAll(reads, start + 999ms), 0);
        QCOMPARE(takeAll(reads, start + 1s), 1);
        QCOMPARE(takeAll(reads, start + 1999ms), 0);
        QCOMPARE(takeAll(reads, start + 4500ms), 3);
        QCOMPARE(takeAll(reads, start + 5s), 1);
    }

    void theAllowanceIsNeverLarger() {
        VainReads reads;
        QCOMPARE(takeAll(reads, start + 24h), VainReads::most);
        QCOMPARE(takeAll(reads, start + 48h), VainReads::most);
        for (int i = 0; i < 100; ++i)
            reads.noteLock();
        QCOMPARE(takeAll(reads, start + 48h), VainReads::most);
    }

    void eachFoundLockAllowsFurtherReads() {
        VainReads reads;
        (void)takeAll(reads, start);
        reads.noteLock();
        QCOMPARE(takeAll(reads, start), 1 + VainReads::perLock);
    }

    // After a reconnection, thousands of reads are requested before the first one is answered.
    void whatIsNotKnownToBeInVainIsAllowed() {
        VainReads reads;
        for (int i = 0; i < 5000; ++i)
            QVERIFY(reads.isAllowed(start));
        for (int i = 0; i < VainReads::most; ++i) {
            QVERIFY(reads.isAllowed(start));
            reads.noteVain();
        }
        QVERIFY(!reads.isAllowed(start));
        reads.noteVain();
        QVERIFY(reads.isAllowed(start + 1s));
    }

    // One lock among ten names: none is left out, however many there are.
    void whereLocksAreFoundNothingIsLeftOut() {
        VainReads reads;
        for (int i = 0; i < 5000; ++i) {
            QVERIFY(reads.take(start));
            if (i % 10 == 0)
                reads.noteLock();
        }
    }

    void aFailedReadIsNoneInVain() {
        VainReads reads;
        (void)takeAll(reads, start);
        reads.noteUnknown();
        QCOMPARE(takeAll(reads, start), 1);
    }
};

LOCKKEEPER_TEST(TestVainReads, Guiless)

}  // namespace tst_vainreads

#include "tst_vainreads.moc"
