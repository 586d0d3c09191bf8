// SPDX-License-Identifier: Apache-2.0
#include "session/batchrelay.h"
#include "support/locksnapshots.h"
#include "support/testprogram.h"

#include <QTest>

namespace tst_batchrelay {

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
    batch.changed = {std::make_shared<const LockRow>(row)};
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
        take(relay);
        relay.pass(second);
        QCOMPARE(m_sent, (std::vector{first, second}));  // the same objects
    }

    void aBusyReceiverFindsOneMergedBatch() {
        BatchRelay relay = make();
        relay.pass(acquired("a"));
        relay.pass(acquired("b"));
        relay.pass(acquired("c"));
        QCOMPARE(m_sent.size(), size_t{1});
        take(relay);
        QCOMPARE(m_sent.size(), size_t{2});
        QCOMPARE(m_sent.back()->changed.size(), size_t{2});
        QCOMPARE(m_sent.back()->events.front().lock.name, LockName("b"));
        QCOMPARE(m_sent.back()->events.back().lock.name, LockName("c"));
        take(relay);
        QCOMPARE(m_sent.size(), size_t{2});
    }

    void theSenderIsWokenOnlyWhereSomethingWaits() {
        BatchRelay relay = make();
        relay.pass(acquired("a"));
        QVERIFY(!m_receipt->take());
        relay.pass(acquired("b"));
        relay.pass(acquired("c"));
        QVERIFY(m_receipt->take());
    }

    void aLateWordOfTheReceiverSendsNothingBeforeTheNextIsTaken() {
        BatchRelay relay = make();
        relay.pass(acquired("a"));
        relay.pass(acquired("b"));
        QVERIFY(m_receipt->take());  // the sender does not know it yet
        relay.pass(acquired("c"));
        QCOMPARE(m_sent.size(), size_t{2});
        QCOMPARE(m_sent.back()->changed.size(), size_t{2});
        relay.pass(acquired("d"));
        relay.sendWaiting();
        QCOMPARE(m_sent.size(), size_t{2});
        take(relay);
        QCOMPARE(m_sent.size(), size_t{3});
    }

    void theFiguresCountWhatABusyReceiverMissed() {
        BatchRelay relay = make();
        relay.pass(acquired("a"));
        MonitorBatch many;
        many.events.resize(mostWaitingEvents);
        relay.pass(shared(many));
        relay.pass(acquired("b"));  // one event too many
        take(relay);
        QCOMPARE(m_sent.back()->events.size(), mostWaitingEvents);
        take(relay);
        relay.pass(figures(5));
        QCOMPARE(m_sent.back()->stats->eventsDropped, quint64{6});
        take(relay);
        relay.pass(figures(7));
        QCOMPARE(m_sent.back()->stats->eventsDropped, quint64{8});
    }

private:
    BatchRelay make() {
        return BatchRelay([this](const SharedBatch& batch, const BatchRelay::Receipt& receipt) {
            m_sent.push_back(batch);
            m_receipt = receipt;
        });
    }
    // Takes the batch as the receiver does; the sender is woken only if a batch waits.
    void take(BatchRelay& relay) {
        if (m_receipt->take())
            relay.sendWaiting();
    }

    std::vector<SharedBatch> m_sent;
    BatchRelay::Receipt m_receipt;
};

LOCKKEEPER_TEST(TestBatchRelay, Appless)

}  // namespace tst_batchrelay

#include "tst_batchrelay.moc"
