// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockkeeper_export.h"

#include <QPointer>
#include <QVarLengthArray>

#include <functional>

namespace lockkeeper {

// One turn of a thread's event loop, for the lifetime of this object: a socket is read and its replies are delivered,
// or the timers that are due run. Work that they cause can be put off to the end of the turn, so that it is done once
// for all of them, without another turn. If a handler runs an event loop, such as a dialog's, the work put off so far
// is done before that loop waits, and turns nest. Thread: the one that created it.
class LOCKKEEPER_EXPORT LoopTurn {
public:
    LoopTurn();
    LoopTurn(const LoopTurn&) = delete;
    LoopTurn& operator=(const LoopTurn&) = delete;
    // Does the work that was put off, and any work that this work puts off.
    ~LoopTurn();

    // Puts the work off to the end of this thread's turn. It is done once for each object, so always pass the same work
    // for one object; it is not done if the object is deleted before. Returns false and does nothing outside of a turn,
    // and in an event loop that a handler runs.
    [[nodiscard]] static bool atEnd(QObject* object, std::function<void()> work);

private:
    struct OfThread;
    struct Work {
        QPointer<QObject> object;
        std::function<void()> run;
    };

    [[nodiscard]] static OfThread& ofThread();
    void work();

    OfThread& m_thread;
    LoopTurn* const m_outer;
    const int m_level;  // of event loops
    QVarLengthArray<Work, 2> m_work;
};

}  // namespace lockkeeper
