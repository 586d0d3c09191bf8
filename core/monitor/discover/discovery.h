#pragma once

#include "lockkeeper_monitor_export.h"
#include "monitor/model/monitorbatch.h"
#include "monitor/discover/candidatereader.h"
#include "monitor/observe/clientflags.h"
#include "monitor/observe/namelooks.h"
#include "monitor/discover/nonlockmemory.h"
#include "monitor/observe/sources/subkeyevents.h"
#include "monitor/observe/read/sweeppace.h"
#include "monitor/discover/tokensample.h"
#include "monitor/observe/sources/waitercount.h"
#include "profile/discoverysettings.h"

#include <QObject>
#include <QSet>

namespace lockkeeper::monitor {

// Finds locks that nobody knows yet: sweeps the keyspace with SCAN, again and again and at a measured pace, asks who
// waits on which channel, and hears of new names where the server publishes them. Works on a connection of its own
// without tracking, so that the server's memory of tracked keys never fills with keys that turn out to be no locks.
// Each command that is refused is done without and noted. Thread: the clock's. Signals come from the event loop.
// Budget, denials and clock must outlive it.
class LOCKKEEPER_MONITOR_EXPORT Discovery : public QObject {
    Q_OBJECT
public:
    using IsKnown = WaiterCount::IsKnown;

    // isKnown: locks that are watched already and need no reading here. tracked: reads where those that are found will
    // be watched.
    Discovery(const redis::ConnectionOptions& options, const redis::TransportFactory& makeTransport, Clock& clock,
              ReadBudget& budget, Denials& denials, profile::DiscoverySettings settings, IsKnown isKnown,
              CandidateReader::TrackedBulk tracked);
    ~Discovery() override;

    void open();
    // Sweeps as soon as there is a connection, until stop().
    void beginSweeps();
    // For good.
    void stop();

    // Running or Paused. Paused, nothing is scanned until it runs again, from where it stopped; who waits is asked all
    // the same.
    void setState(DiscoveryState state);
    [[nodiscard]] DiscoveryState state() const noexcept { return m_scanRefused ? DiscoveryState::Refused : m_state; }
    // Whether locks of this name are looked for at all.
    [[nodiscard]] bool isInScope(const LockName& name) const;

    // It was read, or sorted out, and is none; sweeps look again now and then.
    [[nodiscard]] bool isKnownNoLock(const LockName& name) const { return m_nonLocks.contains(name.bytes()); }

    // Reads a lock that a message was about, at once; strangerRead() tells.
    void readStranger(const LockName& name);

    // Looks at names that something happened under; proved() tells of the locks among them.
    [[nodiscard]] NameLooks& touchedNames() noexcept { return m_touchedNames; }

    // Who waits for locks; counted with each sweep and during long ones.
    [[nodiscard]] WaiterCount& waiterCount() noexcept { return m_waiters; }
    // Tells of names that clients have just written holders under, where the server publishes that.
    [[nodiscard]] SubkeyEvents& subkeyEvents() noexcept { return m_subkeys; }

    [[nodiscard]] bool hearsNewNames() const noexcept { return m_subkeys.areHeard(); }

    // Of the sweep under way.
    [[nodiscard]] quint64 keysThisSweep() const noexcept { return m_keysThisSweep; }
    [[nodiscard]] qint64 databaseSize() const noexcept { return m_databaseSize.value_or(0); }
    // Token keys of fenced locks, as the last whole sweep found them in a sample; nothing on a small keyspace.
    [[nodiscard]] const std::optional<TokenLitter>& tokenLitter() const noexcept { return m_tokens.last(); }
    [[nodiscard]] const redis::Connection& connection() const noexcept { return m_connection; }
    // For others who only look, and for whom another connection would be too many.
    [[nodiscard]] redis::Connection& connection() noexcept { return m_connection; }

Q_SIGNALS:
    // A key that is a lock; or a free one that somebody waits for.
    void proved(const lockkeeper::monitor::LockSnapshot& lock, lockkeeper::monitor::Proof proof);
    // The answer to readStranger(): held or free, or nothing when it is no lock or could not be read.
    void strangerRead(const lockkeeper::LockName& name, const std::optional<lockkeeper::monitor::LockSnapshot>& lock);
    // A whole sweep has ended; keys: as many as it went over.
    void swept(quint64 keys);
    void progressed();

private:
    using SweepEnd = CandidateReader::End;
    // Held locks are hashes. Of a free fair lock whose waiters are no more, only the queue is left.
    enum class Looking { ForHashes, ForFairQueues };

    Task<void> run();
    Task<SweepEnd> sweep();
    Task<SweepEnd> lookAtContended();
    Task<SweepEnd> scan(SweepPace pace, Looking looking);
    void noteProgress(const QByteArray& cursor, size_t hashes);
    QList<LockName> candidatesAmong(const std::vector<redis::RespValue>& keys, Looking looking);
    redis::Command scanCommand(const QByteArray& cursor, int count, Looking looking) const;
    Task<Result<redis::RespValue>> scanAnswer(Completion<redis::RespValue> sent, QByteArray cursor, int count,
                                              Looking looking);
    Task<std::chrono::nanoseconds> measureRoundTrip();
    Task<std::chrono::nanoseconds> measureSize();
    Task<void> sampleTokens(QByteArray from, QByteArray to, int count);
    Task<SweepEnd> readFound(QList<LockName> names, Looking looking, bool sweepGoesOn);
    void judge(const LockName& name, const LockReading& reading, Proof proof);
    Task<void> readOne(LockName name);
    bool isCandidate(const LockName& name);
    Task<void> holdWhilePaused();

    Task<Result<redis::RespValue>> ask(redis::Command command);
    Task<void> pause(std::chrono::nanoseconds time);

    Clock& m_clock;
    ReadBudget& m_budget;
    Denials& m_denials;
    const profile::DiscoverySettings m_settings;
    const IsKnown m_isKnown;
    redis::Connection m_connection;
    ClientFlags m_flags;
    LockReader m_reader;
    NonLockMemory m_nonLocks;
    CandidateReader m_candidates;
    NameLooks m_touchedNames;
    WaiterCount m_waiters;
    SubkeyEvents m_subkeys;
    QSet<LockName> m_strangersInFlight;
    TokenSample m_tokens;
    bool m_sweeping = false;
    bool m_scanTakesType = true;  // Redis 6+
    bool m_scanRefused = false;
    quint64 m_sweeps = 0;  // whole ones
    DiscoveryState m_state = DiscoveryState::Running;
    Completion<Done> m_resumed;  // while paused
    quint64 m_losses = 0;        // of the connection
    std::optional<qint64> m_databaseSize;
    quint64 m_keysThisSweep = 0;
    quint64 m_hashesThisSweep = 0;
    TaskScope m_tasks;  // last: its tasks end before what they use
};

}  // namespace lockkeeper::monitor
