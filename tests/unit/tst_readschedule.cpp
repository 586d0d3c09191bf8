// SPDX-License-Identifier: Apache-2.0
#include "monitor/observe/readschedule.h"
#include "support/locksnapshots.h"
#include "support/manualclock.h"
#include "support/testprogram.h"

#include <QTest>

namespace tst_readschedule {

using namespace lockkeeper;
using namespace lockkeeper::monitor;
using namespace lockkeeper::test;
using namespace std::chrono_literals;

class TestReadSchedule : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() {
        m_watched = std::make_unique<ReadSchedule>(m_clock, [this](const LockName& name) {
            m_begun += name.bytes();
            m_watched->noteReadEnd();
        });
        m_watched->resume();
        m_begun.clear();
    }

    void cleanup() {
        m_watched->clear();
        QVERIFY(!m_clock.hasTimers());
    }

    void aRequestIsReadAtOnce() {
        m_watched->request(add("a"));
        QCOMPARE(m_begun, QByteArrayList{"a"});
    }

    // Until the answer has been taken, which ends the request.
    void aSecondRequestIsTheSameRead() {
        ReadSchedule::Lock& lock = add("a");
        m_watched->request(lock);
        m_watched->request(lock);
        QCOMPARE(m_begun, QByteArrayList{"a"});
    }

    void aLaterTimeReplacesAnEarlierOne() {
        ReadSchedule::Lock& lock = add("a");
        m_watched->requestAt(lock, m_clock.now() + 1s);
        m_watched->requestAt(lock, m_clock.now() + 3s);
        m_clock.advance(2s);
        QCOMPARE(m_begun, QByteArrayList());
        m_clock.advance(1s);
        QCOMPARE(m_begun, QByteArrayList{"a"});
        QVERIFY(!m_clock.hasTimers());
    }

    void aRemovedLockIsNotReadAnyMore() {
        ReadSchedule::Lock& lock = add("a");
        m_watched->requestAt(lock, m_clock.now() + 1s);
        m_watched->requestAt(lock, m_clock.now() + 3s);
        QVERIFY(m_watched->remove(LockName("a")));
        QVERIFY(!m_clock.hasTimers());
        m_clock.advance(3s);
        QCOMPARE(m_begun, QByteArrayList());
    }

    // As after a loss of the connection.
    void nothingIsReadDuringAnInterruption() {
        ReadSchedule::Lock& lock = add("a");
        m_watched->requestAt(lock, m_clock.now() + 1s);
        m_watched->interrupt();
        m_watched->request(lock);
        m_clock.advance(1s);
        QCOMPARE(m_begun, QByteArrayList());
        m_watched->resume();
        m_watched->requestAll();
        QCOMPARE(m_begun, QByteArrayList{"a"});
    }

    // The server reports changes of keys that it only removed from its full table.
    void afterEvictionsAReportIsReadLaterAndLater() {
        ReadSchedule::Lock& lock = add("a");
        QList<Milliseconds> rests;
        for (int i = 0; i < 13; ++i) {
            const SteadyTime readAt = m_clock.now();
            lock.second.lastSentAt = readAt;
            lock.second.request = WatchedLock::Request::None;
            m_watched->requestAfterReport(lock);
            while (m_begun.isEmpty())
                m_clock.advance(100ms);
            rests += std::chrono::duration_cast<Milliseconds>(m_clock.now() - readAt);
            m_begun.clear();
            lock.second.touchHelper();
            lock.second.countEvictions(LockSnapshot(), 0);
        }
        QCOMPARE(rests, QList<Milliseconds>({0ms, 0ms, 0ms, 0ms, 100ms, 200ms, 400ms, 800ms, 1600ms, 3200ms, 6400ms,
                                             10000ms, 10000ms}));
        QVERIFY(m_watched->areReportsDelayed());
        m_clock.advance(1min);
        QVERIFY(!m_watched->areReportsDelayed());
    }

    // With 100,000 locks that would be 10,000 reads a second: they rest for longer.
    void evictionsOfManyLocksLeadToNoMoreReads() {
        for (int i = 0; i < 100'000; ++i)
            add("L" + QByteArray::number(i));
        ReadSchedule::Lock& lock = evicted("a");
        m_watched->requestAfterReport(lock);
        m_clock.advance(199s);
        QCOMPARE(m_begun, QByteArrayList());
        m_clock.advance(2s);
        QCOMPARE(m_begun, QByteArrayList{"a"});
    }

    // A table that is full concerns all locks: the reads of 10,000 locks, once each, are too many already.
    void evictionsOfManyLocksWaitFromTheFirstOn() {
        constexpr int locks = 10'000;
        reportAll(locks);
        QCOMPARE(m_begun.size(), int{VainReads::most});
        m_clock.advance(19s);
        QCOMPARE(m_begun.size(), int{VainReads::most});
        QVERIFY(m_watched->areReportsDelayed());
        m_clock.advance(1s);
        QCOMPARE(m_begun.size(), locks);
    }

    // After a reconnection, all locks wait for their turn: thousands of changes are reported before the first read
    // shows one. None of them is put off.
    void changesOfManyLocksAreReadAtOnceBeforeAnyReadHasEnded() {
        constexpr int locks = 10'000;
        for (int i = 0; i < locks; ++i) {
            ReadSchedule::Lock& lock = add("L" + QByteArray::number(i));
            lock.second.lastSentAt = m_clock.now();
            m_watched->requestAfterReport(lock);
        }
        QCOMPARE(m_begun.size(), locks);
        QVERIFY(!m_watched->areReportsDelayed());
    }

    void aChangeAmongThemLetsOthersBeReadAtOnce() {
        reportAll(1000);
        const qsizetype before = m_begun.size();
        ReadSchedule::Lock& changed = *m_watched->entry(LockName(m_begun.last()));
        LockSnapshot found = held(0ms, alice);
        changed.second.report = WatchedLock::Report::Allowed;
        m_watched->noteReading(changed, found, 0);
        for (int i = 0; i < VainReads::perLock + 1; ++i) {
            ReadSchedule::Lock& other = add("M" + QByteArray::number(i));
            other.second.lastSentAt = m_clock.now();
            m_watched->requestAfterReport(other);
        }
        QCOMPARE(m_begun.size() - before, VainReads::perLock + 1);
    }

    void anyOtherReasonIsReadAtOnce() {
        ReadSchedule::Lock& lock = evicted("a");
        m_watched->requestAfterReport(lock);
        m_clock.advance(500ms);
        QCOMPARE(m_begun, QByteArrayList());
        m_watched->request(lock);
        QCOMPARE(m_begun, QByteArrayList{"a"});
        m_clock.advance(1min);
        QCOMPARE(m_begun, QByteArrayList{"a"});
    }

    void soIsTheEndOfItsLease() {
        ReadSchedule::Lock& lock = evicted("a");
        lock.second.last.expiry = Expiry{m_clock.now() + 3s, m_clock.now() + 3s};
        m_watched->requestAtLeaseEnd(lock);
        m_watched->requestAfterReport(lock);
        m_clock.advance(2999ms);
        QCOMPARE(m_begun, QByteArrayList());
        m_clock.advance(1ms);
        QCOMPARE(m_begun, QByteArrayList{"a"});
    }

    void anotherConnectionMayLeadToAnotherServer() {
        ReadSchedule::Lock& lock = evicted("a");
        m_watched->requestAfterReport(lock);
        QVERIFY(m_watched->areReportsDelayed());
        m_watched->interrupt();
        QVERIFY(!m_watched->areReportsDelayed());
        m_watched->resume();
        m_watched->requestAfterReport(lock);
        QCOMPARE(m_begun, QByteArrayList{"a"});
    }

private:
    // Reports a change of each of so many locks that were just read; all of the reads show evictions.
    void reportAll(int locks) {
        for (int i = 0; i < locks; ++i)
            add("L" + QByteArray::number(i)).second.lastSentAt = m_clock.now();
        for (int i = 0; i < locks; ++i) {
            ReadSchedule::Lock& lock = *m_watched->entry(LockName("L" + QByteArray::number(i)));
            lock.second.touchHelper();
            m_watched->requestAfterReport(lock);
            if (lock.second.request == WatchedLock::Request::Queued)
                m_watched->noteReading(lock, LockSnapshot(), 0);
        }
    }
    // A lock that was just read, after so many evictions that its reports wait as long as ever.
    ReadSchedule::Lock& evicted(const QByteArray& name) {
        ReadSchedule::Lock& lock = add(name);
        lock.second.lastSentAt = m_clock.now();
        for (int i = 0; i < 100; ++i) {
            lock.second.touchHelper();
            lock.second.countEvictions(LockSnapshot(), 0);
        }
        return lock;
    }
    ReadSchedule::Lock& add(const QByteArray& name) { return m_watched->add(LockName(name), WatchedLock()); }

    ManualClock m_clock;
    std::unique_ptr<ReadSchedule> m_watched;
    QByteArrayList m_begun;
};

LOCKKEEPER_TEST(TestReadSchedule, Appless)

}  // namespace tst_readschedule

#include "tst_readschedule.moc"
