// SPDX-License-Identifier: Apache-2.0
#include "monitor/observe/readerleases.h"

#include "monitor/observe/read/lockdecoder.h"

#include <algorithm>

namespace lockkeeper::monitor {

SteadyTime firstEnd(const LockSnapshot& lock) {
    SteadyTime end = lock.expiry ? lock.expiry->latest : SteadyTime::max();
    for (const ReadLease& lease : lock.readLeases())
        end = lease.expiry ? std::min(end, lease.expiry->latest) : end;
    return end;
}

QList<HolderId> readersOf(const LockSnapshot& lock) {
    QList<HolderId> readers;
    const auto add = [&readers](const HolderId& id) {
        if (readers.size() < maxFormerReaders && !readers.contains(id))
            readers += id;
    };
    for (const Holder& holder : lock.holders) {
        if (holder.mode == HoldMode::Read)
            add(holder.id);
    }
    for (const ReadLease& lease : lock.readLeases())
        add(lease.reader);
    return readers;
}

}  // namespace lockkeeper::monitor
