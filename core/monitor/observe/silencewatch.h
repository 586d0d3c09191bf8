// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/clocktimer.h"
#include "lockkeeper_monitor_export.h"
#include "redis/connection.h"

#include <QObject>

namespace lockkeeper::monitor {

// Notices that a server does not answer, long before its connection counts as lost: a command has no answer at two
// checks in a row. A pause of this program is no silence of the server, so times alone do not decide. It sends a PING
// only if nothing else is sent for two intervals. Nothing counts as lost because of a silence. Thread: the
// connection's, which must outlive it.
class LOCKKEEPER_MONITOR_EXPORT SilenceWatch : public QObject {
    Q_OBJECT
public:
    static constexpr Milliseconds interval{2000};

    explicit SilenceWatch(redis::Connection& connection);

    void start() { m_timer.start(interval); }
    // Stops permanently.
    void stop() { m_timer.stop(); }
    // For how long a command has had no answer, as of the last check; 0: the server answers, or there is no connection.
    [[nodiscard]] Milliseconds silence() const noexcept { return m_silence; }

Q_SIGNALS:
    // While the server is silent, after each check.
    void changed();

private:
    void check();
    void askAgain();
    void setSilence(Milliseconds silence);

    redis::Connection& m_connection;
    std::optional<SteadyTime> m_waitingSince;  // the unanswered command at the last check
    Milliseconds m_silence{0};
    ClockTimer m_timer;
};

}  // namespace lockkeeper::monitor
