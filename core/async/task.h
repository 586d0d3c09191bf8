// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/result.h"

#include <qcoro/qcorotask.h>

namespace lockkeeper {

// A coroutine's result. It starts immediately and runs on the event loop of its thread. The only use of QCoro in the
// project.
//
// Rules; breaking one causes a use-after-free or a leak (QCoro 0.8, GCC 12):
// - Suspend only through Completion<T>::wait(deadline, stop) or pauseUntil(), never by qCoro(), QFuture or a socket.
// - Spawn a Task into a TaskScope, or co_await it: a Task that is destroyed continues to run, detached.
// - Pass coroutine parameters by value. Do not use capturing coroutine lambdas, `co_await f({..})`,
//   `co_await f(Aggregate{..})`, or co_await inside `&&`, `||` or `?:`: GCC 12 evaluates the wrong operand, or destroys
//   the result before its use.
// - A frame has room for all values and awaits of its coroutine. glibc keeps freed blocks of up to 1,032 bytes at hand;
//   larger frames cost several times as much. On paths that run for each command or change, split off what is rare, or
//   put it into a function that is not a coroutine.
// - Throw nothing: an exception in a task that nothing awaits is lost silently.
template <typename T = void>
using Task = QCoro::Task<T>;

// A task that has already ended, for functions that return a Task but are not coroutines.
template <typename T>
[[nodiscard]] Task<T> endedTask(T value) {
    co_return value;
}

// The task for a caller that needs only its end or its error.
template <typename T>
[[nodiscard]] Task<Result<Done>> withoutValue(Task<Result<T>> task) {
    const Result<T> ended = co_await task;
    if (!ended)
        co_return ended.error();
    co_return Done();
}

}  // namespace lockkeeper
