// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/ids.h"

#include <deque>
#include <functional>

namespace lockkeeper::monitor {

// Names that wait for their read. Not all are read at once: more would only wait in the server's socket.
class ReadQueue {
public:
    // begin: begins a read, of which noteEnd() reports the end, maybe at once.
    explicit ReadQueue(std::function<void(const LockName& name)> begin) : m_begin(std::move(begin)) {}

    void push(const LockName& name) {
        m_names.push_back(name);
        beginReads();
    }
    void noteEnd() {
        --m_inFlight;
        beginReads();
    }
    // The connection is lost: the end of reads that are under way is not reported.
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
