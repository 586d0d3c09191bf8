// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace lockkeeper::monitor {

class BulkReader;

// Where discovery may read a lock so that the server tracks it from that read on. Implemented by Observer.
class TrackedReads {
public:
    // For names that are most likely locks; null while nothing is tracked.
    [[nodiscard]] virtual BulkReader* trackedBulk() noexcept = 0;

protected:
    ~TrackedReads() = default;
};

}  // namespace lockkeeper::monitor
