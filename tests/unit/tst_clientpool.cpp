// SPDX-License-Identifier: Apache-2.0
#include "monitor/observe/read/clientpool.h"
#include "support/testprogram.h"

#include <QTest>

namespace tst_clientpool {

using namespace lockkeeper;
using namespace lockkeeper::monitor;

namespace {

// Each id has memory of its own.
HolderId holderNumber(int client, int thread) {
    return {ClientId(QByteArray("00000000-0000-4000-8000-") + QByteArray::number(client).rightJustified(12, '0')),
            ThreadId(thread)};
}

LockSnapshot readOf(int client) {
    LockSnapshot read;
    read.holders = {Holder{holderNumber(client, 1)}};
    read.fairQueue = {FairWaiter{holderNumber(client, 2), {}}};
    return read;
}

const char* memoryOf(const HolderId& id) {
    return id.client().bytes().constData();
}

}  // namespace

class TestClientPool : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void readsShareTheClientsThatTheyHaveInCommon() {
        ClientPool pool;
        LockSnapshot first = readOf(1);
        LockSnapshot second = readOf(1);
        LockSnapshot other = readOf(2);
        const LockSnapshot asRead = second;
        second.holders.detach();
        second.fairQueue.detach();
        for (LockSnapshot* read : {&first, &second, &other})
            pool.shareIn(*read);
        QCOMPARE(second.holders, asRead.holders);
        QCOMPARE(second.fairQueue, asRead.fairQueue);
        const char* kept = memoryOf(first.holders.first().id);
        QCOMPARE(memoryOf(first.fairQueue.first().id), kept);
        QCOMPARE(memoryOf(second.holders.first().id), kept);
        QCOMPARE(memoryOf(second.fairQueue.first().id), kept);
        QVERIFY(memoryOf(other.holders.first().id) != kept);
    }

    // Clients that come and go for days take no more memory.
    void isBounded() {
        ClientPool pool;
        LockSnapshot first = readOf(0);
        pool.shareIn(first);
        const auto shares = [&] {
            LockSnapshot again = readOf(0);
            pool.shareIn(again);
            return memoryOf(again.holders.first().id) == memoryOf(first.holders.first().id);
        };
        for (int client = 1; client < ClientPool::mostClients; ++client) {
            LockSnapshot read = readOf(client);
            pool.shareIn(read);
        }
        QVERIFY(shares());
        LockSnapshot more = readOf(ClientPool::mostClients);
        pool.shareIn(more);
        QVERIFY(!shares());
    }
};

LOCKKEEPER_TEST(TestClientPool, Guiless)

}  // namespace tst_clientpool

#include "tst_clientpool.moc"
