// SPDX-License-Identifier: Apache-2.0
#include "monitor/model/rare.h"
#include "support/testprogram.h"

#include <QByteArray>
#include <QTest>

namespace tst_rare {

using namespace lockkeeper;
using namespace lockkeeper::monitor;

namespace {

struct Counted {
    int number = 7;
};

}  // namespace

class TestRare : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void withoutAValueItReadsAsADefaultOne() {
        const Rare<Counted> none;
        QVERIFY(!none);
        QCOMPARE(none->number, 7);
        QCOMPARE((*none).number, 7);
    }

    void theFirstEditBeginsWithADefaultOne() {
        Rare<Counted> edited;
        ++edited.edit().number;
        QVERIFY(edited);
        QCOMPARE(edited->number, 8);
        ++edited.edit().number;
        QCOMPARE(edited->number, 9);
    }

    void anEditChangesNoCopy() {
        Rare<Counted> edited = Counted{1};
        const Rare<Counted> copy = edited;
        edited.edit().number = 2;
        QCOMPARE(copy->number, 1);
        QCOMPARE(edited->number, 2);
        edited.reset();
        QVERIFY(!edited);
        QCOMPARE(copy->number, 1);
    }

    void comparesWhatItReadsAs() {
        const Rare<QByteArray> none;
        const Rare<QByteArray> one = QByteArray("one");
        QVERIFY(one == Rare(QByteArray("one")));
        QVERIFY(one != Rare(QByteArray("other")));
        QVERIFY(one != none);
        QVERIFY(none == Rare(QByteArray()));
        QVERIFY(none == Rare<QByteArray>());
    }

    void takesOnePointer() { QCOMPARE(sizeof(Rare<Counted>), sizeof(void*)); }
};

LOCKKEEPER_TEST(TestRare, Appless)

}  // namespace tst_rare

#include "tst_rare.moc"
