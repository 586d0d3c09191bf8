#pragma once

#include "base/clock.h"
#include "base/ids.h"
#include "lockkeeper_monitor_export.h"

#include <optional>
#include <vector>

namespace lockkeeper::monitor {

// Unknown: clients wait as for a semaphore and as for a latch; the key cannot be both.
enum class SynchronizerKind { Semaphore, CountDownLatch, Unknown };

// What its key was at the last look.
enum class CounterState {
    Read,        // an integer
    Missing,     // not there: an open latch, a semaphore without permits; or the waiters are of another database
    NoCounter,   // of another type, or a string that is no integer
    NotReadable  // the server does not let this user read it
};

// A permit that comes back by itself.
struct PermitLease {
    QByteArray id;                 // raw, 16 bytes from Redisson
    std::optional<WallTime> ends;  // by the server's clock; nothing when never

    friend bool operator==(const PermitLease&, const PermitLease&) = default;
};

// A semaphore or a count-down latch that somebody waits for. Nothing else tells such a counter from any other string of
// digits, so one that nobody waits for is not seen. No lock: it has no holder, and no place among the LockRows.
struct Synchronizer {
    LockName name;  // names of all Redisson's objects are alike
    SynchronizerKind kind = SynchronizerKind::Unknown;
    CounterState state = CounterState::Missing;
    std::optional<qint64> count;      // free permits, or what a latch still counts down; 0 when Missing
    std::optional<qint64> leased;     // permits with a lease, in all; nothing when not known
    std::vector<PermitLease> leases;  // the first ones to end, at most mostLeases
    int clients = 0;                  // client instances that wait
    SteadyTime seenAt{};              // the first look at which all of it was so
    WallTime seenAtWall{};

    static constexpr size_t mostLeases = 100;

    friend bool operator==(const Synchronizer&, const Synchronizer&) = default;
};

// As JSON and CSV have them.
[[nodiscard]] QString wordFor(SynchronizerKind kind);
// Empty for a key that is there and an integer.
[[nodiscard]] QString wordFor(CounterState state);
// What the number is that the key holds: "free_permits".
[[nodiscard]] QString countField(SynchronizerKind kind);

// Whether nothing but the time of the look differs.
[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT bool isSameState(const Synchronizer& one, const Synchronizer& other);

// All of them, as one look saw them. Refused: the server does not let this user see them.
struct SynchronizerLook {
    enum class Sight { Clear, Refused };

    Sight sight = Sight::Clear;
    std::vector<Synchronizer> seen;  // by name, each name once; at most mostSeen
    int waitedFor = 0;               // in all, also those beyond the bound

    static constexpr int mostSeen = 1000;

    [[nodiscard]] bool isCutOff() const { return waitedFor > static_cast<int>(seen.size()); }
    friend bool operator==(const SynchronizerLook&, const SynchronizerLook&) = default;
};

enum class SynchronizerPhase { Begun, Changed, Ended };

struct SynchronizerChange {
    SynchronizerPhase phase = SynchronizerPhase::Begun;
    Synchronizer synchronizer;  // Ended: as it was last
};

// What happened to each of them between two looks, by name. Of those that may only have fallen behind the bound nothing
// is said.
[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT std::vector<SynchronizerChange> changesBetween(const SynchronizerLook& before,
                                                                               const SynchronizerLook& after);

}  // namespace lockkeeper::monitor
