#pragma once

#include <QRandomGenerator>

#include <algorithm>
#include <chrono>
#include <utility>

namespace lockkeeper::locks {

// Between half of it and all, by chance, so that those who wait do not come all at once.
[[nodiscard]] inline std::chrono::microseconds someOf(std::chrono::microseconds full) {
    const qint64 half = full.count() / 2;
    return std::chrono::microseconds(half + QRandomGenerator::global()->bounded(half + 1));
}

// Pauses between looks at a lock that nobody announces the release of: 1 ms, doubling to 128 ms (protocol.md,
// "Acquire"), each shortened by up to a half by chance, so that waiters do not come all at once.
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
