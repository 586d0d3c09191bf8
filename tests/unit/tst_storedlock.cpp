// SPDX-License-Identifier: Apache-2.0
#include "monitor/store/storedlock.h"
#include "support/lockstory.h"
#include "support/testprogram.h"

#include <QTest>

namespace tst_storedlock {

using namespace lockkeeper;
using namespace lockkeeper::monitor;
using namespace lockkeeper::test;
using namespace std::chrono_literals;

// The row that the store keeps of a lock is the one that is shown: it exists once, and is never changed while others
// have it.
class TestStoredLock : public QObject {
    Q_OBJECT

private:
    StoredLock m_known{held(0s, alice), 3};

private Q_SLOTS:
    void init() { m_known = StoredLock(held(0s, alice), 3); }

    void beginsWithItsFirstRead() {
        QVERIFY(m_known.lock().isHeldBy(alice));
        QCOMPARE(m_known.row().releasesReceived, quint64{3});
        QCOMPARE(m_known.history.hold.whole().since, m_known.lock().seenAt);
    }

    void aRowIsKeptOnceUntilItChanges() {
        const SharedRow first = m_known.passOn();
        QCOMPARE(&m_known.row(), first.get());
        QCOMPARE(m_known.passOn(), first);
    }

    void aRowThatWasPassedOnIsNotChanged() {
        const SharedRow passedOn = m_known.passOn();
        m_known.edit().lock = free(1s);
        QVERIFY(passedOn->lock.isHeld());
        QVERIFY(!m_known.lock().isHeld());
        QVERIFY(!m_known.passOn()->lock.isHeld());
    }

    void severalChangesMakeOneNewRow() {
        const SharedRow passedOn = m_known.passOn();
        const LockRow& changed = m_known.edit();
        m_known.edit().isUnread = true;
        QCOMPARE(&m_known.row(), &changed);
        QVERIFY(&changed != passedOn.get());
    }
};

LOCKKEEPER_TEST(TestStoredLock, Guiless)

}  // namespace tst_storedlock

#include "tst_storedlock.moc"
