// SPDX-License-Identifier: Apache-2.0
#include "monitor/model/internallock.h"
#include "support/testprogram.h"

#include <QTest>

namespace tst_internallock {

using namespace lockkeeper;
using namespace lockkeeper::monitor;

// The locks that Redisson takes for its own objects, by their names.
class TestInternalLock : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void namesTheObject_data() {
        QTest::addColumn<QByteArray>("name");
        QTest::addColumn<QString>("of");
        QTest::addColumn<QByteArray>("object");
        const QByteArray hash = "q3vBLTbkTqW6wJwDpq4Lhw";
        QTest::newRow("a priority queue")
            << QByteArray("redisson_sortedset_lock:{INBOUND}") << "sorted_set" << QByteArray("INBOUND");
        QTest::newRow("a queue with braces")
            << QByteArray("redisson_sortedset_lock:{{tenant}:in}") << "sorted_set" << QByteArray("{{tenant}:in}");
        QTest::newRow("a queue with braces of its own")
            << QByteArray("redisson_sortedset_lock:jobs:{7}") << "sorted_set" << QByteArray("jobs:{7}");
        QTest::newRow("a key of a map") << "{CURRENTLY_PROCESSED_ITEMS}:" + hash + ":lock"
                                        << "entry" << QByteArray("CURRENTLY_PROCESSED_ITEMS");
        QTest::newRow("by a fair lock") << "{items}:" + hash + ":fairlock"
                                        << "entry" << QByteArray("items");
        QTest::newRow("by a read/write lock") << "{items}:" + hash + ":rw_lock"
                                              << "entry" << QByteArray("items");
        QTest::newRow("a map with a colon") << "{app:items}:" + hash + ":lock"
                                            << "entry" << QByteArray("app:items");
        QTest::newRow("a map with braces of its own") << "items:{7}:" + hash + ":lock"
                                                      << "entry" << QByteArray("items:{7}");
        QTest::newRow("signs of Base64") << QByteArray("{m}:ab+/LTbkTqW6wJwDpq4Lhw:lock") << "entry" << QByteArray("m");
    }
    void namesTheObject() {
        QFETCH(const QByteArray, name);
        const std::optional<InternalLock> internal = InternalLock::parse(LockName(name));
        QVERIFY(internal);
        QTEST(wordFor(internal->of), "of");
        QTEST(internal->object.bytes(), "object");
    }

    void otherLocksAreThoseOfTheProgram_data() {
        QTest::addColumn<QByteArray>("name");
        QTest::newRow("a plain name") << QByteArray("orders:42");
        QTest::newRow("nothing") << QByteArray();
        QTest::newRow("the prefix alone") << QByteArray("redisson_sortedset_lock:");
        QTest::newRow("a name that ends so") << QByteArray("{items}:42:lock");
        QTest::newRow("a hash that is too short") << QByteArray("{items}:q3vBLTbkTqW6wJwDpq4Lh:lock");
        QTest::newRow("a hash with another sign") << QByteArray("{items}:q3vBLTbkTqW6wJwDpq4L-w:lock");
        QTest::newRow("no braces") << QByteArray("items:q3vBLTbkTqW6wJwDpq4Lhw:lock");
        QTest::newRow("another object of the key") << QByteArray("{items}:q3vBLTbkTqW6wJwDpq4Lhw:semaphore");
        QTest::newRow("a UUID") << QByteArray("{items}:6f1d5ab8-0e8c-4d31-9d2b-0a1b2c3d4e5f:lock");
    }
    void otherLocksAreThoseOfTheProgram() {
        QFETCH(const QByteArray, name);
        QVERIFY(!InternalLock::parse(LockName(name)));
    }
};

LOCKKEEPER_TEST(TestInternalLock, Guiless)

}  // namespace tst_internallock

#include "tst_internallock.moc"
