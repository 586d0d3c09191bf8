// SPDX-License-Identifier: Apache-2.0
#include "async/completion.h"
#include "async/whendone.h"
#include "support/manualclock.h"
#include "support/testprogram.h"

#include <QTest>

namespace tst_whendone {

using namespace lockkeeper;

namespace {

Task<Result<int>> answerOf(Completion<int> completion, Clock* clock) {
    co_return co_await completion.wait(Deadline::never(*clock));
}

}  // namespace

class TestWhenDone : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void deliversTheResultOnce() {
        test::ManualClock clock;
        const Completion<int> completion;
        QList<int> heard;
        QObject context;
        whenDone(answerOf(completion, &clock), &context,
                 [&heard](const Result<int>& result) { heard += result.value(); });
        QVERIFY(heard.isEmpty());
        completion.complete(7);
        QCOMPARE(heard, QList<int>{7});
    }

    void deliversAtOnceWhatIsThereAlready() {
        test::ManualClock clock;
        int heard = 0;
        QObject context;
        whenDone(answerOf(Completion<int>::completed(3), &clock), &context,
                 [&heard](const Result<int>& result) { heard = result.value(); });
        QCOMPARE(heard, 3);
    }

    void saysNothingToAContextThatIsGone() {
        test::ManualClock clock;
        const Completion<int> completion;
        bool heard = false;
        auto context = std::make_unique<QObject>();
        whenDone(answerOf(completion, &clock), context.get(), [&heard](const Result<int>&) { heard = true; });
        context.reset();
        completion.complete(7);
        QVERIFY(!heard);
    }
};

LOCKKEEPER_TEST(TestWhenDone, Appless)

}  // namespace tst_whendone

#include "tst_whendone.moc"
