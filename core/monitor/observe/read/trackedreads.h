// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace lockkeeper::monitor {

class BulkReader;

// Whether the server tracks the keys of a confirmed lock since that read (Tracked), so that it reports each later
// change, or not (Untracked).
enum class Confirmation { Untracked, Tracked };

// Where discovery may read a lock so that the server tracks it from that read on. Implemented by Observer.
class TrackedReads {
public:
    // For names that are most likely locks; null while nothing is tracked.
    [[nodiscard]] virtual BulkReader* trackedBulk() noexcept = 0;

protected:
    ~TrackedReads() = default;
};

}  // namespace lockkeeper::monitor
