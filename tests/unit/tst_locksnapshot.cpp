// SPDX-License-Identifier: Apache-2.0
#include "monitor/model/listeners.h"
#include "monitor/model/locksnapshot.h"
#include "support/testprogram.h"

#include <QTest>

namespace tst_locksnapshot {

using namespace lockkeeper;
using namespace lockkeeper::monitor;

class TestLockSnapshot : public QObject {
    Q_OBJECT
private slots:
    void onlyCertainWaitersCount_data() {
        QTest::addColumn<int>("waiters");  // -1: not known
        QTest::addColumn<int>("monitors");
        QTest::addColumn<bool>("isQueued");
        QTest::addColumn<int>("certain");
        QTest::addColumn<bool>("isWaitedFor");
        QTest::newRow("nothing is known") << -1 << 0 << false << 0 << false;
        QTest::newRow("nobody") << 0 << 0 << false << 0 << false;
        QTest::newRow("clients") << 3 << 0 << false << 3 << true;
        QTest::newRow("clients, and perhaps monitors") << 3 << 1 << false << 2 << true;
        QTest::newRow("perhaps only monitors") << 2 << 2 << false << 0 << false;
        QTest::newRow("a monitor has left since the count of monitors") << 1 << 2 << false << 0 << false;
        QTest::newRow("queued, and not subscribed yet") << 0 << 0 << true << 0 << true;
        QTest::newRow("queued, and waiters are not known") << -1 << 0 << true << 0 << true;
        QTest::newRow("queued, and perhaps only monitors") << 1 << 1 << true << 0 << true;
    }
    void onlyCertainWaitersCount() {
        QFETCH(int, waiters);
        QFETCH(int, monitors);
        QFETCH(bool, isQueued);
        LockSnapshot lock;
        if (waiters >= 0)
            lock.waiters = waiters;
        lock.monitorsAmongWaiters = monitors;
        if (isQueued)
            lock.fairQueue = {FairWaiter{HolderId(ClientId("u"), ThreadId(1)), {}}};
        QTEST(lock.certainWaiters(), "certain");
        QTEST(lock.isWaitedFor(), "isWaitedFor");
        Listeners listeners;
        listeners.clients = std::max(0, waiters);
        listeners.monitors = monitors;
        QTEST(listeners.certain(), "certain");
    }
};

LOCKKEEPER_TEST(TestLockSnapshot, Appless)

}  // namespace tst_locksnapshot

#include "tst_locksnapshot.moc"
