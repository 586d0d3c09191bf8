// SPDX-License-Identifier: Apache-2.0
#include "engine/filethread.h"
#include "support/testprogram.h"

#include <QTest>

namespace tst_filethread {

using namespace lockkeeper;

// Slow work with files, one after the other, away from the caller's thread.
class TestFileThread : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void workIsDoneInTheOrderOfTheCallsOnOneOtherThread() {
        QList<int> done;
        FileThread files;
        QFuture<QThread*> last;
        for (int i = 0; i < 20; ++i) {
            last = files.run<QThread*>([&done, i] {
                done << i;
                return QThread::currentThread();
            });
        }
        QTRY_VERIFY(last.isFinished());
        QVERIFY(last.result() != QThread::currentThread());
        QCOMPARE(done.size(), 20);
        QVERIFY(std::ranges::is_sorted(done));
    }

    void itsEndWaitsForAllWork() {
        int done = 0;
        {
            FileThread files;
            for (int i = 0; i < 20; ++i)
                (void)files.run<int>([&done] { return ++done; });
        }
        QCOMPARE(done, 20);
    }

    void workMayReportItsProgress() {
        FileThread files;
        const QFuture<int> future = files.run<int>([](QPromise<int>& promise) {
            promise.setProgressRange(0, 100);
            promise.setProgressValue(40);
            return 7;
        });
        QTRY_VERIFY(future.isFinished());
        QCOMPARE(future.progressValue(), 40);
        QCOMPARE(future.result(), 7);
    }

    void withoutWorkThereIsNothingToWaitFor() { const FileThread files; }
};

LOCKKEEPER_TEST(TestFileThread, Guiless)

}  // namespace tst_filethread

#include "tst_filethread.moc"
