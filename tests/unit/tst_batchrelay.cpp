// SPDX-License-Identifier: Apache-2.0
#include "session/batchrelay.h"
#include "support/locksnapshots.h"
#include "support/testprogram.h"

#include <QTest>

using namespace lockkeeper;
using namespace lockkeeper::monitor;
using namespace lockkeeper::test;
using namespace std::chrono_literals;

namespace {

SharedBatch shared(MonitorBatch batch) {
    return std::make_shared<const MonitorBatch>(std::move(batch));
}

SharedBatch acquired(const char* name) {
    MonitorBatch batch;
    LockRow row;
    row.lock = held(0s, alice);
    row.lock.name = LockName(name);
    batch.changed = {row};
    batch.events.resize(1);
    batch.events.front().type = EventType::Acquired;
    batch.events.front().lock = row.lock;
    return shared(batch);
}

SharedBatch figures(quint64 eventsDropped) {
    MonitorBatch batch;
    batch.stats.emplace();
    batch.stats->eventsDropped = eventsDropped;
    return shared(batch);
}

}  // namespace

class TestBatchRelay : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() { m_sent.clear(); }

    void aBatchIsPassedOnAsItIs() {
        BatchRelay relay = make();
        const SharedBatch first = acquired("a");
        const SharedBatch second = acquired("b");
        relay.pass(first);
        relay.taken();
        relay.pass(second);
        QCOMPARE(m_sent, (std::vector{first, second}));  // the same objects
    }

    void aBusyReceiverFindsOneMergedBatch() {
        BatchRelay relay = make();
        relay.pass(acquired("a"));
        relay.pass(acquired("b"));
        relay.pass(acquired("c"));
        QCOMPARE(m_sent.size(), size_t{1});
        relay.taken();
        QCOMPARE(m_sent.size(), size_t{2});
        QCOMPARE(m_sent.back()->changed.size(), size_t{2});
        QCOMPARE(m_sent.back()->events.front().lock.name, LockName("b"));
        QCOMPARE(m_sent.back()->events.back().lock.name, LockName("c"));
        relay.taken();
        QCOMPARE(m_sent.size(), size_t{2});
    }

    void theFiguresCountWhatABusyReceiverMissed() {
        BatchRelay relay = make();
        relay.pass(acquired("a"));
        MonitorBatch many;
        many.events.resize(mostWaitingEvents);
        relay.pass(shared(many));
        relay.pass(acquired("b"));  // one event too many
        relay.taken();
        QCOMPARE(m_sent.back()->events.size(), mostWaitingEvents);
        relay.taken();
        relay.pass(figures(5));
        QCOMPARE(m_sent.back()->stats->eventsDropped, quint64{6});
        relay.taken();
        relay.pass(figures(7));
        QCOMPARE(m_sent.back()->stats->eventsDropped, quint64{8});
    }

private:
    BatchRelay make() {
        return BatchRelay([this](const SharedBatch& batch) { m_sent.push_back(batch); });
    }

    std::vector<SharedBatch> m_sent;
};

LOCKKEEPER_TEST(TestBatchRelay, Appless)
#include "tst_batchrelay.moc"
