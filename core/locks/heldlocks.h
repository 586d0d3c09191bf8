#pragma once

#include "base/clock.h"
#include "base/ids.h"

#include <optional>
#include <set>
#include <unordered_map>
#include <vector>

namespace lockkeeper::locks {

// A holder may have three sorts of holds of one name: that of a plain lock, and both of a read/write lock.
enum class HoldMode { Exclusive, Read, Write };

// The holds of one lock by one holder.
struct LOCKKEEPER_EXPORT HoldKey {
    LockName name;
    HolderId holder;
    HoldMode mode;

    HoldKey(LockName lockName, HolderId holderId, HoldMode holdMode = HoldMode::Exclusive)
        : name(std::move(lockName)), holder(std::move(holderId)), mode(holdMode) {}

    // Where the lock's hash counts these holds.
    [[nodiscard]] QByteArray field() const;

    friend bool operator==(const HoldKey&, const HoldKey&) = default;
    friend size_t qHash(const HoldKey& key, size_t seed = 0) noexcept {
        return qHashMulti(seed, key.name, key.holder, static_cast<int>(key.mode));
    }
};

enum class Renewal { FixedLease, Watchdog };

// What a client believes about a lock it took. The belief ends at the deadline, whatever happened in between.
struct Hold {
    qint64 count = 0;
    SteadyTime deadline{};  // counted from before the command that set the TTL was sent: never later than the server's
    Milliseconds lease{0};  // what a partial release sets the TTL to
    Renewal renewal = Renewal::FixedLease;
    // Of a reader only, whose every hold has a timeout key of its own: one for each hold, the oldest first.
    std::vector<SteadyTime> readDeadlines;
};

// The locks that a client believes to hold, with the earliest deadline at hand. How deadlines add up depends on the
// mode: an exclusive acquire sets the lock's TTL, a writer's or a reader's never shortens it (protocol.md, "Acquire").
// No timers, no I/O.
class LOCKKEEPER_EXPORT HeldLocks {
public:
    void acquired(const HoldKey& key, SteadyTime deadline, Milliseconds lease, Renewal renewal);
    // The server has prolonged it, at least to this deadline.
    void renewed(const HoldKey& key, SteadyTime deadline);
    // The newest hold was given back, which set the TTL of those that remain.
    void releasedOnce(const HoldKey& key, SteadyTime deadline);
    // An acquire with this deadline may have happened: the belief lasts no longer than either.
    void mayEndAt(const HoldKey& key, SteadyTime deadline);
    // A re-read told the true count.
    void setCount(const HoldKey& key, qint64 count);
    void remove(const HoldKey& key);

    [[nodiscard]] const Hold* find(const HoldKey& key) const;
    [[nodiscard]] qint64 count(const HoldKey& key) const;
    [[nodiscard]] std::vector<HoldKey> keys() const;
    // Those with a watchdog, the most urgent first.
    [[nodiscard]] std::vector<HoldKey> renewedKeys() const;
    [[nodiscard]] bool hasRenewed() const noexcept { return m_renewedCount > 0; }
    [[nodiscard]] std::optional<SteadyTime> earliestDeadline() const;
    // Removes one whose deadline has passed and names it.
    [[nodiscard]] std::optional<HoldKey> takeExpired(SteadyTime now);
    [[nodiscard]] qsizetype size() const noexcept { return static_cast<qsizetype>(m_holds.size()); }

private:
    struct Hash {
        size_t operator()(const HoldKey& key) const noexcept { return qHash(key, 0); }
    };
    using Holds = std::unordered_map<HoldKey, Hold, Hash>;
    // Points into m_holds, whose nodes stay where they are.
    using DeadlineEntry = std::pair<SteadyTime, const HoldKey*>;

    void setDeadline(Holds::value_type& entry, SteadyTime deadline);
    void setReadDeadlines(Holds::value_type& entry, std::vector<SteadyTime> deadlines);

    Holds m_holds;
    std::set<DeadlineEntry> m_deadlines;
    qsizetype m_renewedCount = 0;
};

}  // namespace lockkeeper::locks
