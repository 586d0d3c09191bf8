// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/clock.h"
#include "base/ids.h"
#include "ui/locks/model/largest.h"

#include <QHash>

namespace lockkeeper::ui {

// How often each lock was taken during the last minutes: in two halves, of which the older one is dropped when the
// newer one is over. Bounded: of very many locks the first are counted.
class HandOverCounts {
public:
    static constexpr Milliseconds half{150'000};
    static constexpr qsizetype mostLocks = 20'000;  // in a half

    using Counts = Largest<LockName, double>;

    // handOvers: more than 0.
    void add(SteadyTime now, const LockName& lock, double handOvers);
    void clear();
    // The locks with the most hand-overs, the most first; each has at least one.
    [[nodiscard]] Counts top(SteadyTime now, size_t count) const;

private:
    struct Halves {
        double before = 0;
        double now = 0;
    };

    [[nodiscard]] static qint64 halfOf(SteadyTime time);
    [[nodiscard]] Halves asOf(qint64 present, const Halves& halves) const;
    void turn(SteadyTime now);

    QHash<LockName, Halves> m_locks;  // one for both halves: top() reads each lock without searching it
    qsizetype m_inNow = 0;            // locks that were taken in the newer half
    qint64 m_half = 0;
};

}  // namespace lockkeeper::ui
