// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "async/taskscope.h"
#include "lockkeeper_monitor_export.h"
#include "monitor/model/denials.h"
#include "monitor/model/nodescope.h"
#include "monitor/model/replicas.h"
#include "monitor/model/scriptstorm.h"
#include "monitor/observe/read/serverclock.h"
#include "redis/connection.h"

#include <vector>

namespace lockkeeper::monitor {

// The figures in the answer to INFO about the clients of this server.
struct ServerFigures {
    std::optional<quint64> noScriptErrors;  // since its start; nothing: the server does not count them (before 6.2)
    std::optional<int> replicas;            // connected replicas; nothing: the server itself is a replica
    int silentReplicas = 0;                 // of these: see Replicas

    std::optional<quint64> swaps;  // calls of SWAPDB since its start
    std::optional<qint64> commandsPerSecond;

    friend bool operator==(const ServerFigures&, const ServerFigures&) = default;
};

[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT ServerFigures parseServerFigures(QByteArrayView info);

// Reads INFO every ten seconds on a shared connection. It finds script storms, counts the replicas, reads how busy the
// server is, notices SWAPDB, which causes no message or notification, and follows the server's clock. It sends a single
// command, because servers before 7.0 answer one section or all of them. After a refusal, which is noted, it pauses for
// a minute. Thread: the connection's. Connection, denials and scope must outlive it.
class LOCKKEEPER_MONITOR_EXPORT InfoWatch : public QObject {
    Q_OBJECT
public:
    static constexpr Milliseconds interval{10000};
    // How long an ended storm is reported, and how long a missing replica is expected to return.
    static constexpr Milliseconds memory{600'000};

    InfoWatch(redis::Connection& connection, Denials& denials, const NodeScope& scope);

    // Reads as soon as there is a connection, until stop().
    void start();
    // Stops permanently.
    void stop() { m_tasks.stop(); }

    [[nodiscard]] const std::optional<ScriptStorm>& storm() const noexcept { return m_storm; }
    [[nodiscard]] const Replicas& replicas() const noexcept { return m_replicas; }
    // False also if the replicas are not known, and for a while after the server had replicas: clients may be
    // subscribed there.
    [[nodiscard]] bool isWithoutReplicas() const noexcept { return m_areReplicasKnown && m_replicas == Replicas(); }
    // The command rate at the last read; nothing: not known.
    [[nodiscard]] std::optional<qint64> commandsPerSecond() const noexcept { return m_commandsPerSecond; }
    // Completes with whether the server's clock has kept pace with this program's from `since` until after `ended`;
    // reads it again if the last reading is older. True where the server does not show its clock. Fails with the
    // connection.
    [[nodiscard]] Completion<bool> checkClock(SteadyTime since, SteadyTime ended);

Q_SIGNALS:
    void stormChanged();
    void replicasChanged();
    // The keys may be those of another database now.
    void databasesSwapped();
    // commandsPerSecond() was updated, or the server refuses to report it.
    void loadRead();

private:
    struct Count {
        quint64 errors = 0;
        SteadyTime at{};
    };

    Task<void> run();
    void onStateChanged();
    void noteErrors(quint64 errors);
    void noteReplicas(int connected, int silent);
    void noteSwaps(quint64 swaps);
    void noteFigures(const ServerFigures& figures);
    void noteClock(QByteArrayView info, SteadyTime askedAt);
    Task<void> readClock();
    void answerClockChecks(const Result<Done>& read, SteadyTime askedAt);

    redis::Connection& m_connection;
    Clock& m_clock;
    Denials& m_denials;
    const NodeScope& m_scope;
    std::optional<Count> m_before;   // on this connection, because another server counts from the beginning
    std::optional<quint64> m_swaps;  // on this connection
    std::optional<ScriptStorm> m_storm;
    SteadyTime m_stormAt{};
    Replicas m_replicas;
    bool m_areReplicasKnown = false;  // read on this connection
    std::optional<qint64> m_commandsPerSecond;
    SteadyTime m_completeAt{};  // when no replica was missing last
    struct ClockCheck {
        SteadyTime since;
        SteadyTime ended;
        Completion<bool> answer;
    };
    ServerClock m_serverClock;
    bool m_showsClock = true;               // false after a refusal, or an answer without a time
    std::vector<ClockCheck> m_clockChecks;  // in progress
    bool m_isReadingClock = false;
    bool m_started = false;
    TaskScope m_tasks;  // last: its tasks end before what they use
};

}  // namespace lockkeeper::monitor
