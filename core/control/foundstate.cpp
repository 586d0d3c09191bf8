// SPDX-License-Identifier: Apache-2.0
#include "control/foundstate.h"

#include <algorithm>

namespace lockkeeper::control {

namespace {

using monitor::FairWaiter;
using monitor::Holder;
using monitor::LockSnapshot;

Found foundReader(const Holder& reader, const LockSnapshot& after) {
    const auto isReader = [&reader](const Holder& holder) { return holder.isSameAs(reader); };
    const auto found = std::find_if(after.holders.begin(), after.holders.end(), isReader);
    if (found == after.holders.end())
        return after.isCut() ? Found::Unknown : Found::Done;
    return found->count == reader.count ? Found::NotDone : Found::Other;
}

Found foundHolder(const HolderId& holder, const LockSnapshot& confirmed, const LockSnapshot& after) {
    if (!after.isHeldBy(holder))
        return Found::Done;
    return hasSameValues(confirmed, after, holder) ? Found::NotDone : Found::Other;
}

// Whether the values are as the script leaves them.
bool areInQuarantine(const LockChange& change, const LockSnapshot& confirmed, const LockSnapshot& after) {
    const auto isTaken = [](const monitor::HeldValue& former, const monitor::HeldValue& held) {
        return former.value == held.value && held.count == 1;
    };
    return std::ranges::equal(valuesOf(confirmed, *change.holder), valuesOf(after, *change.newHolder), isTaken);
}

Found foundInQuarantine(const LockChange& change, const LockSnapshot& confirmed, const LockSnapshot& after) {
    if (areInQuarantine(change, confirmed, after))
        return Found::Done;
    return hasSameValues(confirmed, after, *change.holder) ? Found::NotDone : Found::Other;
}

Found foundWaiter(const FairWaiter& waiter, const LockSnapshot& after) {
    const auto isWaiter = [&waiter](const FairWaiter& queued) { return queued.id == waiter.id; };
    return std::any_of(after.fairQueue.begin(), after.fairQueue.end(), isWaiter) ? Found::NotDone : Found::Done;
}

}  // namespace

bool isSameHold(const LockSnapshot& confirmed, const LockSnapshot& now) {
    // Two reads of a lock with very many readers name different readers.
    if (confirmed.isCut() && now.isCut())
        return true;
    return confirmed.token == now.token && confirmed.holders.size() == now.holders.size() &&
           std::is_permutation(confirmed.holders.begin(), confirmed.holders.end(), now.holders.begin());
}

QList<monitor::HeldValue> valuesOf(const LockSnapshot& lock, const HolderId& holder) {
    QList<monitor::HeldValue> values = lock.values();
    values.removeIf([&holder](const monitor::HeldValue& held) { return held.owner != holder; });
    return values;
}

bool hasSameValues(const LockSnapshot& confirmed, const LockSnapshot& now, const HolderId& holder) {
    const auto isSame = [](const monitor::HeldValue& one, const monitor::HeldValue& other) {
        return one.value == other.value && one.count == other.count;
    };
    return std::ranges::equal(valuesOf(confirmed, holder), valuesOf(now, holder), isSame);
}

Found foundAfter(const ForceReleaseRequest& request, const std::optional<LockSnapshot>& after) {
    if (!after)
        return Found::Unknown;
    const LockChange& change = request.change;
    const Found otherwise = isSameHold(request.confirmed, *after) ? Found::NotDone : Found::Other;
    switch (change.kind) {
        case ChangeKind::ReleaseLock:
            return after->isHeld() ? otherwise : Found::Done;
        case ChangeKind::ReleaseReader:
            return change.reader ? foundReader(*change.reader, *after) : Found::Unknown;
        case ChangeKind::ReleaseHolder:
            return change.holder ? foundHolder(*change.holder, request.confirmed, *after) : Found::Unknown;
        case ChangeKind::RemoveWaiter:
            return change.waiter ? foundWaiter(*change.waiter, *after) : Found::Unknown;
        case ChangeKind::WakeWaiters:
        case ChangeKind::GiveBackPermit:
            return Found::Unknown;
        case ChangeKind::SetExpiry:
            return otherwise == Found::NotDone && after->ttl ? Found::Done : otherwise;
        case ChangeKind::Quarantine:
            return change.newHolder && after->isHeldBy(*change.newHolder) ? Found::Done : otherwise;
        case ChangeKind::QuarantineHolder:
            return change.holder && change.newHolder ? foundInQuarantine(change, request.confirmed, *after)
                                                     : Found::Unknown;
    }
    return Found::Unknown;
}

}  // namespace lockkeeper::control
