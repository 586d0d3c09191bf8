// SPDX-License-Identifier: Apache-2.0
#include "monitor/discover/nonlockmemory.h"
#include "support/testprogram.h"

#include <QTest>

namespace tst_nonlockmemory {

using namespace lockkeeper::monitor;

class TestNonLockMemory : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void whatWasReadOnceIsNotReadAgain() {
        NonLockMemory memory;
        QVERIFY(!memory.recognizes("session:1"));
        memory.remember("session:1");
        QVERIFY(memory.recognizes("session:1"));
    }

    void underOnePercentIsReadAgainInEachSweepAndEachInTheEnd() {
        NonLockMemory memory;
        constexpr int keys = 10000;
        const auto key = [](int i) { return "session:" + QByteArray::number(i); };
        for (int i = 0; i < keys; ++i)
            memory.remember(key(i));
        std::vector<int> readAgain(keys, 0);
        for (int sweep = 0; sweep < 128; ++sweep) {
            memory.endSweep();
            int reads = 0;
            for (int i = 0; i < keys; ++i) {
                if (memory.recognizes(key(i)))
                    continue;
                ++reads;
                ++readAgain[size_t(i)];
                memory.remember(key(i));
            }
            QVERIFY2(reads < keys / 75, qPrintable(QString::number(reads)));  // under 1 %, with some random variation
        }
        QCOMPARE(std::count(readAgain.begin(), readAgain.end(), 1), keys);
    }

    void whatASweepDidNotMeetIsForgotten() {
        NonLockMemory memory;
        memory.remember("gone");
        memory.endSweep();
        memory.endSweep();
        QCOMPARE(memory.size(), 0);
        QVERIFY(!memory.recognizes("gone"));
    }

    void aBrokenOffSweepForgetsNothing() {
        NonLockMemory memory;
        for (int i = 0; i < 1000; ++i)
            memory.remember(QByteArray::number(i));
        memory.endSweep();
        (void)memory.recognizes("1");
        memory.abandonSweep();
        QVERIFY(memory.size() >= 999);
    }

    void keepsNoMoreThanItsCapacity() {
        NonLockMemory memory(100);
        for (int i = 0; i < 1000; ++i)
            memory.remember(QByteArray::number(i));
        QCOMPARE(memory.size(), 100);
    }
};

LOCKKEEPER_TEST(TestNonLockMemory, Guiless)

}  // namespace tst_nonlockmemory

#include "tst_nonlockmemory.moc"
