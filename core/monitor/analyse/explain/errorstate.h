// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/error.h"
#include "monitor/analyse/explain/errorfinding.h"
#include "monitor/analyse/lookup/lookup.h"
#include "monitor/model/locksnapshot.h"
#include "monitor/model/threadverdict.h"

#include <optional>
#include <vector>

namespace lockkeeper::monitor {

// What is known of a finding besides its text.
struct ErrorState {
    // The lock that the text names, as it was read now. Other: the key holds another value. Unread: why, in `error`.
    enum class Lock { NotAsked, Read, Other, Unread };

    Lock read = Lock::NotAsked;
    std::optional<LockSnapshot> lock;  // of Lock::Read
    std::optional<Error> error;        // of Lock::Unread
    // Partial: some keys could not be read, or not in time, so nothing is known of what the client holds.
    enum class Search { NotAsked, Whole, Partial };

    Search search = Search::NotAsked;
    std::vector<LockSnapshot> ofClient;  // of Search::Whole: locks that the client of the finding holds now
    std::optional<LookupReport> past;    // nothing if there is no history
    QList<ThreadVerdict> threads{};      // of the holders of these locks, by a thread dump of the user's
};

// What to look up about the finding: its lock, else its holder or client. Nothing if the text names none.
[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT std::optional<LookupSubject> subjectOf(const ErrorFinding& finding);
// As a row, for LookupSources: the hold of a lock that was read once.
[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT LockRow rowOf(const LockSnapshot& lock);

}  // namespace lockkeeper::monitor
