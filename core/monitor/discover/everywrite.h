// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/clock.h"
#include "lockkeeper_monitor_export.h"
#include "monitor/discover/writepace.h"
#include "monitor/model/writereports.h"
#include "monitor/observe/sources/broadcasttracking.h"

namespace lockkeeper::monitor {

// Lets the server report each write of any key, where there are few writes: while the server's load is known and low,
// and until it reports more than WriteLimits allows. Then it disconnects at once and tries again after a growing pause.
// Thread: the clock's, which must outlive it.
class LOCKKEEPER_MONITOR_EXPORT EveryWrite : public QObject {
    Q_OBJECT
public:
    EveryWrite(const redis::ConnectionOptions& options, const redis::TransportFactory& makeTransport, Clock& clock,
               const WriteLimits& limits);
    ~EveryWrite() override;

    // There is a connection to the server, perhaps another server than before: forgets what was learned about it.
    void startOver();
    // The server's load; nothing if the server does not report it. Each call also reads the server's output buffer
    // limit again, which bounds what the server keeps for a stopped client.
    void noteLoad(std::optional<qint64> commandsPerSecond);
    void setPaused(bool paused);
    // The server reports more names than can be read.
    void giveWay();
    // Stops permanently.
    void stop();

    [[nodiscard]] WriteReports state() const noexcept { return m_state; }

Q_SIGNALS:
    void stateChanged();
    void written(const QByteArrayList& keys);

private:
    void update();
    void onBegan();
    void onWritten(const QByteArrayList& keys);
    void onRefused(BroadcastTracking::Obstacle obstacle);
    void restFor(Milliseconds time);
    void setState(WriteReports state);

    Clock& m_clock;
    const WriteLimits m_limits;
    BroadcastTracking m_tracking;
    WritePace m_pace;
    std::optional<qint64> m_load;
    bool m_isLoadRead = false;
    bool m_isPaused = false;
    bool m_isStopped = false;
    WriteReports m_state = WriteReports::NotYet;
    WriteReports m_beforePause = WriteReports::NotYet;
    Clock::TimerId m_rest = Clock::TimerId::None;  // runs during a pause; no attempt before its end
};

}  // namespace lockkeeper::monitor
