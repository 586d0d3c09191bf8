// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QRandomGenerator>

#include <algorithm>
#include <chrono>
#include <utility>

namespace lockkeeper::locks {

// A random time between half of `full` and all of it, so that waiters do not all retry at the same moment.
[[nodiscard]] inline std::chrono::microseconds someOf(std::chrono::microseconds full) {
    const qint64 half = full.count() / 2;
    return std::chrono::microseconds(half + QRandomGenerator::global()->bounded(half + 1));
}

// Pauses that grow by a factor. Each is shortened at random by up to a half, so that waiters do not all retry at the
// same moment.
class BackOff {
public:
    explicit BackOff(std::chrono::microseconds first = std::chrono::microseconds(1000),
                     std::chrono::microseconds longest = std::chrono::microseconds(128000), int factor = 2)
        : m_full(std::min(first, longest)), m_longest(longest), m_factor(factor) {}
    // Between attempts that a node refuses because it does not serve the slot now.
    [[nodiscard]] static BackOff forRefusals() {
        return BackOff(std::chrono::milliseconds(50), std::chrono::milliseconds(1000));
    }
    // Between attempts that a server refuses for want of a right.
    [[nodiscard]] static BackOff forDenials() {
        return BackOff(std::chrono::milliseconds(1000), std::chrono::milliseconds(30000));
    }
    // Between attempts that too few replicas acknowledge. Each such attempt holds the lock for a moment, and delays the
    // other commands of its connection.
    [[nodiscard]] static BackOff forReplicas() {
        return BackOff(std::chrono::milliseconds(1000), std::chrono::milliseconds(8000));
    }

    [[nodiscard]] std::chrono::microseconds next() {
        return someOf(std::exchange(m_full, std::min(m_full * m_factor, m_longest)));
    }

private:
    std::chrono::microseconds m_full;
    std::chrono::microseconds m_longest;
    int m_factor;
};

}  // namespace lockkeeper::locks
