// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lab/run/labframe.h"
#include "lockkeeper_monitor_export.h"

#include <optional>
#include <vector>

namespace lockkeeper::lab {

// A change without a step. For a key: "added", "changed", "renewed" (its TTL), or "gone". For a running server:
// "cluster-down", when it begins to refuse reads, and "read-again"; its number is the fact "server".
struct LabChange {
    QByteArray what;
    QByteArray subject;  // the name of the key
    Facts facts;
};

// The first change, preferably of a server. shown: as in the last frame. lastRead: the last read, which may be later.
[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT std::optional<LabChange> changeIn(const std::vector<LabServer>& now,
                                                                          const std::vector<LabServer>& shown,
                                                                          const std::vector<LabServer>& lastRead);

}  // namespace lockkeeper::lab
