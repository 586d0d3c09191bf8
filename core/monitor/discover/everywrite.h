// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/clock.h"
#include "lockkeeper_monitor_export.h"
#include "monitor/discover/writepace.h"
#include "monitor/model/writereports.h"
#include "monitor/observe/sources/broadcasttracking.h"

namespace lockkeeper::monitor {

// Lets the server report each write of any key, where writes are few: while the server's load is known and low, until
// more is reported than WriteLimits allows. Then it disconnects at once and tries again after a pause that grows.
// Thread: the clock's, which must outlive it.
class LOCKKEEPER_MONITOR_EXPORT EveryWrite : public QObject {
    Q_OBJECT
public:
    EveryWrite(const redis::ConnectionOptions& options, const redis::TransportFactory& makeTransport, Clock& clock,
               const WriteLimits& limits);
    ~EveryWrite() override;

    // There is a connection to the server, perhaps to another one than before: what was learned about it is forgotten.
    void startOver();
    // The server's load; nothing if it does not say. Each time the bound of what it keeps for a stopped client is read
    // again.
    void noteLoad(std::optional<qint64> commandsPerSecond);
    void setPaused(bool paused);
    // More names are reported than can be read.
    void giveWay();
    // Permanently.
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
    Clock::TimerId m_rest = Clock::TimerId::None;  // no attempt before its end
};

}  // namespace lockkeeper::monitor
