// SPDX-License-Identifier: Apache-2.0
#include "locks/calls/opencalls.h"

#include <utility>

namespace lockkeeper::locks {

void OpenCalls::end(const HoldKey& key) {
    const auto open = m_open.find(key);
    if (--open->count > 0)
        return;
    std::vector<Completion<Done>> waiters = std::move(open->waiters);
    waiters.insert(waiters.end(), open->untilRefused.begin(), open->untilRefused.end());
    m_open.erase(open);
    for (const Completion<Done>& waiter : waiters)
        waiter.complete(Done());
}

void OpenCalls::refuse(const HoldKey& key, const Error& why) {
    const auto open = m_open.find(key);
    if (open == m_open.end())
        return;
    open->refusal = why;
    const std::vector<Completion<Done>> waiters = std::exchange(open->untilRefused, {});
    for (const Completion<Done>& waiter : waiters)
        waiter.complete(why);
}

Completion<Done> OpenCalls::whenNoneOrRefused(const HoldKey& key) {
    const Completion<Done> none;
    const auto open = m_open.find(key);
    if (open == m_open.end())
        none.complete(Done());
    else if (open->refusal)
        none.complete(*open->refusal);
    else
        open->untilRefused.push_back(none);
    return none;
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
