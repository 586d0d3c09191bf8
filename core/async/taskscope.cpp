// SPDX-License-Identifier: Apache-2.0
#include "async/taskscope.h"

#include <QtGlobal>

namespace lockkeeper {

namespace {

// Detached on purpose: the scope counts this task instead of owning it.
Task<void> supervise(Task<void> task, std::shared_ptr<int> running) {
    co_await task;
    --*running;
}

}  // namespace

TaskScope::TaskScope() : m_running(std::make_shared<int>(0)) {}

TaskScope::~TaskScope() {
    stop();
}

void TaskScope::spawn(Task<void> task) {
    ++*m_running;
    supervise(std::move(task), m_running);
}

void TaskScope::stop() {
    m_stop.request_stop();
    if (*m_running != 0)
        qFatal("lockkeeper: %d tasks did not end when their scope asked them to", *m_running);
}

}  // namespace lockkeeper
