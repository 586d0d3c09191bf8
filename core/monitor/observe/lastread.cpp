// SPDX-License-Identifier: Apache-2.0
#include "monitor/observe/lastread.h"

#include "monitor/model/snapshotcompare.h"

#include <algorithm>

namespace lockkeeper::monitor {

size_t LastRead::helpersOf(const LockSnapshot& lock) {
    if (lock.fairQueue.isEmpty() && !lock.token)
        return 0;
    size_t number = qHashMulti(1, lock.token.has_value(), lock.token.value_or(0));
    for (const FairWaiter& waiter : lock.fairQueue)
        number = qHashMulti(number, waiter.id, waiter.deadline.value_or(WallTime()).time_since_epoch().count());
    return std::max<size_t>(number, 1);
}

bool LastRead::isSameAs(const LockSnapshot& later) const {
    return holders == later.holders && mayEndTogether(expiry, later.expiry, driftBetween(seenAt, later.seenAt));
}

bool LastRead::hasHoldersOf(const LockSnapshot& later) const {
    return std::ranges::equal(holders, later.holders, {}, &Holder::id, &Holder::id);
}

void LastRead::shareHoldersWith(LockSnapshot& later) const {
    if (later.holders == holders) {
        later.holders = holders;
        return;
    }
    const qsizetype both = std::min(holders.size(), later.holders.size());
    for (qsizetype i = 0; i < both; ++i) {
        if (later.holders[i].id == holders[i].id)
            later.holders[i].id = holders[i].id;
    }
}

}  // namespace lockkeeper::monitor
