// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/clock.h"
#include "base/ids.h"

#include <QHash>

#include <vector>

namespace lockkeeper::ui {

// How often each lock was taken during the last minutes: in two halves, of which the older one is dropped when the newer
// one is full. Bounded: of very many locks the first are counted.
class HandOverCounts {
public:
    static constexpr Milliseconds half{150'000};
    static constexpr qsizetype mostLocks = 20'000;  // in a half

    struct Counted {
        LockName lock;
        double handOvers = 0;
    };

    void add(SteadyTime now, const LockName& lock, double handOvers);
    void clear();
    // Those with the most, the most first; at least one hand-over each.
    [[nodiscard]] std::vector<Counted> top(SteadyTime now, size_t count) const;

private:
    [[nodiscard]] static qint64 halfOf(SteadyTime time);
    void turn(SteadyTime now);

    QHash<LockName, double> m_before;
    QHash<LockName, double> m_now;
    qint64 m_half = 0;
};

}  // namespace lockkeeper::ui
