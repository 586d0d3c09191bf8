// SPDX-License-Identifier: Apache-2.0
#include "recording/monitortrace/monitorrecorder.h"

#include "monitor/analyse/who/monitorconnection.h"
#include "monitor/model/monitorcause.h"
#include "recording/monitortrace/tracespool.h"
#include "recording/monitortrace/tracetextreader.h"

namespace lockkeeper::recording {

MonitorRecorder::MonitorRecorder(redis::ConnectionOptions options, topology::Shards& shards, Clock& clock,
                                 QObject* parent)
    : QObject(parent), m_options(std::move(options)), m_shards(shards), m_clock(clock) {}

MonitorRecorder::~MonitorRecorder() {
    m_scope.stop();
}

void MonitorRecorder::capture(OperationId id, const CaptureRequest& request) {
    const std::optional<topology::ShardId> shard = m_shards.shardOfKey(request.lock.bytes());
    if (m_current || !shard) {
        MonitorCapture refused;
        refused.error = m_current ? Error(ErrorCode::Overloaded, monitor::MonitorCause::MonitorUnderWay)
                                  : Error(ErrorCode::ConnectionLost, Cause::NotConnected);
        Q_EMIT finished(id, refused);
        return;
    }
    m_current = id;
    m_end = Completion<Done>();
    m_scope.spawn(run(id, request, m_shards.transports(*shard)));
}

void MonitorRecorder::cancel(OperationId id) {
    if (m_current == id)
        m_end.complete(Done());
}

Task<void> MonitorRecorder::run(OperationId id, CaptureRequest request, redis::TransportFactory makeTransport) {
    monitor::MonitorConnection connection(m_options, makeTransport, m_clock);
    MonitorCapture captured;
    const Result<Done> heard = co_await listen(&connection, request, &captured);
    if (!heard)
        captured.error = heard.error();
    m_current.reset();
    Q_EMIT finished(id, captured);
}

// The whole time is not an error: only what ends it early may be one.
Task<Result<Done>> MonitorRecorder::listen(monitor::MonitorConnection* connection, CaptureRequest request,
                                           MonitorCapture* captured) {
    const Result<Done> opened = co_await connection->open(m_scope.stopToken());
    if (!opened)
        co_return opened.error();
    TraceSpool spool(request.server);
    TraceTextReader::Options options;
    options.server = request.server;
    options.scripts = TraceTextReader::Scripts::ByLines;  // nothing is filtered here
    TraceTextReader reader(
        options, [&spool](const Record& record, WallTime wall) { spool.add(record, wall, TraceNotes::Kind::Monitor); });
    connection->listen(
        [&reader, &spool, end = m_end](const QByteArray& line) {
            reader.feed(line);
            reader.feed("\n");
            if (spool.size() > mostBytes)
                end.complete(Done());
        },
        [end = m_end](const Error& error) { end.complete(error); });
    if (!m_end.isCompleted()) {  // otherwise it was cancelled meanwhile
        const Result<Done> begun = co_await connection->begin(m_scope.stopToken());
        if (!begun) {
            connection->silence();
            co_return begun.error();
        }
    }
    const Result<Done> ended = co_await m_end.wait(Deadline::in(m_clock, request.limit), m_scope.stopToken());
    connection->silence();
    connection->close();  // as early as possible: it costs the server time
    reader.end();
    captured->notes = reader.notes();
    captured->notes.isFull = spool.size() > mostBytes;
    if (reader.hasFound())
        captured->recording = std::make_shared<const QByteArray>(spool.take()->readAll());
    if (!ended && ended.error().code != ErrorCode::Timeout)
        co_return ended.error();
    co_return Done();
}

}  // namespace lockkeeper::recording

#include "moc_monitorrecorder.cpp"
