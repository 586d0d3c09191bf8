#pragma once

#include <qcoro/qcorotask.h>

namespace lockkeeper {

// A coroutine's result. Starts at once, runs on its thread's event loop. The only use of QCoro in the project.
//
// Rules, each of which costs a use-after-free or a leak when broken (QCoro 0.8, GCC 12):
//  - Suspend only through Completion<T>::wait(deadline, stop). Not through qCoro(), QFuture or a socket.
//  - Spawn into a TaskScope, or co_await it: a Task that is merely dropped goes on running, detached.
//  - Coroutine parameters by value; no capturing coroutine lambdas; no `co_await f({..})` or `co_await f(Aggregate{..})`; no
//    co_await inside `&&`, `||` or `?:`: GCC 12 starts what it should not, or destroys the chosen result and uses it.
//  - Throw nothing: an exception in a task nobody awaits is silent.
template <typename T = void>
using Task = QCoro::Task<T>;

// A task that has ended already, for functions that are no coroutines.
template <typename T>
[[nodiscard]] Task<T> endedTask(T value) {
    co_return value;
}

}  // namespace lockkeeper
