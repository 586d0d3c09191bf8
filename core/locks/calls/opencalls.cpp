// SPDX-License-Identifier: Apache-2.0
#include "locks/calls/opencalls.h"

#include <QPointer>

#include <utility>

namespace lockkeeper::locks {

void OpenCalls::end(const HoldKey& key) {
    const auto open = m_open.find(key);
    if (--open->count > 0)
        return;
    completeSoon(open->waiters, Done());
    completeSoon(open->untilRefused, Done());
    m_open.erase(open);
}

void OpenCalls::refuse(const HoldKey& key, const Error& why) {
    const auto open = m_open.find(key);
    if (open == m_open.end())
        return;
    open->refusal = why;
    completeSoon(std::exchange(open->untilRefused, {}), why);
}

void OpenCalls::completeSoon(const Waiters& waiters, const Result<Done>& answer) {
    if (m_answered.empty() && !waiters.empty())
        QMetaObject::invokeMethod(&m_context, [this] { completeAnswered(); }, Qt::QueuedConnection);
    for (const Completion<Done>& waiter : waiters)
        m_answered.push_back({waiter, answer});
}

void OpenCalls::completeAnswered() {
    const QPointer<QObject> alive(&m_context);
    while (alive && !m_answered.empty()) {
        const Answered next = std::move(m_answered.front());
        m_answered.pop_front();
        next.waiter.complete(next.answer);
    }
}

void OpenCalls::close() {
    Waiters waiting;
    for (const Answered& answered : std::exchange(m_answered, {}))
        waiting.push_back(answered.waiter);
    for (Open& open : m_open) {
        for (Waiters* waiters : {&open.waiters, &open.untilRefused}) {
            waiting.insert(waiting.end(), waiters->begin(), waiters->end());
            waiters->clear();
        }
    }
    for (const Completion<Done>& waiter : waiting)
        waiter.complete(Error(ErrorCode::ConnectionLost, Cause::LockClientClosed));
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
