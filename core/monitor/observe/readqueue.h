// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/ids.h"
#include "lockkeeper_monitor_export.h"

#include <deque>
#include <functional>

namespace lockkeeper::monitor {

// Names that wait for their read. They are not all read at once, because further commands would only wait in the
// server's socket.
class LOCKKEEPER_MONITOR_EXPORT ReadQueue {
public:
    // begin: begins a read; call noteEnd() at the end of the read, which may be at once.
    explicit ReadQueue(std::function<void(const LockName& name)> begin) : m_begin(std::move(begin)) {}

    void push(const LockName& name) {
        m_names.push_back(name);
        beginReads();
    }
    void noteEnd() {
        --m_inFlight;
        beginReads();
    }
    // The connection is lost: the ends of running reads will not be reported.
    void clear() {
        m_names.clear();
        m_inFlight = 0;
    }

private:
    void beginReads();

    const std::function<void(const LockName& name)> m_begin;
    std::deque<LockName> m_names;
    int m_inFlight = 0;
    bool m_beginning = false;
};

}  // namespace lockkeeper::monitor
