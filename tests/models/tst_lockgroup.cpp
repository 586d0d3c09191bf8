// SPDX-License-Identifier: Apache-2.0
#include "support/guitestprogram.h"
#include "support/samplelocks.h"
#include "ui/locks/groups/lockgroup.h"

#include <QTest>

namespace tst_lockgroup {

using namespace lockkeeper;
using namespace lockkeeper::test;
using namespace lockkeeper::ui;
using namespace std::chrono_literals;

// Which group a lock is in, and what its group counts.
class TestLockGroup : public QObject {
    Q_OBJECT

private:
    monitor::LockRow named(const QByteArray& name) const { return freeRow(m_clock, LockName(name)); }

    ManualClock m_clock;

private Q_SLOTS:
    void thePrefixOfAName_data() {
        QTest::addColumn<QByteArray>("name");
        QTest::addColumn<QString>("prefix");
        QTest::newRow("colon") << QByteArray("a:b:c") << QStringLiteral("a:");
        QTest::newRow("hash tag") << QByteArray("{cart}:7") << QStringLiteral("{cart}:");
        QTest::newRow("within a hash tag") << QByteArray("{order:7}:lock") << QStringLiteral("{order:");
        QTest::newRow("hash tag behind") << QByteArray("lock{7}") << QStringLiteral("lock{");
        QTest::newRow("one character") << QByteArray(":") << QString();
        QTest::newRow("no character") << QByteArray() << QString();
        QTest::newRow("dot") << QByteArray("com.example.Lock") << QStringLiteral("com.");
        QTest::newRow("not ASCII") << QByteArray("größe:1") << QStringLiteral("größe:");
        QTest::newRow("none") << QByteArray("lock") << QString();
        QTest::newRow("too far behind") << QByteArray(100, 'x') + ":1" << QString();
    }
    void thePrefixOfAName() {
        QFETCH(const QByteArray, name);
        QTEST(prefixOf(LockName(name)), "prefix");
    }

    // The filter does not distinguish case, so the groups do not either.
    void namesWithTheSamePrefixAreOneGroup_data() {
        QTest::addColumn<QByteArray>("one");
        QTest::addColumn<QByteArray>("other");
        QTest::addColumn<bool>("isOneGroup");
        QTest::newRow("in any case") << QByteArray("Orders:1") << QByteArray("ORDERS:2") << true;
        QTest::newRow("of letters beyond ASCII") << QByteArray("GRÖßE:1") << QByteArray("größe:2") << true;
        QTest::newRow("without any") << QByteArray("one") << QByteArray("other") << true;
        QTest::newRow("one sign, with and without more") << QByteArray("{Cart}:1") << QByteArray("{cart}:2") << true;
        QTest::newRow("another sign ends it") << QByteArray("a:1") << QByteArray("a/1") << false;
        QTest::newRow("one with, one without") << QByteArray("a:1") << QByteArray("a") << false;
        QTest::newRow("of one map of Redisson's") << QByteArray("{items}:q3vBLTbkTqW6wJwDpq4Lhw:lock")
                                                  << QByteArray("{items}:AAvBLTbkTqW6wJwDpq4Lhw:fairlock") << true;
        QTest::newRow("of a map, and the program's own")
            << QByteArray("{items}:q3vBLTbkTqW6wJwDpq4Lhw:lock") << QByteArray("{items}:1") << false;
        QTest::newRow("of two queues") << QByteArray("redisson_sortedset_lock:{a}")
                                       << QByteArray("redisson_sortedset_lock:{b}") << false;
        QTest::newRow("an escaped byte") << QByteArray("a\x01:1") << QByteArray("a:1") << false;
    }
    void namesWithTheSamePrefixAreOneGroup() {
        QFETCH(const QByteArray, one);
        QFETCH(const QByteArray, other);
        const bool isOneGroup = groupKeyOf(named(one), GroupBy::Prefix) == groupKeyOf(named(other), GroupBy::Prefix);
        QTEST(isOneGroup, "isOneGroup");
        // hasGroupKey() may overlook that two locks are of one group, but must never claim it wrongly.
        QVERIFY(isOneGroup || !hasGroupKey(named(one), groupKeyOf(named(other), GroupBy::Prefix)));
    }

    void theGroupIsRecognised() {
        QVERIFY(hasGroupKey(named("orders:1"), groupKeyOf(named("Orders:2"), GroupBy::Prefix)));
        const monitor::LockRow held = heldRow(m_clock, LockName("a:1"), 30s);
        QVERIFY(hasGroupKey(held, groupKeyOf(held, GroupBy::Client)));
        QVERIFY(!hasGroupKey(named("a:1"), groupKeyOf(held, GroupBy::Client)));
    }

    void theClientOfALock_data() {
        QTest::addColumn<QList<QByteArray>>("clients");
        QTest::addColumn<int>("kind");
        QTest::newRow("nobody") << QList<QByteArray>() << static_cast<int>(GroupKey::Kind::Free);
        QTest::newRow("one") << QList<QByteArray>{clientA} << static_cast<int>(GroupKey::Kind::Client);
        QTest::newRow("two threads of one")
            << QList<QByteArray>{clientA, clientA} << static_cast<int>(GroupKey::Kind::Client);
        QTest::newRow("two") << QList<QByteArray>{clientA, clientB} << static_cast<int>(GroupKey::Kind::SeveralClients);
    }
    void theClientOfALock() {
        QFETCH(const QList<QByteArray>, clients);
        monitor::LockRow row = named("rw");
        for (const QByteArray& client : clients)
            row.lock.holders.append(holder(client, row.lock.holders.size() + 1));
        QTEST(static_cast<int>(groupKeyOf(row, GroupBy::Client).kind), "kind");
    }

    void countsWhatMatters() {
        monitor::LockRow contended = heldRow(m_clock, lockName("a:1"), 10s);
        contended.lock.waiters = 3;
        LockGroup group;
        group.add(contended);
        group.add(diagnosedRow(m_clock, lockName("a:2"), {watchdogStopped(m_clock)}));
        group.add(diagnosedRow(m_clock, lockName("a:3"), {fixedLease(m_clock)}));
        group.add(named("a:4"));
        QCOMPARE(group.locks, 4);
        QCOMPARE(group.held, 3);
        QCOMPARE(group.contended, 1);
        QCOMPARE(group.faulty, 1);
        QCOMPARE(group.waiters, qint64{3});
        QCOMPARE(groupCounts(group), QStringLiteral("3 held, 1 contended"));
    }

    void aPrefixThatCannotBeTypedHasNoFilter() {
        LockGroup group;
        group.prefix = QStringLiteral("a \"b\":");
        QCOMPARE(filterOf(group), QString());
        group.prefix = QStringLiteral("two words:");
        QCOMPARE(filterOf(group), QStringLiteral("prefix:\"two words:\""));
    }
};

LOCKKEEPER_TEST(TestLockGroup, Gui)

}  // namespace tst_lockgroup

#include "tst_lockgroup.moc"
