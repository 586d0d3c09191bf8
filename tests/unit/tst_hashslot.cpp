// SPDX-License-Identifier: Apache-2.0
#include "support/testprogram.h"
#include "topology/hashslot.h"

#include <QTest>

namespace tst_hashslot {

using namespace lockkeeper::topology;

// The slots are those that CLUSTER KEYSLOT of a real server answers.
class TestHashSlot : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void ofAKey_data() {
        QTest::addColumn<QByteArray>("key");
        QTest::addColumn<int>("slot");
        QTest::newRow("plain") << QByteArray("foo") << 12182;
        QTest::newRow("the specification's example") << QByteArray("123456789") << 12739;
        QTest::newRow("empty") << QByteArray() << 0;
        QTest::newRow("tag") << QByteArray("{foo}bar") << 12182;
        QTest::newRow("tag in the middle") << QByteArray("redisson_lock__channel:{foo}") << 12182;
        QTest::newRow("an empty tag is none") << QByteArray("foo{}{bar}") << 8363;
        QTest::newRow("only the first tag counts") << QByteArray("foo{bar}{zap}") << 5061;
        QTest::newRow("a tag may begin with a brace") << QByteArray("foo{{bar}}zap") << 4015;
        QTest::newRow("a brace that is not closed") << QByteArray("{foo") << 13308;
        QTest::newRow("any bytes") << QByteArray("\x00\xff\n", 3) << 8885;
    }
    void ofAKey() {
        QFETCH(QByteArray, key);
        QFETCH(int, slot);
        QCOMPARE(int{hashSlotOf(key)}, slot);
    }
};

LOCKKEEPER_TEST(TestHashSlot, Appless)

}  // namespace tst_hashslot

#include "tst_hashslot.moc"
