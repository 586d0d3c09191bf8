#pragma once

#include "lockkeeper_monitor_export.h"
#include "monitor/lockstore.h"
#include "monitor/observe/synchronizerwatch.h"
#include "monitor/discover/discovery.h"
#include "monitor/observe/observer.h"
#include "monitor/observe/sources/prefixtracking.h"

namespace lockkeeper::monitor {

struct MonitorOptions {
    Milliseconds batchInterval{50};   // between batches; zero: one each event-loop turn in which something changed
    int readsPerSecond = 2000;        // all reads of locks together
    Milliseconds pollInterval{1000};  // of each lock, where the server pushes nothing
    profile::DiscoverySettings discovery;
    QList<LockName> knownNames;       // of locks seen in earlier sessions: looked at first
    StoreLimits limits;
};

enum class MonitorPhase {
    Stopped,
    Connecting,  // first attempt under way
    Watching,
    Reconnecting,  // was watching, and keeps trying by itself; what it said is old
    Failed         // the first attempt failed; nothing is being tried
};

struct MonitorStatus {
    MonitorPhase phase = MonitorPhase::Stopped;
    std::optional<Error> error;  // why Failed or Reconnecting
    WallTime lastHeard{};        // Reconnecting: up to when it was true
    redis::ServerInfo server;    // Watching: what the handshake told

    friend bool operator==(const MonitorStatus&, const MonitorStatus&) = default;
};

// Watches all locks of one server and database: finds them, follows them, and hands out what changed in batches. Only
// reads: works on connections that are read-only, and with the rights that protocol.md calls the least.
//
// Use once: start(), then stop() or the destructor, either of which ends everything at once. Both may be called from a
// slot of its signals. Thread: the clock's; signals come from its event loop; the clock must outlive it.
class LOCKKEEPER_MONITOR_EXPORT Monitor : public QObject {
    Q_OBJECT
public:
    Monitor(redis::ConnectionOptions options, redis::TransportFactory makeTransport, Clock& clock,
            MonitorOptions monitorOptions = {}, QObject* parent = nullptr);
    ~Monitor() override;

    void start();
    void stop();
    [[nodiscard]] const MonitorStatus& status() const noexcept { return m_status; }

    // Something was done to this lock by us: look now, whatever the server says. Also makes an unknown lock known.
    void lookAgain(const LockName& name);
    void setDiscovery(DiscoveryState state) { m_discovery.setState(state); }

    // Null when not known; valid until control returns to the event loop.
    [[nodiscard]] const LockRow* row(const LockName& name) const { return m_store.row(name); }

Q_SIGNALS:
    void statusChanged(const lockkeeper::monitor::MonitorStatus& status);
    // Never empty; nothing comes while nothing changes, but for the sweeps' own figures.
    void batchReady(const lockkeeper::monitor::MonitorBatch& batch);

private:
    void onConnectionState(redis::Connection::State state);
    void onBegan();
    void onLooked(const LockSnapshot& lock, const Between& between);
    void lookAtKnownNames();
    void onTouched(const LockName& name);
    void onProved(const LockSnapshot& lock, Proof proof);
    void onStrangerHeard(const LockName& name);
    void onStrangerRead(const LockName& name, const std::optional<LockSnapshot>& lock);
    Kept learn(const LockSnapshot& lock, const Between& between);
    void setStatus(MonitorStatus status);

    void scheduleBatch();
    void sendBatch();
    void scheduleLooks();
    void lookAtDue();
    void scheduleCooling();
    void scheduleForget();
    void forgetFree();
    void scheduleStats();
    void refreshStats();
    MonitorStats stats() const;

    Clock& m_clock;
    const MonitorOptions m_options;
    ReadBudget m_budget;
    Denials m_denials;
    LockStore m_store;
    Observer m_observer;
    Discovery m_discovery;
    SynchronizerWatch m_synchronizers;  // on the discovery's connection
    PrefixTracking m_prefixes;
    MonitorStatus m_status;
    bool m_everReady = false;
    bool m_discovering = false;

    std::optional<MonitorStats> m_newStats;
    std::optional<SynchronizerLook> m_newSynchronizers;
    MonitorStats m_sentStats;
    quint64 m_keysInLastSweep = 0;
    SteadyTime m_lastBatch = SteadyTime::min();
    SteadyTime m_lastStats = SteadyTime::min();
    Clock::TimerId m_batchTimer = Clock::TimerId::None;
    Clock::TimerId m_lookTimer = Clock::TimerId::None;  // one for all locks
    SteadyTime m_lookTimerAt{};
    Clock::TimerId m_coolingTimer = Clock::TimerId::None;  // none while no lock is busy
    Clock::TimerId m_forgetTimer = Clock::TimerId::None;
    SteadyTime m_forgetTimerAt{};
    Clock::TimerId m_statsTimer = Clock::TimerId::None;
};

}  // namespace lockkeeper::monitor

Q_DECLARE_METATYPE(lockkeeper::monitor::MonitorStatus)
