// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lab/session/labframe.h"
#include "lockkeeper_monitor_export.h"

#include <optional>
#include <vector>

namespace lockkeeper::lab {

// What has changed by itself, without a step. Of a key: "added", "changed", "renewed", which is its time to live, or "gone".
// Of a server that is running: "cluster-down", from when on it refuses to be read, and "read-again", with its number as "server".
struct LabChange {
    QByteArray what;
    QByteArray subject;  // the name of the key
    Facts facts;
};

// The first change; of a server, if there is one. shown: by the last frame. lastRead: the last time, which may be later.
[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT std::optional<LabChange> changeIn(const std::vector<LabServer>& now,
                                                                          const std::vector<LabServer>& shown,
                                                                          const std::vector<LabServer>& lastRead);

}  // namespace lockkeeper::lab
