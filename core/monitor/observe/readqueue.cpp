// SPDX-License-Identifier: Apache-2.0
#include "monitor/observe/readqueue.h"

namespace lockkeeper::monitor {

namespace {

constexpr int readsInFlight = 128;

}  // namespace

// Called again from within a read that ends at once.
void ReadQueue::beginReads() {
    if (m_beginning)
        return;
    m_beginning = true;
    while (!m_names.empty() && m_inFlight < readsInFlight) {
        const LockName name = std::move(m_names.front());
        m_names.pop_front();
        ++m_inFlight;
        m_begin(name);
    }
    m_beginning = false;
}

}  // namespace lockkeeper::monitor
