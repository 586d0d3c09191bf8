// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/clock.h"
#include "base/error.h"
#include "base/ids.h"
#include "monitor/model/lockevent.h"
#include "profile/profileid.h"

#include <optional>
#include <variant>
#include <vector>

namespace lockkeeper::history {

// How much history is kept, by age and by size; events beyond either limit are deleted.
struct Retention {
    std::chrono::hours age{24 * 7};
    qint64 rows = 1'000'000;

    // If false, nothing is written, and events kept before stay as they are.
    [[nodiscard]] bool keepsAnything() const noexcept { return age.count() > 0 && rows > 0; }
    friend bool operator==(const Retention&, const Retention&) = default;
};

// The profile of a history. formerName: the address under which it was kept before profiles had ids; empty if there was
// none.
struct ProfileKey {
    profile::ProfileId id;
    QString formerName;
};

// Which events to read: of all locks that this client held or waited for, of one lock, or of several.
struct HistoryQuery {
    profile::ProfileId profile;
    std::variant<ClientId, LockName, QList<LockName>> about;
};

struct HistoryExcerpt {
    std::vector<monitor::LockEvent> events;  // oldest first; includes the events for times without watching
    // Set if earlier events are missing in the list: the time of the first event that was ever kept, or of the first
    // event within the limit.
    std::optional<WallTime> reachesTo;
    bool reachesNow = false;  // events are being recorded, and all events up to now are included
    bool complete = true;     // false: there are more locks or events than the limit, so some were left out
    std::optional<Error> error;
};

}  // namespace lockkeeper::history

Q_DECLARE_METATYPE(lockkeeper::history::HistoryExcerpt)
