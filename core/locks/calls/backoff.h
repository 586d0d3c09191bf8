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

// Pauses between attempts to take a lock whose release is not published: 1 ms, doubling up to 128 ms
// (core/locks/protocol.md, "Acquire"). Each is shortened at random by up to a half, so that waiters do not all retry at
// the same moment.
class BackOff {
public:
    [[nodiscard]] std::chrono::microseconds next() {
        return someOf(std::exchange(m_full, std::min(m_full * 2, longest)));
    }

    static constexpr std::chrono::microseconds longest{128000};

private:
    std::chrono::microseconds m_full{1000};
};

}  // namespace lockkeeper::locks
