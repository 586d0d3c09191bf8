#pragma once

#include "base/clock.h"
#include "history/eventstore.h"
#include "lockkeeper_monitor_export.h"

#include <QObject>
#include <QThread>

#include <memory>

namespace lockkeeper::history {

struct RecorderOptions {
    QString path;  // of the file; if empty, nothing is kept
    Retention retention;
    Milliseconds interval{500};  // between two writes
    // Limit of events that may wait for a slow disk, and of events of each connection that are kept after a failed
    // write. Beyond it the oldest are dropped, and a NotWatched event in their place says so.
    size_t waiting = 20'000;
};

// Keeps events on disk without delaying its callers: it reads and writes on its own thread. A disk failure is reported
// once; events that could not be written are kept and written later. Thread: the clock's, which must outlive it; its
// signals are emitted there.
class LOCKKEEPER_MONITOR_EXPORT Recorder : public QObject {
    Q_OBJECT
public:
    static constexpr int mostLoaded = 10'000;

    Recorder(RecorderOptions options, Clock& clock, QObject* parent = nullptr);
    // Writes the waiting events and blocks until that is done.
    ~Recorder() override;

    // Events appended from now on belong to this connection. loaded() follows once, with the stored events. The file
    // gets an entry for the time since the last recording, before any new event, even if no caller waited for loaded().
    void record(const QString& connection);
    void append(const std::vector<monitor::LockEvent>& events);
    // Recording ends here: the connection was watched until now. Nothing is kept until the next record().
    void stop();
    // Takes effect at once; events beyond the limits are deleted.
    void setRetention(const Retention& retention);
    // Reads events of any connection, also of earlier ones, including those not yet written. wasRead() answers exactly
    // once.
    void read(OperationId operation, const HistoryQuery& query);
    // Deletes everything kept about the connection. forgotten() answers exactly once.
    void forget(OperationId operation, const QString& connection);

Q_SIGNALS:
    // The newest events of the connection, oldest first, up to the gap that ends now; empty also if they cannot be
    // read.
    void loaded(const QString& connection, const std::vector<lockkeeper::monitor::LockEvent>& events);
    void wasRead(lockkeeper::OperationId operation, const lockkeeper::history::HistoryExcerpt& excerpt);
    void forgotten(lockkeeper::OperationId operation, const std::optional<lockkeeper::Error>& error);
    void failed(const lockkeeper::Error& error);
    // The file could not be used and was renamed to this path; a new one was created.
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
    Writer* m_writer;  // lives on m_thread and is deleted there
    QString m_connection;
    std::vector<monitor::LockEvent> m_waiting;
    bool m_writing = false;  // a write is in progress; new events wait here, where their number is limited
    Disk m_disk = Disk::UpToDate;  // Behind: events that could not be written are tried again
    bool m_told = false;           // the current failure has been reported
    QString m_setAside;
    Clock::TimerId m_timer = Clock::TimerId::None;
};

}  // namespace lockkeeper::history
