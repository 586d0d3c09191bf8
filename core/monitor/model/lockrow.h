#pragma once

#include "monitor/model/diagnosis.h"
#include "monitor/model/locksnapshot.h"
#include "monitor/model/throughput.h"

#include <QMetaType>

#include <memory>

namespace lockkeeper::monitor {

// What a known lock looks like to a reader: the last snapshot, and what earlier ones add. A value; safe to hand between threads.
struct LockRow {
    LockSnapshot lock;
    WallTime heldSince{};            // when the present hold was first seen, as a date; meaningful while held
    SteadyTime heldSinceSteady{};    // the same, for how long that is: the wall clock may be set meanwhile
    bool heldBeforeFirstLook = false;  // then heldSince is "at least since"
    quint64 renewals = 0;            // seen during the present hold
    quint64 releasesHeard = 0;       // messages of releases since it is known, also of those that no look saw
    std::optional<SteadyTime> lastRenewal;
    Milliseconds peakTtl{0};         // highest TTL seen during the present hold: the bar's full length
    SteadyTime freeSince{};          // when it was seen to be gone; meaningful while free
    QList<Diagnosis> diagnoses;      // the gravest first
    std::shared_ptr<const Throughput> throughput;  // of a lock that is busy; none otherwise

    friend bool operator<(const LockRow& a, const LockRow& b) noexcept { return a.lock.name.bytes() < b.lock.name.bytes(); }
};

}  // namespace lockkeeper::monitor

Q_DECLARE_METATYPE(lockkeeper::monitor::LockRow)
