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

// For callers that know signals and slots but no coroutines: runs `callback(result)` once the task has ended, on the task's thread,
// unless `context` is gone by then. May run before this returns, when the task had ended already. The task itself goes on without
// its context: to end it early, hand the call a stop token.
template <typename T, typename Callback>
void whenDone(Task<T> task, QObject* context, Callback callback) {
    detail::deliver(std::move(task), QPointer<QObject>(context), std::move(callback));
}

}  // namespace lockkeeper
