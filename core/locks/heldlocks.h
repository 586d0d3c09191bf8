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
    // Without the client's id: the holds of one client share it, and a hash is taken several times for each command.
    friend size_t qHash(const HoldKey& key, size_t seed = 0) noexcept {
        return qHashMulti(seed, key.name, static_cast<qint64>(key.holder.thread()), static_cast<int>(key.mode));
    }
};

enum class Renewal { FixedLease, Watchdog };

// A command that sets a lock's TTL, sent and not known to have failed. Numbered in the order of sending.
enum class LeaseTicket : quint64 {};

// Why a command sets a TTL. An exclusive lock's is set to what the command says; a read/write lock's is never shortened
// by an acquire or a renewal, and a reader's release leaves its other holds what they had (protocol.md, "Acquire").
enum class LeaseCause { Acquire, Renewal, Release };

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
        quint64 order;  // of running: the ticket's number, unless it was sent again
        SteadyTime deadline;
    };
    SteadyTime knownDeadline{};            // of the last command that is known to have happened
    std::vector<SentLease> unknownLeases;  // of commands sent after it
    // Of a reader only, whose every hold has a timeout key of its own: one for each hold, the oldest first.
    std::vector<SteadyTime> readDeadlines;
};

// The locks that a client believes to hold, with the earliest deadline at hand. No timers, no I/O.
class LOCKKEEPER_EXPORT HeldLocks {
public:
    // To be called before a command that sets the TTL is sent: until more is known it may have happened, or not.
    [[nodiscard]] LeaseTicket leaseSent(const HoldKey& key, SteadyTime deadline, LeaseCause cause);
    // The server did not know its script, so it runs after whatever was sent since.
    void leaseSentAgain(const HoldKey& key, LeaseTicket ticket);
    void leaseSet(const HoldKey& key, LeaseTicket ticket, SteadyTime deadline, LeaseCause cause);
    void leaseNotSet(const HoldKey& key, LeaseTicket ticket);

    void acquired(const HoldKey& key, LeaseTicket ticket, SteadyTime deadline, Milliseconds lease, Renewal renewal);
    // What a partial release will set the TTL to.
    void setLease(const HoldKey& key, Milliseconds lease);
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

    static void noteLease(const HoldMode& mode, Hold& hold, LeaseTicket ticket, SteadyTime deadline, LeaseCause cause);
    void updateDeadline(Holds::value_type& entry);

    Holds m_holds;
    std::set<DeadlineEntry> m_deadlines;
    qsizetype m_renewedCount = 0;
    quint64 m_lastSent = 0;
};

}  // namespace lockkeeper::locks
