// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QRandomGenerator>

#include <algorithm>
#include <chrono>
#include <utility>

namespace lockkeeper::locks {

// A random time between half and all of it, so that waiters do not all retry at the same moment.
[[nodiscard]] inline std::chrono::microseconds someOf(std::chrono::microseconds full) {
    const qint64 half = full.count() / 2;
    return std::chrono::microseconds(half + QRandomGenerator::global()->bounded(half + 1));
}

// Pauses that double. Each is shortened at random by up to a half, so that waiters do not all retry at the same moment.
// The usual ones are those between attempts to take a lock whose release is not published: 1 ms to 128 ms
// (core/locks/protocol.md, "Acquire").
class BackOff {
public:
    explicit BackOff(std::chrono::microseconds first = std::chrono::microseconds(1000),
                     std::chrono::microseconds longest = std::chrono::microseconds(128000))
        : m_full(first), m_longest(longest) {}
    // Between attempts that a node refuses because it does not serve the slot now.
    [[nodiscard]] static BackOff forRefusals() {
        return BackOff(std::chrono::milliseconds(50), std::chrono::milliseconds(1000));
    }

    [[nodiscard]] std::chrono::microseconds next() {
        return someOf(std::exchange(m_full, std::min(m_full * 2, m_longest)));
    }

private:
    std::chrono::microseconds m_full;
    std::chrono::microseconds m_longest;
};

}  // namespace lockkeeper::locks
