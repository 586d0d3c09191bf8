// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "async/task.h"

#include <QObject>
#include <QPointer>

namespace lockkeeper {

namespace detail {

template <typename T, typename Callback>
Task<void> deliver(Task<T> task, QPointer<QObject> context, Callback callback) {
    T value = co_await task;
    if (context)
        callback(std::move(value));
}

}  // namespace detail

// For callers that use signals and slots instead of coroutines. Runs `callback(result)` when the task has ended, on the
// task's thread, unless `context` has been deleted by then. Runs before this function returns if the task had already
// ended. Deleting `context` does not stop the task: pass a stop token to the call for that.
template <typename T, typename Callback>
void whenDone(Task<T> task, QObject* context, Callback callback) {
    detail::deliver(std::move(task), QPointer<QObject>(context), std::move(callback));
}

}  // namespace lockkeeper
