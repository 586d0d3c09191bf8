#pragma once

#include "lockkeeper_export.h"

#include <QRandomGenerator>

#include <algorithm>
#include <chrono>

namespace lockkeeper::locks {

// Pauses between looks at a lock that nobody announces the release of: 1 ms, doubling to 128 ms (protocol.md,
// "Acquire"), each shortened by up to a half by chance, so that waiters do not come all at once.
class BackOff {
public:
    [[nodiscard]] std::chrono::microseconds next() {
        const std::chrono::microseconds full = std::exchange(m_full, std::min(m_full * 2, longest));
        const qint64 half = full.count() / 2;
        return std::chrono::microseconds(half + QRandomGenerator::global()->bounded(half + 1));
    }

    static constexpr std::chrono::microseconds longest{128000};

private:
    std::chrono::microseconds m_full{1000};
};

}  // namespace lockkeeper::locks
