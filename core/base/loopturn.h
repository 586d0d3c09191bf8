// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockkeeper_export.h"

#include <QPointer>

#include <functional>
#include <vector>

namespace lockkeeper {

// One turn of a thread's event loop, as long as this object lives: a socket is read and its replies are handed out, or
// the timers that are due run. What they cause can be put off to the end of the turn, so that it is done once for all
// of them, and without another turn. Turns nest if a handler runs an event loop of its own. Thread: the one that made
// it.
class LOCKKEEPER_EXPORT LoopTurn {
public:
    LoopTurn();
    LoopTurn(const LoopTurn&) = delete;
    LoopTurn& operator=(const LoopTurn&) = delete;
    // Does what was put off, and what that puts off.
    ~LoopTurn();

    // Does the work at the end of this thread's turn: once for each object, and not if the object is deleted before.
    // False, and nothing is done, outside of a turn. A handler that runs an event loop, as that of a dialog, is
    // outside: its turn may not end for long.
    [[nodiscard]] static bool atEnd(QObject* object, std::function<void()> work);

private:
    struct Work {
        QPointer<QObject> object;
        std::function<void()> run;
    };

    LoopTurn* const m_outer;
    const int m_level;  // of event loops
    std::vector<Work> m_work;
};

}  // namespace lockkeeper
