// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "locks/hold.h"

#include <QMultiHash>

#include <optional>
#include <set>
#include <unordered_map>
#include <vector>

namespace lockkeeper::locks {

// Identifies a command that sets a lock's TTL, was sent, and is not known to have failed. Numbered in the order of
// sending.
enum class LeaseTicket : quint64 {};

// Why a command sets a TTL. An exclusive lock's TTL is set to the command's value. An acquire never shortens the TTL of
// a read/write lock. The renewal of a writer may shorten it, that of a reader does not. A reader's release leaves the
// TTLs of its other holds (core/locks/protocol.md, "Acquire" and "Watchdog").
enum class LeaseCause { Acquire, Renewal, Release };

// A hold, and the commands that may still change its deadline.
struct TrackedHold : Hold {
    struct SentLease {
        LeaseTicket ticket;
        quint64 order;  // order of execution: the ticket's number, unless the command was sent again
        SteadyTime deadline;
    };
    SteadyTime since{};                    // when the command that took it was sent
    SteadyTime knownDeadline{};            // set by the last command that is known to be executed
    std::vector<SentLease> unknownLeases;  // of the commands sent after that command
    // Only for a reader: each of its holds has its own timeout key. One deadline for each hold, the oldest hold first.
    std::vector<SteadyTime> readDeadlines;
};

// The locks that a client believes to hold, with quick access to the earliest deadline. No timers, no I/O.
class LOCKKEEPER_EXPORT HeldLocks {
public:
    // Call before a command that sets the TTL is sent. Until its outcome is known, both cases count: executed and not.
    [[nodiscard]] LeaseTicket leaseSent(const HoldKey& key, SteadyTime deadline, LeaseCause cause);
    // The server did not know the script. The script is sent again, and runs after the commands that were sent since.
    void leaseSentAgain(const HoldKey& key, LeaseTicket ticket);
    void leaseSet(const HoldKey& key, LeaseTicket ticket, SteadyTime deadline, LeaseCause cause);
    void leaseNotSet(const HoldKey& key, LeaseTicket ticket);

    // The server's TTL ends at this deadline. If the hold is believed to last longer, its deadline is corrected.
    // Returns whether it was corrected.
    bool leaseSeen(const HoldKey& key, SteadyTime deadline);

    const Hold& acquired(const HoldKey& key, LeaseTicket ticket, SteadyTime deadline, Milliseconds lease,
                         Renewal renewal);
    // Sets the TTL that a partial release will use.
    void setLease(const HoldKey& key, Milliseconds lease);
    // Call when one hold was released and others remain, or when a reconciliation has read the true count.
    void setCount(const HoldKey& key, qint64 count);
    // Returns whether there was such a hold.
    bool remove(const HoldKey& key);

    [[nodiscard]] const Hold* find(const HoldKey& key) const;
    [[nodiscard]] qint64 count(const HoldKey& key) const;
    [[nodiscard]] std::vector<HoldKey> keys() const;
    [[nodiscard]] std::vector<HoldKey> holdsOf(const LockName& name) const;
    // The number of holds of this name.
    [[nodiscard]] qsizetype holdersOf(const LockName& name) const { return m_byName.count(name); }
    // Since when this name is held, by its oldest hold; nothing if it is not held.
    [[nodiscard]] std::optional<SteadyTime> heldSince(const LockName& name) const;
    // The deadlines of a reader's holds, the oldest hold first; empty for other modes.
    [[nodiscard]] std::vector<SteadyTime> readDeadlines(const HoldKey& key) const;
    // The holds with a watchdog, the earliest deadline first.
    [[nodiscard]] std::vector<HoldKey> renewedKeys() const;
    [[nodiscard]] bool hasRenewed() const noexcept { return m_renewedCount > 0; }
    [[nodiscard]] std::optional<SteadyTime> earliestDeadline() const;
    // Removes and returns one hold whose deadline has passed.
    [[nodiscard]] std::optional<HoldKey> takeExpired(SteadyTime now);
    [[nodiscard]] qsizetype size() const noexcept { return static_cast<qsizetype>(m_holds.size()); }

private:
    using Holds = std::unordered_map<HoldKey, TrackedHold, HoldKeyHash>;
    // Points into m_holds, whose nodes never move.
    using DeadlineEntry = std::pair<SteadyTime, const HoldKey*>;

    static void noteLease(const HoldMode& mode, TrackedHold& hold, LeaseTicket ticket, SteadyTime deadline,
                          LeaseCause cause);
    void setDeadline(Holds::value_type& entry, LeaseTicket ticket, SteadyTime deadline, LeaseCause cause);
    void updateDeadline(Holds::value_type& entry);

    Holds m_holds;
    QMultiHash<LockName, const HoldKey*> m_byName;  // points into m_holds
    std::set<DeadlineEntry> m_deadlines;
    qsizetype m_renewedCount = 0;
    quint64 m_lastSent = 0;
};

}  // namespace lockkeeper::locks
