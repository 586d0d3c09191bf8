// SPDX-License-Identifier: Apache-2.0
#include "locks/calls/opencalls.h"

namespace lockkeeper::locks {

void OpenCalls::end(const HoldKey& key) {
    const auto open = m_open.find(key);
    if (--open->count > 0)
        return;
    const std::vector<Completion<Done>> waiters = std::move(open->waiters);
    m_open.erase(open);
    for (const Completion<Done>& waiter : waiters)
        waiter.complete(Done());
}

Completion<Done> OpenCalls::whenNone(const HoldKey& key) {
    const Completion<Done> none;
    const auto open = m_open.find(key);
    if (open == m_open.end())
        none.complete(Done());
    else
        open->waiters.push_back(none);
    return none;
}

}  // namespace lockkeeper::locks
