// SPDX-License-Identifier: Apache-2.0
#include "monitor/analyse/movedsynchronizers.h"
#include "support/fakeshards.h"
#include "support/manualclock.h"
#include "support/samplesynchronizers.h"
#include "support/testprogram.h"

#include <QSignalSpy>
#include <QTest>

namespace tst_movedsynchronizers {

using namespace lockkeeper;
using namespace lockkeeper::monitor;
using namespace lockkeeper::test;
using namespace std::chrono_literals;

// The sequence of the recording cluster_latch_reshard: B waits for a latch, its slot moves, and B subscribes nowhere.
class TestMovedSynchronizers : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() {
        m_clock = std::make_unique<ManualClock>();
        m_shards = std::make_unique<FakeShards>(2);
        m_moved = std::make_unique<MovedSynchronizers>(*m_shards, *m_clock);
        m_name = m_shards->keyOf(0);
        m_waitedFor = readingOf(latch(*m_clock, m_name, 1));
    }
    void cleanup() {
        m_moved.reset();
        m_shards.reset();
        QVERIFY(!m_clock->hasTimers());
    }

    void whoHasNotSubscribedAfterTenSecondsIsDeaf() {
        const QSignalSpy changed(m_moved.get(), &MovedSynchronizers::changed);
        moveAndLeave();
        m_clock->advance(9999ms);
        QCOMPARE(added().size(), size_t{0});
        m_clock->advance(1ms);
        QCOMPARE(changed.size(), 1);
        QCOMPARE(added().size(), size_t{1});
        const Synchronizer deaf = added().front();
        QCOMPARE(deaf.name, LockName(m_name));
        QCOMPARE(deaf.clients, 0);
        QCOMPARE(deaf.count, std::optional<qint64>(1));
        QVERIFY(deaf.deaf == (DeafWaiters{1, "node0:6379", "node1:6379", m_clock->wallNow() - 10s}));
        QCOMPARE(m_moved->addedTo({}).inAll, 1);
    }

    void theMoveMayBeKnownLater() {
        m_moved->follow(FakeShards::id(0), m_waitedFor, {});
        QCOMPARE(m_shards->refreshes, 1);
        m_clock->advance(12s);
        QCOMPARE(added().size(), size_t{0});
        const QSignalSpy changed(m_moved.get(), &MovedSynchronizers::changed);
        m_shards->move(m_name, 1);
        m_shards->tellChanged();
        QCOMPARE(changed.size(), 1);
        QCOMPARE(added().size(), size_t{1});
    }

    void itIsForgottenAfterTenMinutes() {
        moveAndLeave();
        m_clock->advance(599s);
        QCOMPARE(added().size(), size_t{1});
        m_clock->advance(1s);
        QCOMPARE(added().size(), size_t{0});
    }

    void whoSubscribesAtTheNewNodeIsNotDeaf() {
        moveAndLeave();
        m_clock->advance(3s);
        m_moved->follow(FakeShards::id(1), {}, m_waitedFor);
        m_clock->advance(10s);
        QCOMPARE(added().size(), size_t{0});
    }

    void whoLeavesWithoutAMoveIsNotDeaf() {
        m_moved->follow(FakeShards::id(0), m_waitedFor, {});
        m_clock->advance(15s);
        m_shards->move(m_name, 1);
        m_shards->tellChanged();
        m_clock->advance(15s);
        QCOMPARE(added().size(), size_t{0});
    }

    void whatCannotBeReadSaysNothing() {
        SynchronizerReading refused;
        refused.sight = SynchronizerReading::Sight::Refused;
        m_shards->move(m_name, 1);
        m_moved->follow(FakeShards::id(0), m_waitedFor, refused);
        m_clock->advance(15s);
        QCOMPARE(added().size(), size_t{0});
    }

private:
    static SynchronizerReading readingOf(const Synchronizer& one) {
        SynchronizerReading reading;
        reading.seen = {one};
        reading.inAll = 1;
        return reading;
    }
    void moveAndLeave() {
        m_shards->move(m_name, 1);
        m_moved->follow(FakeShards::id(0), m_waitedFor, {});
    }
    [[nodiscard]] std::vector<Synchronizer> added() const { return m_moved->addedTo({}).seen; }

    std::unique_ptr<ManualClock> m_clock;
    std::unique_ptr<FakeShards> m_shards;
    std::unique_ptr<MovedSynchronizers> m_moved;
    QByteArray m_name;
    SynchronizerReading m_waitedFor;
};

LOCKKEEPER_TEST(TestMovedSynchronizers, Guiless)

}  // namespace tst_movedsynchronizers

#include "tst_movedsynchronizers.moc"
