// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "async/task.h"

#include <QDeadlineTimer>
#include <QTest>
#include <QTimer>

#include <functional>
#include <memory>
#include <optional>

namespace lockkeeper::test {

// Where a running task stores its result; empty until then. A unit test reads it between its steps.
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

// For integration tests: runs the event loop until the condition is true. Checks after each turn and every 5 ms.
// QTest::qWaitFor sleeps 10 ms between checks, which adds up in long sequences of commands.
[[nodiscard]] inline bool becomesTrue(const std::function<bool()>& condition, int milliseconds = 15000) {
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

// As becomesTrue(), but this thread runs no event loop meanwhile. The condition should block for a moment, as a command
// to a server does.
[[nodiscard]] inline bool becomesTrueWithoutLoop(const std::function<bool()>& condition, int milliseconds = 15000) {
    const QDeadlineTimer deadline(milliseconds);
    while (!condition()) {
        if (deadline.hasExpired())
            return false;
    }
    return true;
}

// For integration tests: runs the event loop until the task has ended; aborts the test program if it does not end in
// time.
template <typename T>
[[nodiscard]] T waitFor(Task<T> task, int milliseconds = 15000) {
    const Running<T> result = start(std::move(task));
    if (!becomesTrue([result] { return result->has_value(); }, milliseconds))
        qFatal("a task did not end within %d ms", milliseconds);
    return std::move(**result);
}

// waitForEnd() for a task without a value.
inline void waitForEnd(Task<void> task, int milliseconds = 15000) {
    const auto ended = std::make_shared<bool>(false);
    detail::note(std::move(task), ended);
    if (!becomesTrue([ended] { return *ended; }, milliseconds))
        qFatal("a task did not end within %d ms", milliseconds);
}

}  // namespace lockkeeper::test
