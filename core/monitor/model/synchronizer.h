// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/clock.h"
#include "base/ids.h"
#include "lockkeeper_monitor_export.h"
#include "monitor/model/diagnosis.h"

#include <QList>

#include <optional>
#include <vector>

namespace lockkeeper::monitor {

// Unknown: some clients wait as for a semaphore, others as for a latch. The key cannot be both.
enum class SynchronizerKind { Semaphore, CountDownLatch, Unknown };

// What the key of the semaphore or latch was at the last read.
enum class CounterState {
    Read,        // an integer
    Missing,     // no key: an open latch, a semaphore without permits, or a name that is used in another database
    NoCounter,   // of another type, or a string that is not an integer
    NotReadable  // this user may not read it
};

// A permit that becomes free when its lease ends.
struct PermitLease {
    QByteArray id;                    // raw; 16 bytes from Redisson
    std::optional<WallTime> ends;     // by the server's clock; nothing: never
    std::optional<WallTime> since{};  // the read that saw it first; nothing: it may be older than the first read

    friend bool operator==(const PermitLease&, const PermitLease&) = default;
};

// A semaphore or a count-down latch. Its key is a string of digits like any other string: waiting clients show what it
// is, permits with leases do, or the user has named it. Without any of these it is not seen. It is not a lock: it has
// no holder and no LockRow.
struct Synchronizer {
    LockName name;  // all Redisson objects share this type of name
    SynchronizerKind kind = SynchronizerKind::Unknown;
    CounterState state = CounterState::Missing;
    std::optional<qint64> count;        // free permits, or the remaining count of a latch; 0 if Missing
    std::optional<qint64> leased;       // number of permits with a lease; nothing if not known
    std::vector<PermitLease> leases;    // the leases that end first, at most mostLeases
    int clients = 0;                    // waiting client instances
    std::optional<DeafWaiters> deaf{};  // suspected; `clients` is then 0, and the other fields are from before the move
    QList<Diagnosis> diagnoses{};       // without `deaf`
    SteadyTime seenAt{};                // the first read that found this state
    WallTime seenAtWall{};

    static constexpr size_t mostLeases = 100;

    // Whether permits have leases although there are no permits to count: the semaphore was deleted, and they were not.
    [[nodiscard]] bool isLeftOver() const { return state == CounterState::Missing && leased.value_or(0) > 0; }
    // All diagnoses, the most severe first.
    [[nodiscard]] LOCKKEEPER_MONITOR_EXPORT QList<Diagnosis> allDiagnoses() const;

    friend bool operator==(const Synchronizer&, const Synchronizer&) = default;
};

// The word as in JSON and CSV.
[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT QString wordFor(SynchronizerKind kind);
// The word as in JSON and CSV; empty if the key holds an integer.
[[nodiscard]] QString wordFor(CounterState state);
// The field name for the number in the key, such as "free_permits".
[[nodiscard]] QString countField(SynchronizerKind kind);

// Whether the two differ at most in the time of the read.
[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT bool isSameState(const Synchronizer& one, const Synchronizer& other);

// All semaphores and latches that are known, as one read found them. Refused: this user may not see them.
struct SynchronizerReading {
    enum class Sight { Clear, Refused };

    Sight sight = Sight::Clear;
    std::vector<Synchronizer> seen;  // sorted by name, each name once; at most mostSeen
    int inAll = 0;                   // number of all, also beyond mostSeen

    static constexpr int mostSeen = 1000;

    [[nodiscard]] bool isCutOff() const { return inAll > static_cast<int>(seen.size()); }
    friend bool operator==(const SynchronizerReading&, const SynchronizerReading&) = default;
};

// The readings of several nodes as one; Refused only if all of them are.
[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT SynchronizerReading together(const QList<SynchronizerReading>& readings);

enum class SynchronizerPhase { Begun, Changed, Ended };

struct SynchronizerChange {
    SynchronizerPhase phase = SynchronizerPhase::Begun;
    Synchronizer synchronizer;  // Ended: its last state
};

// The changes between two reads, sorted by name. Names that may only have dropped beyond mostSeen are not reported.
[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT std::vector<SynchronizerChange> changesBetween(
    const SynchronizerReading& before, const SynchronizerReading& after);

}  // namespace lockkeeper::monitor
