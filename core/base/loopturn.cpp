// SPDX-License-Identifier: Apache-2.0
#include "base/loopturn.h"

#include <QAbstractEventDispatcher>
#include <QThread>

#include <algorithm>
#include <utility>

namespace lockkeeper {

struct LoopTurn::OfThread {
    LoopTurn* innermost = nullptr;
    QThread* const thread = QThread::currentThread();
    QPointer<QAbstractEventDispatcher> watched;

    [[nodiscard]] int loopLevel() const { return thread->loopLevel(); }
    void watchInnerLoops();
};

LoopTurn::OfThread& LoopTurn::ofThread() {
    thread_local OfThread turns;
    return turns;
}

// While a turn is open, an event loop that is about to wait is one that a handler runs.
void LoopTurn::OfThread::watchInnerLoops() {
    watched = QAbstractEventDispatcher::instance();
    if (!watched)
        return;
    QObject::connect(watched, &QAbstractEventDispatcher::aboutToBlock, watched, [this] {
        for (LoopTurn* turn = innermost; turn; turn = turn->m_outer)
            turn->work();
    });
}

LoopTurn::LoopTurn()
    : m_thread(ofThread()), m_outer(std::exchange(m_thread.innermost, this)), m_level(m_thread.loopLevel()) {
    if (!m_thread.watched)
        m_thread.watchInnerLoops();
}

LoopTurn::~LoopTurn() {
    work();
    m_thread.innermost = m_outer;
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
    const OfThread& thread = ofThread();
    LoopTurn* const turn = thread.innermost;
    if (!turn || turn->m_level != thread.loopLevel())
        return false;
    if (std::ranges::none_of(turn->m_work, [object](const Work& known) { return known.object == object; }))
        turn->m_work.push_back({object, std::move(work)});
    return true;
}

}  // namespace lockkeeper
