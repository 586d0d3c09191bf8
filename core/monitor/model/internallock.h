// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/ids.h"
#include "lockkeeper_monitor_export.h"

#include <optional>

namespace lockkeeper::monitor {

// A lock that Redisson takes for one of its own objects. The program that uses the object has not named it.
struct InternalLock {
    // SortedSet: a sorted set or a priority queue, which have the same form. Entry: a key of a map, or a value of a
    // set.
    enum class Of { SortedSet, Entry };

    Of of = Of::SortedSet;
    LockName object;  // of that set, queue or map

    // By the name alone: `redisson_sortedset_lock:{QUEUE}`, or `{MAP}:HASH:lock`, `:fairlock` or `:rw_lock`.
    [[nodiscard]] LOCKKEEPER_MONITOR_EXPORT static std::optional<InternalLock> parse(const LockName& name);
};

// The word as in JSON.
[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT QString wordFor(InternalLock::Of of);

}  // namespace lockkeeper::monitor
