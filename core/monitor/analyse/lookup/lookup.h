#pragma once

#include "lockkeeper_monitor_export.h"
#include "monitor/model/lockrow.h"
#include "monitor/analyse/lookup/holdstory.h"
#include "monitor/analyse/lookup/lookuptext.h"

namespace lockkeeper::monitor {

// When nobody looked.
struct UnwatchedTime {
    WallTime from{};
    WallTime to{};
    friend bool operator==(const UnwatchedTime&, const UnwatchedTime&) = default;
};

// What a subject is looked up in: the past and the present, as far as they are known.
struct LookupSources {
    std::vector<LockEvent> events;          // oldest first, of every lock that concerns the subject
    std::optional<WallTime> eventsReachTo;  // nothing is known from before; nothing: there are no events at all
    std::vector<LockRow> rows;              // that the subject, or another thread of its client, holds; or the lock's
    WallTime now{};                         // the moment that the rows are about
};

struct LookupDiagnosis {
    LockName lock;
    Diagnosis diagnosis;
};

struct LookupReport {
    LookupSubject subject;
    std::vector<PastHold> holds;     // the subject's own; newest first. A lock: by anybody. A client: by any thread
    std::vector<PastHold> ofOthers;  // by other threads of the same client, at the time of the failure or now
    QList<LookupDiagnosis> diagnoses;
    std::vector<UnwatchedTime> gaps;  // newest first
    std::optional<WallTime> knownFrom;
    WallTime now{};
    bool isTimeKnown = true;  // false: the failure lies before what is known, or where nobody looked
    size_t holdsLeftOut = 0;
};

constexpr size_t mostHoldsInReport = 1000;

// Whom the text is about, and what became of it. Pure; says nothing about what was not watched.
[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT LookupReport lookUp(const LookupSubject& subject, const LookupSources& sources);

}  // namespace lockkeeper::monitor
