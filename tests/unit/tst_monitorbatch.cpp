// SPDX-License-Identifier: Apache-2.0
#include "monitor/model/monitorbatch.h"
#include "support/testprogram.h"

#include <QTest>

namespace tst_monitorbatch {

using namespace lockkeeper;
using namespace lockkeeper::monitor;

namespace {

SharedRow row(const char* name, quint32 renewals) {
    LockRow made;
    made.lock.name = LockName(name);
    made.hold.renewals = renewals;
    return std::make_shared<const LockRow>(made);
}

LockEvent eventOf(const char* name) {
    LockEvent made;
    made.lock.name = LockName(name);
    return made;
}

}  // namespace

// Batches that wait for a busy receiver are merged into one.
class TestMonitorBatch : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void theNewestRowOfALockCounts() {
        MonitorBatch batch;
        batch.changed = {row("a", 1), row("b", 1)};
        MonitorBatch next;
        next.changed = {row("b", 2), row("c", 1)};
        QCOMPARE(append(batch, next), 0);
        QCOMPARE(batch.changed.size(), size_t(3));
        QCOMPARE(batch.changed[1]->hold.renewals, 2);
        QCOMPARE(batch.changed[2]->lock.name, LockName("c"));
    }

    void aRowThatWentIsRemovedAndNotChanged() {
        MonitorBatch batch;
        batch.changed = {row("a", 1)};
        MonitorBatch next;
        next.removed = {LockName("a")};
        QCOMPARE(append(batch, next), 0);
        QVERIFY(batch.changed.empty());
        QCOMPARE(batch.removed, std::vector<LockName>{LockName("a")});
    }

    void aRowThatCameBackIsChangedAndNotRemoved() {
        MonitorBatch batch;
        batch.removed = {LockName("a")};
        MonitorBatch next;
        next.changed = {row("a", 1)};
        QCOMPARE(append(batch, next), 0);
        QVERIFY(batch.removed.empty());
        QCOMPARE(batch.changed.size(), size_t(1));
    }

    void eventsKeepTheirOrderAndAreBounded() {
        MonitorBatch batch;
        batch.events.assign(mostWaitingEvents, eventOf("old"));
        MonitorBatch next;
        next.events = {eventOf("new"), eventOf("newest")};
        QCOMPARE(append(batch, next), 2);
        QCOMPARE(batch.events.size(), mostWaitingEvents);
        QCOMPARE(batch.events.back().lock.name, LockName("newest"));
    }

    void theLatestSynchronizersCount() {
        MonitorBatch batch;
        batch.synchronizers = SynchronizerReading();
        QVERIFY(!batch.isEmpty());
        MonitorBatch next;
        QCOMPARE(append(batch, next), 0);
        QVERIFY(batch.synchronizers);
        next.synchronizers = SynchronizerReading();
        next.synchronizers->inAll = 2;
        QCOMPARE(append(batch, next), 0);
        QCOMPARE(batch.synchronizers->inAll, 2);
    }

    void statsThatAreForgottenAreUnknownUntilOthersFollow() {
        MonitorBatch batch;
        batch.stats = MonitorStats();
        MonitorBatch next;
        next.forgetStats = true;
        QVERIFY(!next.isEmpty());
        QCOMPARE(append(batch, next), 0);
        QVERIFY(batch.changesStats());
        QVERIFY(!batch.stats);
        next = {};
        next.stats = MonitorStats();
        QCOMPARE(append(batch, next), 0);
        QVERIFY(batch.stats);
    }

    void aResetForgetsWhatWaited() {
        MonitorBatch batch;
        batch.changed = {row("a", 1)};
        batch.events = {eventOf("a")};
        MonitorBatch next;
        next.reset = true;
        next.changed = {row("b", 1)};
        QCOMPARE(append(batch, next), 0);  // the events belong to the former server, so they do not count as missed
        QVERIFY(batch.reset);
        QCOMPARE(batch.changed.size(), size_t(1));
        QVERIFY(batch.events.empty());
    }

    void theNewestStateOfAClientCounts() {
        const auto client = [](const char* id, qsizetype held) {
            ClientRow made;
            made.id = ClientId(id);
            made.held = held;
            return std::make_shared<const ClientRow>(made);
        };
        MonitorBatch batch;
        batch.clients = {client("a", 1), client("b", 1)};
        batch.removedClients = {ClientId("c")};
        MonitorBatch next;
        next.clients = {client("b", 2), client("c", 1)};
        next.removedClients = {ClientId("a")};
        QVERIFY(!next.isEmpty());
        QCOMPARE(append(batch, next), 0);
        QCOMPARE(batch.clients.size(), size_t(2));
        QCOMPARE(batch.clients[0]->held, 2);
        QCOMPARE(batch.clients[1]->id, ClientId("c"));
        QCOMPARE(batch.removedClients, std::vector<ClientId>{ClientId("a")});
    }

    void aResetOutlivesWhatFollows() {
        MonitorBatch batch;
        batch.reset = true;
        MonitorBatch next;
        next.changed = {row("b", 1)};
        QCOMPARE(append(batch, next), 0);
        QVERIFY(batch.reset);
        QCOMPARE(batch.changed.size(), size_t(1));
    }
};

LOCKKEEPER_TEST(TestMonitorBatch, Appless)

}  // namespace tst_monitorbatch

#include "tst_monitorbatch.moc"
