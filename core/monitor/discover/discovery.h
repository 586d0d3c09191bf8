// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockkeeper_monitor_export.h"
#include "monitor/discover/candidatereader.h"
#include "monitor/discover/nonlockmemory.h"
#include "monitor/discover/tokensample.h"
#include "monitor/model/monitorbatch.h"
#include "monitor/model/namescope.h"
#include "monitor/model/nodescope.h"
#include "monitor/observe/clientflags.h"
#include "monitor/observe/namereads.h"
#include "monitor/observe/read/sweeppace.h"
#include "monitor/observe/read/synchronizerdecoder.h"
#include "monitor/observe/sources/subkeyevents.h"
#include "monitor/observe/sources/waitercount.h"
#include "profile/discoverysettings.h"

#include <QObject>
#include <QSet>

namespace lockkeeper::monitor {

// Finds locks that are not known yet. It sweeps the keyspace with SCAN, repeatedly and at a measured pace, reads who
// waits on which channel, and receives new names if the server publishes them. It uses its own connection without
// tracking, so that the server's table of tracked keys does not fill with keys that are not locks. It works without
// each command that the server refuses, and notes the refusal. Thread: the clock's. Signals come from the event loop.
// Budget, denials and clock must outlive it.
class LOCKKEEPER_MONITOR_EXPORT Discovery : public QObject, public NameScope {
    Q_OBJECT
public:
    // known: locks that are already watched are not read here. tracked: reads on the connection on which the found
    // locks will be watched. known, tracked and the scope must outlive this object.
    Discovery(const redis::ConnectionOptions& options, const redis::TransportFactory& makeTransport, Clock& clock,
              ReadBudget& budget, Denials& denials, profile::DiscoverySettings settings, const KnownLocks& known,
              TrackedReads& tracked, const NodeScope& scope = wholeServer());
    ~Discovery() override;

    void open();
    // Sweeps as soon as there is a connection, until stop().
    void beginSweeps();
    // Stops permanently.
    void stop();

    // Running or Paused. While paused, nothing is scanned, and a sweep continues where it stopped; waiters are still
    // counted.
    void setState(DiscoveryState state);
    [[nodiscard]] DiscoveryState state() const noexcept { return m_scanRefused ? DiscoveryState::Refused : m_state; }
    // Whether locks of this name are wanted on this node.
    [[nodiscard]] bool isInScope(const LockName& name) const override;

    // Whether this is a lock. Without a client's UUID in its fields other hashes are like it: then somebody must have
    // named it as a lock, a waiter or the user.
    [[nodiscard]] bool isProven(const LockSnapshot& lock) const;

    // Whether the name was found to be no lock; some sweeps check such a name again.
    [[nodiscard]] bool isKnownNoLock(const LockName& name) const { return m_nonLocks.contains(name.bytes()); }
    // Reads all keys again in the next sweep: some could not be read before.
    void forgetNonLocks() { m_nonLocks.clear(); }

    // Reads a name at once because a message was about it; unknownNameRead() reports the result.
    void readUnknownName(const LockName& name);

    // Reads names under which something happened; confirmed() reports the locks among them.
    [[nodiscard]] NameReads& touchedNames() noexcept { return m_touchedNames; }
    // As touchedNames(), for names that the server reports as changed because it tracks their keys. See
    // Observer::unknownNameInvalidated().
    [[nodiscard]] NameReads& invalidatedNames() noexcept { return m_invalidatedNames; }

    // The locks that clients wait for, including clients that are connected to another node. Unknown ones are read with
    // the next count.
    void noteWaitedFor(const QSet<LockName>& names) { m_waitedFor = names; }
    // Counts the clients that wait for locks, with each sweep and during long sweeps.
    [[nodiscard]] WaiterCount& waiterCount() noexcept { return m_waiters; }
    // Reports names under which clients have just written holders, if the server publishes that.
    [[nodiscard]] SubkeyEvents& subkeyEvents() noexcept { return m_subkeys; }

    [[nodiscard]] bool noticesNewNames() const noexcept { return m_subkeys.areReceived(); }

    // The number of keys scanned so far in the present sweep.
    [[nodiscard]] quint64 keysThisSweep() const noexcept { return m_keysThisSweep; }
    [[nodiscard]] qint64 databaseSize() const noexcept { return m_databaseSize.value_or(0); }
    // Token keys of fenced locks, estimated from a sample of the last whole sweep; nothing for a small keyspace.
    [[nodiscard]] const std::optional<TokenLitter>& tokenLitter() const noexcept { return m_tokens.last(); }
    // Sets of leases of permits; nothing unless the last sweep that has scanned for them found very many.
    [[nodiscard]] const std::optional<LeaseLitter>& leaseLitter() const noexcept { return m_leaseLitter; }
    [[nodiscard]] const redis::Connection& connection() const noexcept { return m_connection; }
    // The connection of the discovery, for other readers that need no connection of their own.
    [[nodiscard]] redis::Connection& connection() noexcept { return m_connection; }

Q_SIGNALS:
    // A key that is a lock, held or with waiters.
    void confirmed(const lockkeeper::monitor::LockSnapshot& lock, lockkeeper::monitor::Confirmation confirmation);
    // The result of readUnknownName(): held or free; nothing if it is no lock or could not be read.
    void unknownNameRead(const lockkeeper::LockName& name,
                         const std::optional<lockkeeper::monitor::LockSnapshot>& lock);
    // All names that may be semaphores, besides those that clients wait for; after each sweep that has scanned for
    // them.
    void synchronizersFound(const QList<lockkeeper::monitor::AwaitedName>& found);
    // A whole sweep has ended; keys: how many it scanned.
    void swept(quint64 keys);
    void progressed();

private:
    using SweepEnd = CandidateReader::End;
    // Held locks are hashes. A free fair lock whose waiters have crashed has only its queue. A semaphore without
    // waiters shows itself by the leases of its permits, or the user has named it.
    enum class ScanFor { Hashes, FairQueues, PermitLeases, Semaphores };

    Task<void> run();
    Task<SweepEnd> sweep();
    Task<SweepEnd> scanForHelpers(SweepPace pace);
    void noteLeases(const AwaitedName& found);
    void collectSynchronizers(const std::vector<redis::RespValue>& keys, ScanFor wanted);
    Task<SweepEnd> readContended();
    Task<SweepEnd> scan(SweepPace pace, ScanFor wanted);
    void noteProgress(const QByteArray& cursor, size_t hashes);
    QList<LockName> candidatesAmong(const std::vector<redis::RespValue>& keys, ScanFor wanted);
    redis::Command scanCommand(const QByteArray& cursor, int count, ScanFor wanted) const;
    Task<Result<redis::RespValue>> scanAnswer(Completion<redis::RespValue> sent, QByteArray cursor, int count,
                                              ScanFor wanted);
    Task<std::chrono::nanoseconds> measureRoundTrip();
    Task<std::chrono::nanoseconds> measureSize();
    [[nodiscard]] SweepPace paceFor(std::chrono::nanoseconds roundTrip) const;
    Task<void> sampleTokens(QByteArray from, QByteArray to, int count);
    Task<void> examineLeases();
    Task<SweepEnd> readFound(QList<LockName> names, ScanFor wanted, bool sweepGoesOn);
    void judge(const LockName& name, const LockReading& reading, Confirmation confirmation);
    Task<void> readOne(LockName name);
    // Whether a key with this name may be a wanted lock, judged by the name alone.
    [[nodiscard]] bool isWanted(const LockName& name) const;
    bool isCandidate(const LockName& name);
    [[nodiscard]] bool isWaitedFor(const LockName& name) const {
        return m_waiters.waiting().contains(name) || m_waitedFor.contains(name);
    }
    Task<void> holdWhilePaused();

    Task<Result<redis::RespValue>> ask(redis::Command command);
    // Returns by how much the pause was longer.
    Task<std::chrono::nanoseconds> pause(std::chrono::nanoseconds time);

    Clock& m_clock;
    ReadBudget& m_budget;
    Denials& m_denials;
    const profile::DiscoverySettings m_settings;
    const KnownLocks& m_known;
    const NodeScope& m_scope;
    redis::Connection m_connection;
    ClientFlags m_flags;
    LockReader m_reader;
    NonLockMemory m_nonLocks;
    CandidateReader m_candidates;
    NameReads m_touchedNames;
    NameReads m_invalidatedNames;
    WaiterCount m_waiters;
    QSet<LockName> m_waitedFor;
    SubkeyEvents m_subkeys;
    QSet<LockName> m_unknownInFlight;
    QMap<LockName, AwaitedName> m_synchronizers;  // found by the present sweep
    TokenSample m_tokens;
    quint64 m_leaseSets = 0;           // found by the present sweep
    QList<AwaitedName> m_leaseSample;  // the first of them
    std::optional<LeaseLitter> m_leaseLitter;
    bool m_sweeping = false;
    bool m_scanTakesType = true;  // Redis 6+
    bool m_scanRefused = false;
    quint64 m_sweeps = 0;  // only whole ones
    DiscoveryState m_state = DiscoveryState::Running;
    Completion<Done> m_resumed;  // completes when a pause ends
    quint64 m_losses = 0;        // how often the connection was lost
    std::optional<qint64> m_databaseSize;
    quint64 m_keysThisSweep = 0;
    quint64 m_hashesThisSweep = 0;
    TaskScope m_tasks;  // last: its tasks end before what they use
};

}  // namespace lockkeeper::monitor
