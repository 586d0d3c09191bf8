#pragma once

#include "base/clock.h"
#include "history/eventstore.h"

#include <QObject>
#include <QThread>

#include <memory>

namespace lockkeeper::history {

struct RecorderOptions {
    QString path;  // of the file; empty: nothing is kept
    Retention retention;
    Milliseconds interval{500};  // between two writes
    size_t waiting = 20'000;     // events that a slow disk may keep waiting; the oldest are dropped
};

// Keeps events on disk without making anybody wait for it: reads and writes on a thread of its own. A disk that fails is
// told of once; the next write tries again. Thread: the clock's, which must outlive it; its signals come from there.
class LOCKKEEPER_EXPORT Recorder : public QObject {
    Q_OBJECT
public:
    static constexpr int mostLoaded = 10'000;

    Recorder(RecorderOptions options, Clock& clock, QObject* parent = nullptr);
    // Writes what waits, and waits for that.
    ~Recorder() override;

    // What is appended from now on is about this connection. loaded() follows, once, with what is known of it.
    void record(const QString& connection);
    void append(const std::vector<monitor::LockEvent>& events);
    // Up to now it was watched. Nothing is kept until the next record().
    void stop();
    // From now on; what lies beyond it is dropped at once.
    void setRetention(const Retention& retention);
    // Of any connection, also of earlier ones, with what waits to be written. wasRead() answers exactly once.
    void read(OperationId operation, const HistoryQuery& query);
    // Everything that is kept about the connection, for good. forgotten() answers exactly once.
    void forget(OperationId operation, const QString& connection);

Q_SIGNALS:
    // The newest events of the connection, oldest first; empty also when they cannot be read.
    void loaded(const QString& connection, const std::vector<lockkeeper::monitor::LockEvent>& events);
    void wasRead(lockkeeper::OperationId operation, const lockkeeper::history::HistoryExcerpt& excerpt);
    void forgotten(lockkeeper::OperationId operation, const std::optional<lockkeeper::Error>& error);
    void failed(const lockkeeper::Error& error);
    // The file could not be used and lies there now; a new one was begun.
    void setAside(const QString& path);

private:
    class Writer;

    void finish();
    void write();
    void written(const Result<Done>& result);
    void tell(const Error& error);
    template <typename Call>
    void post(Call call);

    RecorderOptions m_options;
    Clock& m_clock;
    QThread m_thread;
    Writer* m_writer;  // lives and dies on m_thread
    QString m_connection;
    std::vector<monitor::LockEvent> m_waiting;
    bool m_writing = false;  // on its way; what comes meanwhile waits here, where it is bounded
    bool m_told = false;  // of the present trouble
    QString m_setAside;
    Clock::TimerId m_timer = Clock::TimerId::None;
};

}  // namespace lockkeeper::history
