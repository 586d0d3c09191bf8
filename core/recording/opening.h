// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockkeeper_monitor_export.h"
#include "monitor/store/presentinputs.h"
#include "recording/recordcodec.h"

#include <deque>

namespace lockkeeper::recording {

// The first part of a recording: what the session knew at the beginning, and then what has come since. It is encoded
// step by step, because encoding 100,000 locks at once would block the thread. Thread: one.
class LOCKKEEPER_MONITOR_EXPORT Opening {
public:
    Opening(monitor::PresentInputs present, SteadyTime at, WallTime wall)
        : m_present(std::move(present)), m_at(at), m_wall(wall) {}

    // A record that has come since the beginning; it is encoded after the state at the beginning.
    void add(Record record, WallTime wall) { m_since.push_back({std::move(record), wall}); }
    // Encodes the next part, of a bounded size, into the block. False once all is encoded.
    [[nodiscard]] bool encodeNext(BlockBuilder& block);

private:
    struct Since {
        Record record;
        WallTime wall{};
    };

    const monitor::PresentInputs m_present;
    const SteadyTime m_at;
    const WallTime m_wall;
    size_t m_next = 0;  // index in the present inputs
    std::deque<Since> m_since;
};

}  // namespace lockkeeper::recording
