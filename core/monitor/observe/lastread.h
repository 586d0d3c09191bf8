// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockkeeper_monitor_export.h"
#include "monitor/model/locksnapshot.h"

namespace lockkeeper::monitor {

// What watching a lock needs of its last read, besides the name. Only the store keeps the whole read: with 100,000
// locks a second copy would take 10 MB. A value.
struct LastRead {
    LastRead() = default;
    explicit LastRead(const LockSnapshot& lock)
        : holders(lock.holders),
          expiry(lock.expiry),
          parts(lock.parts),
          seenAt(lock.seenAt),
          helpers(helpersOf(lock)),
          kind(lock.kind) {}

    [[nodiscard]] bool isHeld() const noexcept { return !holders.isEmpty(); }
    [[nodiscard]] QList<ReadLease> readLeases() const { return parts ? parts->readLeases : QList<ReadLease>(); }
    // Whether the later read shows the same holders, counts and end of the lease.
    [[nodiscard]] bool isSameAs(const LockSnapshot& later) const;
    // Whether the later read has the same holders in the same order.
    [[nodiscard]] bool hasHoldersOf(const LockSnapshot& later) const;
    // A number that stands for a fair lock's queue and a fenced lock's token; 0 if there is neither.
    [[nodiscard]] LOCKKEEPER_MONITOR_EXPORT static size_t helpersOf(const LockSnapshot& lock);
    // What is equal in the later read is stored once for both. Other parts of the program still have this read.
    void shareHoldersWith(LockSnapshot& later) const;

    QList<Holder> holders;
    std::optional<Expiry> expiry;
    std::shared_ptr<const LockParts> parts;
    SteadyTime seenAt{};
    size_t helpers = 0;  // see helpersOf()
    LockKind kind = LockKind::Unknown;
};

}  // namespace lockkeeper::monitor
