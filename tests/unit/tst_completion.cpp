// SPDX-License-Identifier: Apache-2.0
#include "async/completion.h"
#include "async/task.h"
#include "support/manualclock.h"
#include "support/testprogram.h"

#include <QTest>

namespace tst_completion {

using namespace lockkeeper;
using namespace std::chrono_literals;

namespace {

using Answers = std::shared_ptr<QList<Result<int>>>;

Task<void> await(Completion<int> completion, Deadline deadline, std::stop_token stop, Answers answers) {
    const Result<int> answer = co_await completion.wait(deadline, stop);
    answers->append(answer);
}

// Awaits one completion, completes another with the result, and ends.
Task<void> passOn(Completion<int> from, Completion<int> to, Deadline deadline) {
    const Result<int> answer = co_await from.wait(deadline);
    to.complete(answer);
}

Task<void> awaitTwice(Completion<int> first, Completion<int> second, Deadline deadline, std::stop_token stop,
                      Answers answers) {
    const Result<int> one = co_await first.wait(deadline, stop);
    answers->append(one);
    const Result<int> two = co_await second.wait(deadline, stop);
    answers->append(two);
}

Task<void> awaitAndStop(Completion<int> completion, Deadline deadline, std::stop_source stop, Answers answers) {
    const Result<int> answer = co_await completion.wait(deadline, stop.get_token());
    stop.request_stop();
    answers->append(answer);
}

// A coroutine that a test destroys while it waits, as if its owner ended.
struct Destroyable {
    struct promise_type {
        Destroyable get_return_object() { return {std::coroutine_handle<promise_type>::from_promise(*this)}; }
        std::suspend_never initial_suspend() noexcept { return {}; }
        std::suspend_always final_suspend() noexcept { return {}; }
        void return_void() {}
        void unhandled_exception() { std::terminate(); }
    };
    std::coroutine_handle<promise_type> handle;
};

Destroyable awaitUntilDestroyed(Completion<int> completion, Deadline deadline, std::stop_token stop, Answers answers) {
    const Result<int> answer = co_await completion.wait(deadline, stop);
    answers->append(answer);
}

}  // namespace

class TestCompletion : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() {
        m_clock = std::make_unique<test::ManualClock>();
        m_answers = std::make_shared<QList<Result<int>>>();
        m_late.clear();
    }

    void anAnswerThatIsThereIsTakenWithoutWaiting() {
        await(Completion<int>::completed(7), in(1s), {}, m_answers);
        QCOMPARE(*m_answers, QList<Result<int>>{7});
        QVERIFY(!m_clock->hasTimers());
    }

    void theWaiterIsResumedFromWithinComplete() {
        const Completion<int> completion;
        await(completion, in(1s), {}, m_answers);
        QVERIFY(m_answers->isEmpty());
        QVERIFY(!completion.isCompleted());
        completion.complete(7);
        QCOMPARE(*m_answers, QList<Result<int>>{7});
        QVERIFY(completion.isCompleted());
        QVERIFY2(!m_clock->hasTimers(), "the deadline's timer outlives the wait");
    }

    void anErrorIsAnAnswer() {
        const Completion<int> completion;
        await(completion, in(1s), {}, m_answers);
        completion.complete(Error(ErrorCode::NotHeld, QStringLiteral("no")));
        QCOMPARE(m_answers->first().error(), Error(ErrorCode::NotHeld, QStringLiteral("no")));
    }

    void theFirstAnswerWins() {
        const Completion<int> completion;
        completion.complete(1);
        completion.complete(2);
        await(completion, in(1s), {}, m_answers);
        completion.complete(3);
        QCOMPARE(*m_answers, QList<Result<int>>{1});
    }

    void theDeadlineEndsTheWait() {
        const Completion<int> completion;
        watchLate(completion);
        await(completion, in(1s), {}, m_answers);
        m_clock->advance(999ms);
        QVERIFY(m_answers->isEmpty());
        m_clock->advance(1ms);
        QCOMPARE(m_answers->size(), 1);
        QCOMPARE(m_answers->first().error().code, ErrorCode::Timeout);
        QVERIFY(!completion.isCompleted());
    }

    void neverHasNoTimer() {
        const Completion<int> completion;
        await(completion, Deadline::never(*m_clock), {}, m_answers);
        QVERIFY(!m_clock->hasTimers());
        completion.complete(1);
        QCOMPARE(m_answers->size(), 1);
    }

    void theTokenEndsTheWait() {
        const Completion<int> completion;
        std::stop_source stop;
        await(completion, in(1s), stop.get_token(), m_answers);
        stop.request_stop();
        QCOMPARE(m_answers->size(), 1);
        QCOMPARE(m_answers->first().error().code, ErrorCode::Cancelled);
        QVERIFY(!m_clock->hasTimers());
    }

    void aPassedDeadlineDoesNotWait_data() {
        QTest::addColumn<int>("milliseconds");
        QTest::newRow("now") << 0;
        QTest::newRow("long ago") << -5000;
    }
    void aPassedDeadlineDoesNotWait() {
        QFETCH(int, milliseconds);
        const Completion<int> completion;
        watchLate(completion);
        await(completion, in(Milliseconds(milliseconds)), {}, m_answers);
        QCOMPARE(m_answers->first().error().code, ErrorCode::Timeout);
        completion.complete(4);
        QCOMPARE(m_late, QList<int>{4});
    }

    void anAskedTokenDoesNotWait() {
        std::stop_source stop;
        stop.request_stop();
        const Completion<int> completion;
        watchLate(completion);
        await(completion, in(1s), stop.get_token(), m_answers);
        QCOMPARE(m_answers->first().error().code, ErrorCode::Cancelled);
        completion.complete(4);
        QCOMPARE(m_late, QList<int>{4});
    }

    // An answer that has arrived must reach its waiter even if the waiter is cancelled at the same moment: a lock may
    // have been taken on the server.
    void anAnswerThatIsThereCountsBeforeTokenAndDeadline() {
        std::stop_source stop;
        stop.request_stop();
        await(Completion<int>::completed(7), in(-1s), stop.get_token(), m_answers);
        QCOMPARE(*m_answers, QList<Result<int>>{7});
    }

    void aLateAnswerGoesToWhoeverCaresForIt_data() {
        QTest::addColumn<bool>("byDeadline");
        QTest::newRow("after the deadline") << true;
        QTest::newRow("after the token") << false;
    }
    void aLateAnswerGoesToWhoeverCaresForIt() {
        QFETCH(bool, byDeadline);
        const Completion<int> completion;
        watchLate(completion);
        std::stop_source stop;
        await(completion, in(1s), stop.get_token(), m_answers);
        if (byDeadline)
            m_clock->advance(1s);
        else
            stop.request_stop();
        QCOMPARE(m_late, QList<int>());
        completion.complete(9);
        completion.complete(10);
        QCOMPARE(m_late, QList<int>{9});
        QCOMPARE(m_answers->size(), 1);
    }

    void anAnswerInTimeIsNotLate() {
        const Completion<int> completion;
        watchLate(completion);
        await(completion, in(1s), {}, m_answers);
        completion.complete(9);
        QCOMPARE(m_late, QList<int>());
    }

    void theLateHandlerIsDroppedWithTheAnswer() {
        const Completion<int> completion;
        const auto held = std::make_shared<int>(0);
        completion.whenAbandoned([held](const Result<int>&) {});
        await(completion, in(1s), {}, m_answers);
        completion.complete(9);
        QCOMPARE(held.use_count(), 1);
    }

    void thenIsCalledWithTheAnswer() {
        const Completion<int> completion;
        QList<int> got;
        completion.then([&got](const Result<int>& answer) { got += answer.value(); });
        QVERIFY(got.isEmpty());
        completion.complete(3);
        completion.complete(4);
        QCOMPARE(got, QList<int>{3});
        Completion<int>::completed(5).then([&got](const Result<int>& answer) { got += answer.value(); });
        QCOMPARE(got, (QList<int>{3, 5}));
    }

    void copiesShareTheAnswer() {
        const Completion<int> completion;
        const Completion<int> copy = completion;  // NOLINT(performance-unnecessary-copy-initialization): what is tested
        await(copy, in(1s), {}, m_answers);
        completion.complete(8);
        QCOMPARE(*m_answers, QList<Result<int>>{8});
    }

    void theProducerMayBeGoneBeforeTheWaiterIsResumed() {
        auto completion = std::make_unique<Completion<int>>();
        await(*completion, in(1s), {}, m_answers);
        const Completion<int> producer = *completion;
        completion.reset();
        producer.complete(2);
        QCOMPARE(*m_answers, QList<Result<int>>{2});
    }

    void waitersMayCompleteOthers() {
        const Completion<int> first;
        const Completion<int> second;
        passOn(first, second, in(1s));
        await(second, in(1s), {}, m_answers);
        first.complete(6);
        QCOMPARE(*m_answers, QList<Result<int>>{6});
    }

    void aStopEndsOneWaitAndEveryFollowingOne() {
        std::stop_source stop;
        awaitTwice(Completion<int>(), Completion<int>(), in(1s), stop.get_token(), m_answers);
        stop.request_stop();
        QCOMPARE(m_answers->size(), 2);
        QCOMPARE(m_answers->at(1).error().code, ErrorCode::Cancelled);
    }

    void theResumedOneMayAskItsOwnTokenToStop() {
        const Completion<int> completion;
        const std::stop_source stop;
        awaitAndStop(completion, in(1s), stop, m_answers);
        completion.complete(1);
        QCOMPARE(*m_answers, QList<Result<int>>{1});
    }

    void aDestroyedWaiterIsNeverResumed_data() {
        QTest::addColumn<QString>("afterwards");
        QTest::newRow("answer") << QStringLiteral("answer");
        QTest::newRow("deadline") << QStringLiteral("deadline");
        QTest::newRow("stop") << QStringLiteral("stop");
    }
    void aDestroyedWaiterIsNeverResumed() {
        QFETCH(QString, afterwards);
        const Completion<int> completion;
        watchLate(completion);
        std::stop_source stop;
        const Destroyable waiter = awaitUntilDestroyed(completion, in(1s), stop.get_token(), m_answers);
        waiter.handle.destroy();
        QVERIFY2(!m_clock->hasTimers(), "a timer points to a waiter that is gone");
        if (afterwards == u"deadline")
            m_clock->advance(2s);
        if (afterwards == u"stop")
            stop.request_stop();
        completion.complete(1);
        QVERIFY(m_answers->isEmpty());
        QCOMPARE(m_late, QList<int>{1});
    }

private:
    [[nodiscard]] Deadline in(std::chrono::nanoseconds time) { return Deadline::in(*m_clock, time); }
    void watchLate(const Completion<int>& completion) {
        completion.whenAbandoned([this](const Result<int>& late) { m_late += late.value(); });
    }

    std::unique_ptr<test::ManualClock> m_clock;
    Answers m_answers;
    QList<int> m_late;
};

LOCKKEEPER_TEST(TestCompletion, Guiless)

}  // namespace tst_completion

#include "tst_completion.moc"
