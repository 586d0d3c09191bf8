// SPDX-License-Identifier: Apache-2.0
#include "base/loopturn.h"

#include <QAbstractEventDispatcher>
#include <QThread>

#include <algorithm>
#include <utility>

namespace lockkeeper {

namespace {

thread_local LoopTurn* innermost = nullptr;
thread_local QPointer<QAbstractEventDispatcher> watched;

}  // namespace

LoopTurn::LoopTurn() : m_outer(std::exchange(innermost, this)), m_level(QThread::currentThread()->loopLevel()) {
    watchInnerLoops();
}

LoopTurn::~LoopTurn() {
    work();
    innermost = m_outer;
}

// While a turn is open, an event loop that is about to wait is one that a handler runs.
void LoopTurn::watchInnerLoops() {
    QAbstractEventDispatcher* const dispatcher = QAbstractEventDispatcher::instance();
    if (!dispatcher || dispatcher == watched)
        return;
    watched = dispatcher;
    QObject::connect(dispatcher, &QAbstractEventDispatcher::aboutToBlock, dispatcher, [] {
        for (LoopTurn* turn = innermost; turn; turn = turn->m_outer)
            turn->work();
    });
}

void LoopTurn::work() {
    // One at a time: a work may run an event loop, which must find the remaining ones here.
    while (!m_work.empty()) {
        const Work work = std::move(m_work.front());
        m_work.erase(m_work.begin());
        if (work.object)
            work.run();
    }
}

bool LoopTurn::atEnd(QObject* object, std::function<void()> work) {
    LoopTurn* const turn = innermost;
    if (!turn || turn->m_level != QThread::currentThread()->loopLevel())
        return false;
    if (std::ranges::none_of(turn->m_work, [object](const Work& known) { return known.object == object; }))
        turn->m_work.push_back({object, std::move(work)});
    return true;
}

}  // namespace lockkeeper
