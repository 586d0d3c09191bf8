#pragma once

#include "async/task.h"

#include <QDeadlineTimer>
#include <QTest>
#include <QTimer>

#include <functional>
#include <memory>
#include <optional>

namespace lockkeeper::test {

// Where a running task leaves its value; empty until then. A unit test looks into it between the steps it plays.
template <typename T>
using Running = std::shared_ptr<std::optional<T>>;

namespace detail {
template <typename T>
Task<void> keep(Task<T> task, Running<T> result) {
    result->emplace(co_await task);
}
inline Task<void> note(Task<void> task, std::shared_ptr<bool> ended) {
    co_await task;
    *ended = true;
}
}  // namespace detail

template <typename T>
[[nodiscard]] Running<T> start(Task<T> task) {
    auto result = std::make_shared<std::optional<T>>();
    detail::keep(std::move(task), result);
    return result;
}

// For integration tests: turns the event loop until this is so. Looks after each turn, and every 5 ms; QTest::qWaitFor
// sleeps 10 ms between its looks, which adds up where each answer leads to the next question.
[[nodiscard]] inline bool becomesTrue(const std::function<bool()>& condition, int milliseconds = 5000) {
    const QDeadlineTimer deadline(milliseconds);
    QTimer tick;
    tick.start(std::chrono::milliseconds(5));
    while (!condition()) {
        if (deadline.hasExpired())
            return false;
        QCoreApplication::processEvents(QEventLoop::WaitForMoreEvents);
        QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
    }
    return true;
}

// For integration tests: turns the event loop until the task has ended; ends the test program when it does not.
template <typename T>
[[nodiscard]] T waitFor(Task<T> task, int milliseconds = 15000) {
    const Running<T> result = start(std::move(task));
    if (!becomesTrue([result] { return result->has_value(); }, milliseconds))
        qFatal("a task did not end within %d ms", milliseconds);
    return std::move(**result);
}

// The same for a task without a value.
inline void waitForEnd(Task<void> task, int milliseconds = 15000) {
    const auto ended = std::make_shared<bool>(false);
    detail::note(std::move(task), ended);
    if (!becomesTrue([ended] { return *ended; }, milliseconds))
        qFatal("a task did not end within %d ms", milliseconds);
}

}  // namespace lockkeeper::test
