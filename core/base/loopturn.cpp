// SPDX-License-Identifier: Apache-2.0
#include "base/loopturn.h"

#include <QThread>

#include <algorithm>
#include <utility>

namespace lockkeeper {

namespace {

thread_local LoopTurn* innermost = nullptr;

}  // namespace

LoopTurn::LoopTurn() : m_outer(std::exchange(innermost, this)), m_level(QThread::currentThread()->loopLevel()) {}

LoopTurn::~LoopTurn() {
    while (!m_work.empty()) {
        for (const Work& work : std::exchange(m_work, {})) {
            if (work.object)
                work.run();
        }
    }
    innermost = m_outer;
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
