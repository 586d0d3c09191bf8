// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "async/task.h"
#include "lockkeeper_export.h"

#include <memory>
#include <stop_token>

namespace lockkeeper {

// Owns running tasks: none of them outlives it. Every task in it must suspend through Completion::wait() with
// stopToken(). The destructor calls request_stop(), which makes each task run to its end before the destructor returns.
// A task that ignores the token is a programming error and aborts the program. Thread: the one that created it.
class LOCKKEEPER_EXPORT TaskScope {
public:
    TaskScope();
    TaskScope(const TaskScope&) = delete;
    TaskScope& operator=(const TaskScope&) = delete;
    ~TaskScope();

    [[nodiscard]] std::stop_token stopToken() const { return m_stop.get_token(); }
    void spawn(Task<void> task);
    // Cancels and joins all tasks; the scope accepts no more.
    void stop();
    [[nodiscard]] int running() const { return *m_running; }

private:
    std::stop_source m_stop;
    std::shared_ptr<int> m_running;
};

}  // namespace lockkeeper
