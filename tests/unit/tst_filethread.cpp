// SPDX-License-Identifier: Apache-2.0
#include "engine/filethread.h"
#include "support/testprogram.h"

#include <QSemaphore>
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

    void anAnswerReachesItsReceiver() {
        FileThread files;
        int answer = 0;
        onAnswer(files.run<int>([] { return 7; }), this, [&answer](int given) { answer = given; });
        QTRY_COMPARE(answer, 7);
    }

    // A dialog is closed while its file is read.
    void anAnswerForAReceiverThatIsGoneIsDropped() {
        FileThread files;
        QSemaphore mayEnd;
        auto receiver = std::make_unique<QObject>();
        bool isAnswered = false;
        const QFuture<int> future = files.run<int>([&mayEnd] {
            mayEnd.acquire();
            return 7;
        });
        onAnswer(future, receiver.get(), [&isAnswered](int) { isAnswered = true; });
        receiver.reset();
        mayEnd.release();
        QTRY_VERIFY(future.isFinished());
        QCoreApplication::processEvents();
        QVERIFY(!isAnswered);
    }

    void withoutWorkThereIsNothingToWaitFor() { const FileThread files; }
};

LOCKKEEPER_TEST(TestFileThread, Guiless)

}  // namespace tst_filethread

#include "tst_filethread.moc"
