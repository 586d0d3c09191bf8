// SPDX-License-Identifier: Apache-2.0
#include "monitor/observe/watchedlocks.h"
#include "support/manualclock.h"
#include "support/testprogram.h"

#include <QTest>

using namespace lockkeeper;
using namespace lockkeeper::monitor;
using namespace lockkeeper::test;
using namespace std::chrono_literals;

class TestWatchedLocks : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() {
        m_watched = std::make_unique<WatchedLocks>(m_clock, [this](const LockName& name) {
            m_begun += name.bytes();
            m_watched->noteReadEnd();
        });
        m_watched->resume();
        m_begun.clear();
    }

    void aRequestIsReadAtOnce() {
        m_watched->request(add("a"));
        QCOMPARE(m_begun, QByteArrayList{"a"});
    }

    // Until the answer has been taken, which ends the request.
    void aSecondRequestIsTheSameRead() {
        WatchedLocks::Lock& lock = add("a");
        m_watched->request(lock);
        m_watched->request(lock);
        QCOMPARE(m_begun, QByteArrayList{"a"});
    }

    void aLaterTimeReplacesAnEarlierOne() {
        WatchedLocks::Lock& lock = add("a");
        m_watched->requestAt(lock, m_clock.now() + 1s);
        m_watched->requestAt(lock, m_clock.now() + 3s);
        m_clock.advance(2s);
        QCOMPARE(m_begun, QByteArrayList());
        m_clock.advance(1s);
        QCOMPARE(m_begun, QByteArrayList{"a"});
        QVERIFY(!m_clock.hasTimers());
    }

    void aRemovedLockIsNotReadAnyMore() {
        WatchedLocks::Lock& lock = add("a");
        m_watched->requestAt(lock, m_clock.now() + 1s);
        m_watched->requestAt(lock, m_clock.now() + 3s);
        QVERIFY(m_watched->remove(LockName("a")));
        QVERIFY(!m_clock.hasTimers());
        m_clock.advance(3s);
        QCOMPARE(m_begun, QByteArrayList());
    }

    // As after a loss of the connection.
    void nothingIsReadDuringAnInterruption() {
        WatchedLocks::Lock& lock = add("a");
        m_watched->requestAt(lock, m_clock.now() + 1s);
        m_watched->interrupt();
        m_watched->request(lock);
        m_clock.advance(1s);
        QCOMPARE(m_begun, QByteArrayList());
        m_watched->resume();
        m_watched->requestAll();
        QCOMPARE(m_begun, QByteArrayList{"a"});
    }

private:
    WatchedLocks::Lock& add(const QByteArray& name) { return m_watched->add(LockName(name), WatchedLock()); }

    ManualClock m_clock;
    std::unique_ptr<WatchedLocks> m_watched;
    QByteArrayList m_begun;
};

LOCKKEEPER_TEST(TestWatchedLocks, Appless)
#include "tst_watchedlocks.moc"
