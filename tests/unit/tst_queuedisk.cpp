// SPDX-License-Identifier: Apache-2.0
#include "serve/messagequeue.h"
#include "support/filesizelimit.h"
#include "support/testprogram.h"

#include <QTemporaryDir>
#include <QTest>

namespace tst_queuedisk {

using namespace lockkeeper;
using namespace lockkeeper::serve;
using namespace lockkeeper::test;

// A disk that takes nothing more.
class TestQueueDisk : public QObject {
    Q_OBJECT

private:
    static Message message(const char* id) {
        Message message;
        message.id = id;
        message.summary = QString(200, u'x');
        return message;
    }

private Q_SLOTS:
    void aFullDiskLosesNothing() {
        const QTemporaryDir folder;
        const QString path = folder.filePath(QStringLiteral("queue"));
        MessageQueue queue(path);
        QVERIFY(queue.open().ok());
        QVERIFY(queue.add(message("before")).ok());
        {
            const FileSizeLimit full(10);
            const Result<Done> added = queue.add(message("full"));
            QVERIFY(!added.ok());
            QCOMPARE(added.error().code, ErrorCode::Storage);
            QVERIFY(!added.error().text.isEmpty());
        }
        QVERIFY(queue.add(message("after")).ok());
        QCOMPARE(queue.count(), size_t(3));  // in memory all of them, in their order
        QCOMPARE(queue.waiting().at(1).message.id, QByteArray("full"));
        QVERIFY(!queue.waiting().at(1).isOnDisk);
        // The disk has no part of the one that did not fit.
        MessageQueue later(path);
        QVERIFY(later.open().ok());
        QCOMPARE(later.count(), size_t(2));
        QVERIFY(later.damaged().isEmpty());
    }
};

LOCKKEEPER_TEST(TestQueueDisk, Guiless)

}  // namespace tst_queuedisk

#include "tst_queuedisk.moc"
