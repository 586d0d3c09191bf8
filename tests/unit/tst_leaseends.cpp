// SPDX-License-Identifier: Apache-2.0
#include "monitor/observe/leaseends.h"
#include "support/manualclock.h"
#include "support/testprogram.h"

#include <QTest>

#include <algorithm>
#include <map>
#include <random>

namespace tst_leaseends {

using namespace lockkeeper;
using namespace lockkeeper::monitor;
using namespace lockkeeper::test;
using namespace std::chrono_literals;

class TestLeaseEnds : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() {
        m_locks.clear();
        m_ended.clear();
        m_times.clear();
    }

    void aLockIsReportedWhenItsLeaseEnds() {
        set("a", 10ms);
        m_clock.advance(9ms);
        QVERIFY(m_ended.isEmpty());
        m_clock.advance(1ms);
        QCOMPARE(m_ended, QByteArrayList{"a"});
        m_clock.advance(1h);
        QCOMPARE(m_ended, QByteArrayList{"a"});
    }

    void anEarlierOneThatComesLaterIsReportedFirst() {
        set("a", 20ms);
        set("b", 10ms);
        m_clock.advance(10ms);
        QCOMPARE(m_ended, QByteArrayList{"b"});
        m_clock.advance(10ms);
        QCOMPARE(m_ended, (QByteArrayList{"b", "a"}));
    }

    void aLockHasOneTime() {
        set("a", 10ms);
        set("a", 30ms);
        m_clock.advance(29ms);
        QVERIFY(m_ended.isEmpty());
        set("a", 10ms);
        m_clock.advance(10ms);
        QCOMPARE(m_ended, QByteArrayList{"a"});
    }

    void whatIsRemovedIsNotReported() {
        set("a", 10ms);
        set("b", 20ms);
        m_ends.remove(*m_locks.find(LockName("a")));
        m_ends.remove(*m_locks.find(LockName("a")));
        m_clock.advance(20ms);
        QCOMPARE(m_ended, QByteArrayList{"b"});
    }

    void withoutLocksNoTimerRuns() {
        QVERIFY(!m_clock.hasTimers());
        set("a", 10ms);
        QVERIFY(m_clock.hasTimers());
        m_ends.remove(*m_locks.find(LockName("a")));
        QVERIFY(!m_clock.hasTimers());
    }

    void manyAreReportedInTheOrderOfTheirEnds() {
        std::mt19937 random(7);
        std::map<QByteArray, SteadyTime> expected;
        for (int step = 0; step < 3000; ++step) {
            const QByteArray name = QByteArray::number(random() % 300);
            const Milliseconds fromNow(1 + random() % 1000);
            const bool isRemoved = random() % 4 == 0;
            set(name, fromNow);
            expected[name] = m_clock.now() + fromNow;
            if (isRemoved) {
                m_ends.remove(*m_locks.find(LockName(name)));
                expected.erase(name);
            }
        }
        m_clock.advance(2s);
        QCOMPARE(static_cast<size_t>(m_ended.size()), expected.size());
        QVERIFY(std::ranges::is_sorted(m_ended, {}, [&expected](const QByteArray& name) { return expected.at(name); }));
        QVERIFY(std::ranges::equal(m_times, m_ended, {}, {},
                                   [&expected](const QByteArray& name) { return expected.at(name); }));
    }

private:
    void set(const QByteArray& name, Milliseconds fromNow) {
        m_locks[LockName(name)];
        m_ends.set(*m_locks.entry(LockName(name)), m_clock.now() + fromNow);
    }
    void note(const LockName& name) {
        m_ended << name.bytes();
        m_times.push_back(m_clock.now());
    }

    ManualClock m_clock;
    NameMap<WatchedLock> m_locks;
    LeaseEnds m_ends{m_clock, [this](const LeaseEnds::Lock& lock) { note(lock.first); }};
    QByteArrayList m_ended;
    std::vector<SteadyTime> m_times;
};

LOCKKEEPER_TEST(TestLeaseEnds, Appless)

}  // namespace tst_leaseends

#include "tst_leaseends.moc"
