// SPDX-License-Identifier: Apache-2.0
#include "locks/calls/opencalls.h"

#include <QPointer>

#include <utility>

namespace lockkeeper::locks {

void OpenCalls::end(const HoldKey& key) {
    const auto open = m_open.find(key);
    if (--open->second.count > 0)
        return;
    if (const Waiting* const waiting = open->second.waiting.get()) {
        completeSoon(waiting->untilNone, Done());
        completeSoon(waiting->untilRefused, Done());
    }
    m_open.erase(open);
}

void OpenCalls::refuse(const HoldKey& key, const Error& why) {
    const auto open = m_open.find(key);
    if (open == m_open.end())
        return;
    Waiting& waiting = waitingOf(open->second);
    waiting.refusal = why;
    completeSoon(std::exchange(waiting.untilRefused, {}), why);
}

OpenCalls::Waiting& OpenCalls::waitingOf(Open& open) {
    if (!open.waiting)
        open.waiting = std::make_unique<Waiting>();
    return *open.waiting;
}

void OpenCalls::completeSoon(const Waiters& waiters, const Result<Done>& answer) {
    if (m_answered.empty() && !waiters.empty())
        QMetaObject::invokeMethod(
            &m_context, [this] { completeAnswered(); }, Qt::QueuedConnection);
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
    for (auto& [key, open] : m_open) {
        const std::unique_ptr<Waiting> ended = std::move(open.waiting);
        if (!ended)
            continue;
        for (const Waiters& waiters : {ended->untilNone, ended->untilRefused})
            waiting.insert(waiting.end(), waiters.begin(), waiters.end());
    }
    for (const Completion<Done>& waiter : waiting)
        waiter.complete(Error(ErrorCode::ConnectionLost, Cause::LockClientClosed));
}

Completion<Done> OpenCalls::whenNoneOrRefused(const HoldKey& key) {
    const Completion<Done> none;
    const auto open = m_open.find(key);
    if (open == m_open.end())
        none.complete(Done());
    else if (Waiting& waiting = waitingOf(open->second); waiting.refusal)
        none.complete(*waiting.refusal);
    else
        waiting.untilRefused.push_back(none);
    return none;
}

Completion<Done> OpenCalls::whenNone(const HoldKey& key) {
    const Completion<Done> none;
    const auto open = m_open.find(key);
    if (open == m_open.end())
        none.complete(Done());
    else
        waitingOf(open->second).untilNone.push_back(none);
    return none;
}

}  // namespace lockkeeper::locks
