// SPDX-License-Identifier: Apache-2.0
#include "platform/threadtime.h"
#include "support/testprogram.h"

#include <QTest>

#include <thread>

namespace tst_threadtime {

using lockkeeper::platform::threadTime;
using namespace std::chrono_literals;

namespace {

// Works until this thread has taken so much CPU time.
void workFor(std::chrono::nanoseconds time) {
    const auto start = threadTime();
    while (threadTime() - start < time)
        std::this_thread::yield();
}

}  // namespace

class TestThreadTime : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void growsWithTheWorkOfThisThread() {
        const auto start = threadTime();
        workFor(10ms);
        QVERIFY(threadTime() >= start + 10ms);
    }

    void theWorkOfAnotherThreadDoesNotCount() {
        const auto start = threadTime();
        std::jthread([] { workFor(100ms); }).join();
        QVERIFY(threadTime() < start + 100ms);
    }
};

LOCKKEEPER_TEST(TestThreadTime, Appless)

}  // namespace tst_threadtime

#include "tst_threadtime.moc"
