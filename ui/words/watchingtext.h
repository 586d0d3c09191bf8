#pragma once

#include "monitor/model/monitorbatch.h"

namespace lockkeeper::ui {

// How changes are noticed: in a word or two; and in full, with the reason why not better and what is not seen.
[[nodiscard]] QString sourceText(monitor::ObservationMode source);
[[nodiscard]] QString sourceToolTip(const monitor::MonitorStats& stats);

// "Keys read: 41 % of 12 million"; after the first whole sweep, that all were read.
[[nodiscard]] QString discoveryText(const monitor::MonitorStats& stats);
[[nodiscard]] QString discoveryToolTip(const monitor::MonitorStats& stats);

// Left-over tokens of fenced locks, when there are many; else empty.
[[nodiscard]] QString litterText(const monitor::MonitorStats& stats);
[[nodiscard]] QString litterToolTip(const monitor::MonitorStats& stats);

}  // namespace lockkeeper::ui
