// SPDX-License-Identifier: Apache-2.0
#include "ui/timeline/timerange.h"

#include "ui/words/clockzone.h"
#include "ui/words/timetext.h"

#include <algorithm>
#include <array>
#include <cmath>

using namespace std::chrono_literals;

namespace lockkeeper::ui {

namespace {

constexpr auto day = 24h;
constexpr std::array<Milliseconds, 33> steps = {
    1ms, 2ms, 5ms, 10ms, 20ms,    50ms,    100ms,   200ms,   500ms,    1s,       2s,
    5s,  10s, 15s, 30s,  1min,    2min,    5min,    10min,   15min,    30min,    1h,
    2h,  3h,  6h,  12h,  1 * day, 2 * day, 4 * day, 7 * day, 14 * day, 28 * day, 56 * day};

double nanoseconds(WallTime::duration time) {
    return static_cast<double>(std::chrono::nanoseconds(time).count());
}

WallTime::duration scaled(WallTime::duration time, double factor) {
    return std::chrono::duration_cast<WallTime::duration>(
        std::chrono::nanoseconds(std::llround(nanoseconds(time) * factor)));
}

}  // namespace

double TimeRange::fraction(WallTime time) const {
    return nanoseconds(time - from) / nanoseconds(length());
}

WallTime TimeRange::at(double fraction) const {
    return from + scaled(length(), fraction);
}

TimeRange TimeRange::zoomed(double factor, WallTime fixed) const {
    // Bounds the factor, not the result: a length far beyond the bounds does not fit into a duration.
    const double least = nanoseconds(shortest) / nanoseconds(length());
    const double most = nanoseconds(longest) / nanoseconds(length());
    const WallTime::duration wanted = scaled(length(), std::clamp(factor, least, most));
    const WallTime start = fixed - scaled(wanted, fraction(fixed));
    return {start, start + wanted};
}

TimeTicks ticksIn(const TimeRange& range, int most) {
    TimeTicks ticks;
    const auto wide = std::find_if(steps.begin(), steps.end(),
                                   [&](Milliseconds step) { return range.length() / step < std::max(most, 1); });
    ticks.step = wide == steps.end() ? steps.back() : *wide;
    // Round by the reader's clock, not by UTC.
    const Milliseconds offset = std::chrono::seconds(zonedTime(range.from).offsetFromUtc());
    const auto sinceEpoch = std::chrono::ceil<Milliseconds>(range.from.time_since_epoch()) + offset;
    const Milliseconds first = (sinceEpoch + ticks.step - 1ms) / ticks.step * ticks.step - offset;
    for (WallTime tick(first); tick <= range.to; tick += ticks.step)
        ticks.times.push_back(tick);
    return ticks;
}

QString TimeTicks::text(WallTime tick) const {
    const QDateTime time = zonedTime(tick);
    if (step < 1s)
        return zonedText(time, QStringLiteral("HH:mm:ss.zzz"));
    if (step < 1min)
        return zonedText(time, QStringLiteral("HH:mm:ss"));
    return step < day ? zonedText(time, QStringLiteral("HH:mm")) : time.toString(QStringLiteral("yyyy-MM-dd"));
}

}  // namespace lockkeeper::ui
