// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "monitor/model/synchronizer.h"
#include "ui/words/viewtime.h"

#include <QString>

namespace lockkeeper::ui {

[[nodiscard]] QString kindText(monitor::SynchronizerKind kind);
// The number in its key, or why there is none.
[[nodiscard]] QString counterText(const monitor::Synchronizer& synchronizer);
// "3, first until 14:02:11"; empty where nothing is leased.
[[nodiscard]] QString leasedText(const monitor::Synchronizer& synchronizer, const ViewTime& time);
// The longest usual leasedText(), to measure the room that a column needs.
[[nodiscard]] QString longestLeasedText();
// The permits that end first, a line each, with their ids.
[[nodiscard]] QString leaseText(const monitor::PermitLease& lease, const ViewTime& time);
// The leases that are over, by the time that the window shows.
[[nodiscard]] std::vector<monitor::PermitLease> overLeases(const monitor::Synchronizer& synchronizer,
                                                           const ViewTime& time);
[[nodiscard]] QString leasesText(const monitor::Synchronizer& synchronizer, const ViewTime& time);

}  // namespace lockkeeper::ui
