// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "async/taskscope.h"
#include "lockkeeper_monitor_export.h"
#include "monitor/model/denials.h"
#include "redis/connection.h"

#include <map>

namespace lockkeeper::monitor {

// Asks every 30 s whether the server still refuses what it has refused: one command without effect for each denial, on
// a shared connection. If something is allowed now, the rights have changed, and restored() asks for a new connection:
// each part of the monitor tries its commands again there. If it is refused there all the same, the pause doubles, up
// to an hour. Without denials it sends nothing. Thread: the connection's. Connection and denials must outlive it.
class LOCKKEEPER_MONITOR_EXPORT RightsWatch : public QObject {
    Q_OBJECT
public:
    static constexpr Milliseconds interval{30'000};
    static constexpr Milliseconds longestPause{3'600'000};

    RightsWatch(redis::Connection& connection, const Denials& denials) : m_connection(connection), m_denials(denials) {}

    void start();
    // Stops permanently.
    void stop() { m_tasks.stop(); }

    // The commands without effect that show whether the server refuses this one, as a denial names it. Empty: none are
    // known.
    [[nodiscard]] static std::vector<redis::Command> questionsAbout(const QString& command);

Q_SIGNALS:
    void restored();

private:
    // After a new connection for a denial.
    struct Pause {
        SteadyTime until;
        Milliseconds length{0};
    };

    Task<void> run();
    Task<bool> isRestored(Denial denial);
    [[nodiscard]] std::vector<redis::Command> questionsFor(const Denial& denial) const;
    void noteRestored(const Denial& denial);

    redis::Connection& m_connection;
    const Denials& m_denials;
    std::map<Denials::Key, Pause> m_pauses;
    bool m_started = false;
    TaskScope m_tasks;  // last: its tasks end before what they use
};

}  // namespace lockkeeper::monitor
