// SPDX-License-Identifier: Apache-2.0
#include "support/guitestprogram.h"
#include "support/locktabletest.h"
#include "support/samplelocks.h"
#include "ui/locks/overview/overviewcount.h"

#include <QTest>

namespace tst_overviewcount {

using namespace lockkeeper;
using namespace lockkeeper::test;
using namespace lockkeeper::ui;
using namespace std::chrono_literals;

// What the overview says of all locks.
class TestOverviewCount : public LockTableTest {
    Q_OBJECT

private:
    static constexpr size_t all = 1'000'000;

    static QByteArray client(int number) {
        return QByteArray::number(number).rightJustified(8, '0') + "-ceea-467f-a5d1-09c4ed2b1c33";
    }
    static QString clientCount(int number, int locks) {
        return QStringLiteral("%1 %2").arg(QString::fromLatin1(client(number))).arg(locks);
    }
    monitor::LockRow heldBy(const QByteArray& lock, std::initializer_list<int> clients) const {
        monitor::LockRow row = freeRow(m_clock, LockName(lock));
        for (const int one : clients)
            row.lock.holders.append(holder(client(one), 1));
        return row;
    }
    monitor::LockRow awaited(const char* name, qint64 waiters) const {
        monitor::LockRow row = heldRow(m_clock, lockName(name), 12s);
        row.lock.waiters = waiters;
        return row;
    }
    monitor::LockRow busy(const QByteArray& name, quint64 acquisitions) const {
        monitor::LockRow row = freeRow(m_clock, LockName(name));
        monitor::Throughput throughput;
        throughput.window = 2s;
        throughput.acquisitions = acquisitions;
        row.throughput = throughput;
        return row;
    }
    OverviewCount counting(OverviewCount::Lists lists = OverviewCount::Lists::Wanted) const {
        return {*m_model, lists};
    }
    static int stepsUntilDone(OverviewCount& count, size_t items) {
        int steps = 0;
        for (; !count.isDone(); ++steps)
            count.step(items);
        return steps;
    }
    static QStringList clients(const OverviewCount& count) {
        QStringList texts;
        for (const auto& [client, locks] : count.topClients().entries())
            texts << QStringLiteral("%1 %2").arg(QString::fromLatin1(client)).arg(locks);
        return texts;
    }
    static QStringList awaitedLocks(const OverviewCount& count) {
        QStringList texts;
        for (const auto& [lock, waiters] : count.mostAwaited().entries())
            texts << QStringLiteral("%1 %2").arg(lock.display()).arg(waiters);
        return texts;
    }

private Q_SLOTS:
    void init() { makeTable(); }
    void cleanup() { endTable(); }

    void anEmptyTableIsDoneAfterOneStep() {
        OverviewCount count = counting();
        QCOMPARE(stepsUntilDone(count, 1), 1);
        QCOMPARE(count.held(), 0);
        QCOMPARE(clients(count), QStringList());
    }

    void countsWhatIsHeldAndAwaited() {
        m_model->apply(batchOf(
            {awaited("a", 3), awaited("b", 7), heldRow(m_clock, lockName("c"), 12s), freeRow(m_clock, lockName("d"))}));
        OverviewCount count = counting();
        count.step(all);
        QVERIFY(count.isDone());
        QCOMPARE(count.held(), 3);
        QCOMPARE(count.contended(), 2);
        QCOMPARE(count.waiters(), 10);
        QCOMPARE(awaitedLocks(count), (QStringList{"b 7", "a 3"}));
    }

    // ---- clients ----

    // Of 3,000 clients, number 30 holds one lock, 60 holds two, and so on; all others hold one each.
    void theFewOfManyClientsAreFoundWhateverTheSteps_data() {
        QTest::addColumn<size_t>("items");
        QTest::newRow("one by one") << size_t(1);
        QTest::newRow("some") << size_t(7);
        QTest::newRow("all") << all;
    }
    void theFewOfManyClientsAreFoundWhateverTheSteps() {
        QFETCH(const size_t, items);
        std::vector<monitor::LockRow> rows;
        for (int one = 0; one < 3000; ++one) {
            const int locks = one % 30 == 0 ? one / 30 : 1;
            for (int i = 0; i < locks; ++i)
                rows.push_back(heldBy(QByteArray::number(i) + ':' + QByteArray::number(one), {one}));
        }
        // Sorted so that the clients with the most come neither first nor last.
        std::ranges::sort(rows, {}, [](const monitor::LockRow& row) { return qHash(row.lock.name.bytes(), 1); });
        m_model->apply(batchOf(rows));
        OverviewCount count = counting();
        stepsUntilDone(count, items);
        QStringList expected;
        for (int locks = 99; locks > 89; --locks)
            expected << clientCount(locks * 30, locks);
        QCOMPARE(clients(count), expected);
    }

    void ofTheSameNumberTheirIdsDecide() {
        std::vector<monitor::LockRow> rows;
        for (int one = 50; one > 0; --one)
            rows.push_back(heldBy(QByteArray::number(one), {one}));
        m_model->apply(batchOf(rows));
        OverviewCount count = counting();
        count.step(all);
        QCOMPARE(clients(count).first(), clientCount(1, 1));
        QCOMPARE(clients(count).last(), clientCount(10, 1));
        QCOMPARE(clients(count).size(), qsizetype(OverviewCount::mostListed));
    }

    // Also if another client is between the threads.
    void aClientCountsOnceForALockThatItsThreadsShare() {
        m_model->apply(batchOf({heldBy("shared", {1, 2, 1, 1, 2}), heldBy("other", {1})}));
        OverviewCount count = counting();
        count.step(all);
        QCOMPARE(clients(count), (QStringList{clientCount(1, 2), clientCount(2, 1)}));
    }

    void clientsAreCountedOnlyForTheLists() {
        m_model->apply(batchOf({heldBy("a", {1}), awaited("b", 7)}));
        OverviewCount count = counting(OverviewCount::Lists::NotWanted);
        QVERIFY(!count.hasLists());
        QCOMPARE(stepsUntilDone(count, 1), 2);
        QCOMPARE(count.held(), 2);
        QCOMPARE(clients(count), QStringList());
        QCOMPARE(awaitedLocks(count), QStringList());
    }

    // ---- changes while it is counted ----

    void aLockCountsAsItIsAtItsStep() {
        m_model->apply(batchOf({heldBy("a", {1}), heldBy("b", {1}), heldBy("c", {1}), heldBy("d", {1})}));
        OverviewCount count = counting();
        count.step(1);
        monitor::MonitorBatch batch = batchOf({heldBy("a", {2}), heldBy("b", {2}), heldBy("new", {2})});
        batch.removed = {lockName("c")};
        m_model->apply(batch);
        count.step(all);
        QVERIFY(count.isDone());
        QCOMPARE(count.held(), 3);
        QCOMPARE(clients(count), (QStringList{clientCount(1, 2), clientCount(2, 1)}));
    }

    void allMayGo() {
        m_model->apply(batchOf({heldBy("a", {1}), heldBy("b", {1})}));
        OverviewCount count = counting();
        count.step(1);
        m_model->clear();
        stepsUntilDone(count, 1);
        QCOMPARE(count.held(), 1);
    }

    // ---- the bound of a step ----

    // Each lock is three items; a step always finishes its last lock.
    void aStepReadsSoManyLocksAndHolders() {
        std::vector<monitor::LockRow> rows;
        for (int i = 0; i < 60; ++i)
            rows.push_back(heldBy(QByteArray::number(i), {1, 2}));
        m_model->apply(batchOf(rows));
        OverviewCount count = counting();
        count.step(30);
        QCOMPARE(count.held(), 10);
        count.step(29);
        QCOMPARE(count.held(), 20);
        count.step(1);
        QCOMPARE(count.held(), 21);
    }

    // Freeing the clients takes time, too. They are in 16 parts of about 250; a step of 100 ends with one part.
    void theClientsAreFreedInSteps() {
        std::vector<monitor::LockRow> rows;
        for (int i = 0; i < 4000; ++i)
            rows.push_back(heldBy(QByteArray::number(i), {i}));
        m_model->apply(batchOf(rows));
        OverviewCount count = counting();
        count.step(2 * 4000);
        QCOMPARE(count.held(), 4000);
        QCOMPARE(stepsUntilDone(count, 100), 16);
        QCOMPARE(clients(count).first(), clientCount(0, 1));
    }

    // ---- busy locks ----

    void ofMoreBusyLocksTheFirstAreListedAndAllCounted() {
        std::vector<monitor::LockRow> rows;
        for (size_t i = 0; i < OverviewCount::mostBusy + 10; ++i)
            rows.push_back(busy(QByteArray::number(static_cast<qulonglong>(i)), 6));
        m_model->apply(batchOf(rows));
        OverviewCount count = counting();
        count.step(all);
        QCOMPARE(count.busy().size(), OverviewCount::mostBusy);
        QCOMPARE(count.busy().front().lock, LockName("0"));
        QCOMPARE(count.busy().front().acquisitions, 3.0);
        QCOMPARE(count.acquisitions(), 3.0 * static_cast<double>(OverviewCount::mostBusy + 10));
    }
};

LOCKKEEPER_TEST(TestOverviewCount, Gui)

}  // namespace tst_overviewcount

#include "tst_overviewcount.moc"
