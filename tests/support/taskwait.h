#pragma once

#include "async/task.h"

#include <QTest>

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

// For integration tests: turns the event loop until the task has ended; ends the test program when it does not.
template <typename T>
[[nodiscard]] T waitFor(Task<T> task, int milliseconds = 15000) {
    const Running<T> result = start(std::move(task));
    if (!QTest::qWaitFor([result] { return result->has_value(); }, milliseconds))
        qFatal("a task did not end within %d ms", milliseconds);
    return std::move(**result);
}

// The same for a task without a value.
inline void waitForEnd(Task<void> task, int milliseconds = 15000) {
    const auto ended = std::make_shared<bool>(false);
    detail::note(std::move(task), ended);
    if (!QTest::qWaitFor([ended] { return *ended; }, milliseconds))
        qFatal("a task did not end within %d ms", milliseconds);
}

}  // namespace lockkeeper::test
