// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "monitor/model/monitorbatch.h"

namespace lockkeeper::ui {

// How changes are noticed: in a word or two; and in full, with the reason why not better and what is not seen.
[[nodiscard]] QString sourceText(monitor::ObservationMode source);
[[nodiscard]] QString sourceToolTip(const monitor::MonitorStats& stats);

// What limits watching, and what is not seen because of it: a line each, in the order of the alphabet.
[[nodiscard]] QStringList denialTexts(const QList<monitor::Denial>& denials);

// "Keys read: 41 % of 12 million"; after the first whole sweep, that all were read.
[[nodiscard]] QString discoveryText(const monitor::MonitorStats& stats);
[[nodiscard]] QString discoveryToolTip(const monitor::MonitorStats& stats);

// Left-over tokens of fenced locks, when there are many; else empty.
[[nodiscard]] QString litterText(const monitor::MonitorStats& stats);
[[nodiscard]] QString litterToolTip(const monitor::MonitorStats& stats);

// Nodes that are asked again and again for scripts that they do not have; else empty.
[[nodiscard]] QString stormText(const monitor::MonitorStats& stats);
[[nodiscard]] QString stormToolTip(const monitor::MonitorStats& stats, WallTime now);

}  // namespace lockkeeper::ui
