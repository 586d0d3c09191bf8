// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockkeeper_monitor_export.h"
#include "monitor/analyse/lookup/holdstory.h"
#include "monitor/analyse/lookup/lookupsubject.h"
#include "monitor/model/lockrow.h"

namespace lockkeeper::monitor {

// A time without watching.
struct UnwatchedTime {
    WallTime from{};
    WallTime to{};
    friend bool operator==(const UnwatchedTime&, const UnwatchedTime&) = default;
};

// Where to look up a subject: past events and present rows, as far as they are known.
struct LookupSources {
    std::vector<LockEvent> events;          // oldest first, of every lock that concerns the subject
    std::optional<WallTime> eventsReachTo;  // nothing is known from before this; nothing: there are no events
    std::vector<LockRow> rows;              // of the lock, or of locks held by the subject or its client's other
                                            // threads
    WallTime now{};                         // the time of the rows
};

struct LookupDiagnosis {
    LockName lock;
    Diagnosis diagnosis;
};

struct LookupReport {
    LookupSubject subject;
    std::vector<PastHold> holds;     // of the subject, newest first; of a lock: by all holders; of a client: by all
                                     // threads
    std::vector<PastHold> ofOthers;  // by other threads of the same client, at the time of the failure or now
    QList<LookupDiagnosis> diagnoses;
    std::vector<UnwatchedTime> gaps;  // newest first
    std::optional<WallTime> knownFrom;
    WallTime now{};
    bool isTimeKnown = true;  // false: the failure was before the known time, or in a gap
    size_t holdsLeftOut = 0;
};

constexpr size_t mostHoldsInReport = 1000;

// The history of the subject, and what explains its failure. Pure; states nothing about times without watching.
[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT LookupReport lookUp(const LookupSubject& subject, const LookupSources& sources);

}  // namespace lockkeeper::monitor
