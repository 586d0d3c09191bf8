#pragma once

#include "base/clock.h"
#include "history/eventstore.h"
#include "lockkeeper_monitor_export.h"

#include <QObject>
#include <QThread>

#include <memory>

namespace lockkeeper::history {

struct RecorderOptions {
    QString path;  // of the file; empty: nothing is kept
    Retention retention;
    Milliseconds interval{500};  // between two writes
    // Events that a slow disk may keep waiting, and so many of each connection that a failing one may. The oldest are
    // dropped, and a NotWatched that says so stands in their place.
    size_t waiting = 20'000;
};

// Keeps events on disk without making anybody wait for it: reads and writes on a thread of its own. A disk that fails is
// told of once; what could not be written is kept and tried again. Thread: the clock's, which must outlive it; its
// signals come from there.
class LOCKKEEPER_MONITOR_EXPORT Recorder : public QObject {
    Q_OBJECT
public:
    static constexpr int mostLoaded = 10'000;

    Recorder(RecorderOptions options, Clock& clock, QObject* parent = nullptr);
    // Writes what waits, and waits for that.
    ~Recorder() override;

    // What is appended from now on is about this connection. loaded() follows, once, with what is known of it. That nobody
    // has watched since stands in the file before anything that is appended, also when nobody waited for loaded().
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
    // The newest events of the connection, oldest first, up to the gap that ends now; empty also when they cannot be read.
    void loaded(const QString& connection, const std::vector<lockkeeper::monitor::LockEvent>& events);
    void wasRead(lockkeeper::OperationId operation, const lockkeeper::history::HistoryExcerpt& excerpt);
    void forgotten(lockkeeper::OperationId operation, const std::optional<lockkeeper::Error>& error);
    void failed(const lockkeeper::Error& error);
    // The file could not be used and lies there now; a new one was begun.
    void setAside(const QString& path);

private:
    class Writer;
    enum class Disk { UpToDate, Behind };

    void finish();
    void scheduleWrite();
    void write();
    void follow(Disk disk, const std::optional<Error>& trouble);
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
    Disk m_disk = Disk::UpToDate;  // Behind: what it could not write is tried again
    bool m_told = false;           // of the present trouble
    QString m_setAside;
    Clock::TimerId m_timer = Clock::TimerId::None;
};

}  // namespace lockkeeper::history
