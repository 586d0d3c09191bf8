// SPDX-License-Identifier: Apache-2.0
#include "monitor/analyse/explain/errorstate.h"

namespace lockkeeper::monitor {

std::optional<LookupSubject> subjectOf(const ErrorFinding& finding) {
    const std::optional<WallTime> at = finding.last ? std::optional(finding.last->at) : std::nullopt;
    if (finding.namesLock())
        return LookupSubject{finding.lock, LookupOccasion::Mentioned, at};
    const bool isUnlock =
        finding.family == ErrorFamily::UnlockNotHeld || finding.family == ErrorFamily::UnlockOtherThread;
    const LookupOccasion occasion = isUnlock ? LookupOccasion::UnlockFailed : LookupOccasion::Mentioned;
    if (finding.holder)
        return LookupSubject{*finding.holder, occasion, at};
    if (finding.client)
        return LookupSubject{*finding.client, LookupOccasion::Mentioned, at};
    return std::nullopt;
}

LockRow rowOf(const LockSnapshot& lock) {
    LockRow row;
    row.lock = lock;
    row.hold.sinceWall = lock.seenAtWall;
    row.hold.begin = HoldBegin::NotSeen;
    row.hold.peakTtl = lock.ttl.value_or(Milliseconds(0));
    return row;
}

}  // namespace lockkeeper::monitor
