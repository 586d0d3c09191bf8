// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/clock.h"

#include <array>
#include <deque>
#include <optional>
#include <vector>

namespace lockkeeper::ui {

// What the overview draws over time.
enum class Figure { Held, Contended, Waiters, HandOvers, Reads };
constexpr size_t figureCount = 5;
// One value for each, in their order.
using Figures = std::array<double, figureCount>;

// The figures of the last minutes in steps of a few seconds. A value; bounded.
class OverviewHistory {
public:
    static constexpr Milliseconds step{2000};
    static constexpr size_t steps = 150;

    // The figures as of now; of a step, the latest ones count. Until the next call, nothing has changed: what counts
    // events is zero in the steps between.
    void note(SteadyTime now, const Figures& figures);
    // Nothing is known from now on, until the next note().
    void interrupt();
    void clear();
    // A value a step, the oldest first; nothing where it is not known. Ends with the step of `now`, or with the last that
    // is known if the history is interrupted.
    [[nodiscard]] std::vector<std::optional<double>> series(Figure figure, SteadyTime now) const;

private:
    using Entry = std::optional<Figures>;

    [[nodiscard]] static qint64 stepOf(SteadyTime time);
    // Of a step without a note, after this one.
    [[nodiscard]] static Entry following(const Entry& entry);
    void advanceTo(qint64 present);

    std::deque<Entry> m_entries;
    qint64 m_last = 0;  // step of the last entry
    bool m_isInterrupted = false;
};

}  // namespace lockkeeper::ui
