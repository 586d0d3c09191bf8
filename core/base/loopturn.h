// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockkeeper_export.h"

#include <QPointer>

#include <functional>
#include <vector>

namespace lockkeeper {

// One turn of a thread's event loop, as long as this object lives: a socket is read and its replies are handed out, or
// the timers that are due run. What they cause can be put off to the end of the turn, so that it is done once for all
// of them, and without another turn. If a handler runs an event loop, such as a dialog's, what was put off is done
// before that loop waits, and turns nest. Thread: the one that made it.
class LOCKKEEPER_EXPORT LoopTurn {
public:
    LoopTurn();
    LoopTurn(const LoopTurn&) = delete;
    LoopTurn& operator=(const LoopTurn&) = delete;
    // Does what was put off, and what that puts off.
    ~LoopTurn();

    // Does the work at the end of this thread's turn: once for each object, so always the same work for one, and not if
    // the object is deleted before. False, and nothing is done, outside of a turn, and in an event loop that a handler
    // runs.
    [[nodiscard]] static bool atEnd(QObject* object, std::function<void()> work);

private:
    struct Work {
        QPointer<QObject> object;
        std::function<void()> run;
    };

    static void watchInnerLoops();
    void work();

    LoopTurn* const m_outer;
    const int m_level;  // of event loops
    std::vector<Work> m_work;
};

}  // namespace lockkeeper
