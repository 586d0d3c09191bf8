// SPDX-License-Identifier: Apache-2.0
#include "metrics/lockgroups.h"
#include "support/testprogram.h"

#include <QTest>

namespace tst_lockgroups {

using namespace lockkeeper;
using metrics::LockGroups;

class TestLockGroups : public QObject {
    Q_OBJECT

private:
    static QByteArray labelFor(LockGroups& groups, const QByteArray& name) {
        return groups.labelOf(groups.placeOf(LockName(name)).group);
    }

private Q_SLOTS:
    void groupsByTheBeginning_data() {
        QTest::addColumn<QByteArray>("name");
        QTest::addColumn<QByteArray>("label");
        QTest::addRow("one separator") << QByteArray("order:4711") << QByteArray("order");
        QTest::addRow("several") << QByteArray("order:item:4711") << QByteArray("order");
        QTest::addRow("none") << QByteArray("order") << QByteArray("other");
        QTest::addRow("nothing before it") << QByteArray(":4711") << QByteArray("other");
        QTest::addRow("too long") << QByteArray(LockGroups::longestPrefix + 1, 'a') + ":1" << QByteArray("other");
        QTest::addRow("just short enough")
            << QByteArray(LockGroups::longestPrefix, 'a') + ":1" << QByteArray(LockGroups::longestPrefix, 'a');
        QTest::addRow("no UTF-8") << QByteArray("a\xff:1") << QByteArray("a\\xff");
        QTest::addRow("the name of the rest") << QByteArray("other:1") << QByteArray("other");
    }
    void groupsByTheBeginning() {
        QFETCH(QByteArray, name);
        LockGroups groups(":", 50);
        QTEST(labelFor(groups, name), "label");
    }

    void withoutASeparatorThereIsOne() {
        LockGroups groups(QByteArray(), 50);
        QCOMPARE(groups.placeOf(LockName("order:4711")).group, LockGroups::rest);
        QCOMPARE(groups.labelOf(LockGroups::rest), QByteArray());
        QCOMPARE(groups.count(), 1);
    }

    void hasAtMostSoMany() {
        LockGroups groups(":", 2);
        for (const char* name : {"a:1", "b:1"})
            groups.enter(groups.placeOf(LockName(name)).group);
        const LockGroups::Place third = groups.placeOf(LockName("c:1"));
        QCOMPARE(third.group, LockGroups::rest);
        QVERIFY(third.isLeftOut);
        QCOMPARE(groups.count(), 3);
        for (int i = 0; i < 10'000; ++i)
            (void)groups.placeOf(LockName(QByteArray::number(i) + ":x"));
        QCOMPARE(groups.count(), 3);
    }

    void anEndedGroupMakesRoom() {
        LockGroups groups(":", 1);
        const int first = groups.placeOf(LockName("a:1")).group;
        groups.enter(first);
        QVERIFY(groups.placeOf(LockName("b:1")).isLeftOut);
        groups.leave(first);
        const LockGroups::Place second = groups.placeOf(LockName("b:1"));
        QVERIFY(second.isNew);
        QCOMPARE(groups.labelOf(second.group), QByteArray("b"));
        QCOMPARE(groups.groupOf(LockName("a:1")), LockGroups::rest);
    }
};

LOCKKEEPER_TEST(TestLockGroups, Appless)

}  // namespace tst_lockgroups

#include "tst_lockgroups.moc"
