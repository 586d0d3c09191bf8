// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/clocktimer.h"

#include <optional>
#include <utility>

namespace lockkeeper::ui {

// The work of one step. An item is a lock that is read, or about as much. The steps of several owners may be in the
// same turn of the event loop, and nobody must see them there.
constexpr size_t itemsInATurn = 2'500;

// Work that would hold the event loop for too long, done in several of its turns: a step in each, and the last turn is
// for what comes of it. Ends with its owner. Thread: the clock's. Work: has step(size_t items), which ends as soon as
// it has done so much, and isDone(). Can be moved.
template <typename Work>
class WorkInTurns {
public:
    // done: gets the work once it is done; may begin other work, or end the owner.
    WorkInTurns(Clock& clock, std::function<void(Work&)> done)
        : m_done(std::move(done)), m_next(clock, [this] { resume(); }) {}

    // The first step is in the next turn. Takes the place of work that is under way.
    void begin(Work work) {
        m_work.emplace(std::move(work));
        m_next.start(Milliseconds(0));
    }
    void stop() {
        m_next.stop();
        m_work.reset();
    }
    [[nodiscard]] bool isUnderWay() const noexcept { return m_work.has_value(); }

private:
    void resume() {
        if (m_work->isDone())
            return finish();
        m_work->step(itemsInATurn);
        m_next.start(Milliseconds(0));
    }
    void finish() {
        Work work = std::move(*m_work);
        m_work.reset();
        const std::function<void(Work&)> done = m_done;  // which may end this
        done(work);
    }

    const std::function<void(Work&)> m_done;
    std::optional<Work> m_work;
    ClockTimer m_next;
};

}  // namespace lockkeeper::ui
