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

    // Sets the figures as of now; the last call in a step counts. In steps without a call the figures stay, except
    // those that count events: they are zero.
    void note(SteadyTime now, const Figures& figures);
    // Nothing is known from now on, until the next note().
    void interrupt();
    void clear();
    // A value a step, the oldest first; nothing where it is not known. Ends with the step of `now`, or with the last
    // that is known if the history is interrupted.
    [[nodiscard]] std::vector<std::optional<double>> series(Figure figure, SteadyTime now) const;

private:
    using Entry = std::optional<Figures>;

    [[nodiscard]] static qint64 stepOf(SteadyTime time);
    // The entry of a step without a note that follows this one.
    [[nodiscard]] static Entry following(const Entry& entry);
    void advanceTo(qint64 present);

    std::deque<Entry> m_entries;
    qint64 m_last = 0;  // step of the last entry
    bool m_isInterrupted = false;
};

}  // namespace lockkeeper::ui
