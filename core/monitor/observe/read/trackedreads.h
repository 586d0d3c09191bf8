// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace lockkeeper::monitor {

class BulkReader;

// Tracked: the server tracks the keys of a confirmed lock since that read, so it reports each later change. Untracked:
// it does not.
enum class Confirmation { Untracked, Tracked };

// The way for discovery to read a lock so that the server tracks it from that read on. Implemented by Observer.
class TrackedReads {
public:
    // For names that are most likely locks; null while the server tracks nothing.
    [[nodiscard]] virtual BulkReader* trackedBulk() noexcept = 0;

protected:
    ~TrackedReads() = default;
};

}  // namespace lockkeeper::monitor
