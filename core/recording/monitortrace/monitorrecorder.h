// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "async/taskscope.h"
#include "lockkeeper_monitor_export.h"
#include "recording/monitortrace/monitorcapture.h"
#include "redis/connection.h"
#include "topology/shards.h"

#include <QObject>

namespace lockkeeper::monitor {
class MonitorConnection;
}

namespace lockkeeper::recording {

// Runs MONITOR on a connection of its own until the limit, or until the recording has its greatest size, and makes a
// recording of it while it runs. It only reads. Thread: the clock's, which must outlive it.
class LOCKKEEPER_MONITOR_EXPORT MonitorRecorder : public QObject {
    Q_OBJECT
public:
    // The shards must outlive it.
    MonitorRecorder(redis::ConnectionOptions options, topology::Shards& shards, Clock& clock,
                    QObject* parent = nullptr);
    ~MonitorRecorder() override;

    // finished() reports the result once. While one is running, another one is refused with Overloaded.
    void capture(OperationId id, const CaptureRequest& request);
    // Ends this MONITOR at once; what it has seen so far is the result.
    void cancel(OperationId id);
    [[nodiscard]] bool isRunning() const noexcept { return m_current.has_value(); }

    // Of the recording, in memory.
    static constexpr qint64 mostBytes = 16 * 1024 * 1024;

Q_SIGNALS:
    void finished(lockkeeper::OperationId id, const lockkeeper::recording::MonitorCapture& captured);

private:
    Task<void> run(OperationId id, CaptureRequest request, redis::TransportFactory makeTransport);
    Task<Result<Done>> listen(monitor::MonitorConnection* connection, CaptureRequest request, MonitorCapture* captured);

    const redis::ConnectionOptions m_options;
    topology::Shards& m_shards;
    Clock& m_clock;
    std::optional<OperationId> m_current;
    Completion<Done> m_end;  // completed early: cancelled, full, or the connection is lost
    TaskScope m_scope;
};

}  // namespace lockkeeper::recording
