#pragma once

#include "base/clock.h"
#include "base/ids.h"

#include <optional>
#include <set>
#include <unordered_map>
#include <vector>

namespace lockkeeper::locks {

// One hold of one lock by one holder.
struct HoldKey {
    LockName name;
    HolderId holder;

    HoldKey(LockName lockName, HolderId holderId) : name(std::move(lockName)), holder(std::move(holderId)) {}
    friend bool operator==(const HoldKey&, const HoldKey&) = default;
    // Without the client's id: the holds of one client share it, and a hash is taken several times for each command.
    friend size_t qHash(const HoldKey& key, size_t seed = 0) noexcept {
        return qHashMulti(seed, key.name, static_cast<qint64>(key.holder.thread()));
    }
};

enum class Renewal { FixedLease, Watchdog };

// A command that sets a lock's TTL, sent and not known to have failed. Numbered in the order of sending.
enum class LeaseTicket : quint64 {};

// What a client believes about a lock it took. The belief ends at the deadline, whatever happened in between.
struct Hold {
    qint64 count = 0;
    // Counted from before the command that set the TTL was sent, and the earliest of all that may have set it: never
    // later than the server's.
    SteadyTime deadline{};
    Milliseconds lease{0};  // what a partial release sets the TTL to
    Renewal renewal = Renewal::FixedLease;

    struct SentLease {
        LeaseTicket ticket;
        SteadyTime deadline;
    };
    SteadyTime knownDeadline{};            // of the last command that is known to have happened
    std::vector<SentLease> unknownLeases;  // of commands sent after it
};

// The locks that a client believes to hold, with the earliest deadline at hand. No timers, no I/O.
class LOCKKEEPER_EXPORT HeldLocks {
public:
    // To be called before a command that sets the TTL is sent: until more is known it may have happened, or not.
    [[nodiscard]] LeaseTicket leaseSent(const HoldKey& key, SteadyTime deadline);
    void leaseSet(const HoldKey& key, LeaseTicket ticket, SteadyTime deadline);
    void leaseNotSet(const HoldKey& key, LeaseTicket ticket);

    void acquired(const HoldKey& key, LeaseTicket ticket, SteadyTime deadline, Milliseconds lease, Renewal renewal);
    // One hold was given back and others remain, or a re-read told the true count.
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

    void updateDeadline(Holds::value_type& entry);

    Holds m_holds;
    std::set<DeadlineEntry> m_deadlines;
    qsizetype m_renewedCount = 0;
    quint64 m_lastTicket = 0;
};

}  // namespace lockkeeper::locks
