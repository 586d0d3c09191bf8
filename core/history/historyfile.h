// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/clocktimer.h"
#include "history/eventstore.h"
#include "lockkeeper_monitor_export.h"

#include <QLockFile>
#include <QObject>
#include <QThread>

#include <functional>
#include <map>
#include <memory>

namespace lockkeeper::history {

class Recorder;

struct HistoryOptions {
    // Read: for a program that records nothing; the file is neither created nor pruned.
    enum class Use { Record, Read };
    QString path;  // if empty, nothing is kept
    Use use = Use::Record;
    Retention retention;
    Milliseconds interval{500};  // between two writes of one session
    // The most events that may wait for a slow disk, and the most events of each profile that are kept after a failed
    // write. Beyond this limit the oldest are dropped, and a NotWatched event replaces them.
    size_t waiting = 20'000;
};

// The program's history: one file for all sessions, read and written on its own thread, so that no caller waits for the
// disk. A disk failure is reported once; events that could not be written are kept and written later. Thread: the
// clock's, which must outlive it; its signals are emitted there.
class LOCKKEEPER_MONITOR_EXPORT HistoryFile : public QObject {
    Q_OBJECT
public:
    HistoryFile(HistoryOptions options, Clock& clock, QObject* parent = nullptr);
    // Writes the waiting events and blocks until they are written. Its recorders must be destroyed before.
    ~HistoryFile() override;

    // Takes effect at once; events beyond the limits are deleted.
    void setRetention(const Retention& retention);
    // Reads events of any profile, also of earlier sessions, including those not yet written. wasRead() answers exactly
    // once.
    void read(OperationId operation, const HistoryQuery& query);
    // Deletes everything kept about the profile. forgotten() answers exactly once.
    void forget(OperationId operation, const profile::ProfileId& profile);

Q_SIGNALS:
    void wasRead(lockkeeper::OperationId operation, const lockkeeper::history::HistoryExcerpt& excerpt);
    void forgotten(lockkeeper::OperationId operation, const std::optional<lockkeeper::Error>& error);
    void failed(const lockkeeper::Error& error);
    // The file could not be used and was renamed to this path; a new one was created.
    void setAside(const QString& path);

private:
    friend class Recorder;
    class Writer;
    enum class Disk { UpToDate, Behind };
    using Events = std::vector<monitor::LockEvent>;

    // ---- for recorders ----
    [[nodiscard]] bool keepsAnything() const noexcept { return m_options.retention.keepsAnything(); }
    [[nodiscard]] bool isForRecording() const noexcept { return m_options.use == HistoryOptions::Use::Record; }
    // False if the file is only read, or if another session records this profile already, in this program or in another
    // one of this user: the events would be kept twice.
    [[nodiscard]] bool add(Recorder* recorder, const profile::ProfileId& profile);
    void remove(Recorder* recorder);
    // The newest events. The last one reports that nothing was written since the one before. Empty if they cannot be
    // read.
    using Answer = std::function<void(const Events& past)>;
    void begin(const ProfileKey& profile, Answer answer);
    // As begin(), but does not write the last event, because another session records this profile.
    void readPast(const ProfileKey& profile, Answer answer);
    // The events of these locks, among them those of this session; of many locks, those of the first
    // EventStore::mostLocksRead ones.
    void readOf(const profile::ProfileId& profile, const QList<LockName>& locks, Answer answer);
    void pass(const Result<Events>& events, const Answer& answer);
    void write(const profile::ProfileId& profile, Events events, std::function<void()> answer);

    void resume(const ProfileKey& profile);
    [[nodiscard]] Recorder* recorderOf(const profile::ProfileId& profile) const;
    void follow(Disk disk, const std::optional<Error>& trouble);
    void scheduleRetry();
    [[nodiscard]] std::unique_ptr<QLockFile> lockFor(const profile::ProfileId& profile) const;
    void report(const Error& error);
    template <typename Call>
    void post(Call call);

    HistoryOptions m_options;
    Clock& m_clock;
    QThread m_thread;
    Writer* m_writer;  // lives on m_thread and is deleted there
    std::vector<Recorder*> m_recorders;
    std::map<const Recorder*, std::unique_ptr<QLockFile>> m_locks;  // locks against other programs
    bool m_reported = false;                                        // the current failure has been reported
    QString m_setAside;
    ClockTimer m_retryTimer{m_clock, [this] { write({}, {}, [] {}); }};
};

}  // namespace lockkeeper::history
