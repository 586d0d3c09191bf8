// SPDX-License-Identifier: Apache-2.0
#include "history/historyfile.h"

#include "history/recorder.h"

#include <QCryptographicHash>
#include <QDir>
#include <QFileInfo>

#include <algorithm>

namespace lockkeeper::history {

using namespace std::chrono_literals;

namespace {

// Pruning reads the whole file, so it does not run with every write.
constexpr size_t eventsBetweenPrunes = 10'000;

// Whether the event is a gap of all locks that is there only because nothing was recorded.
bool isGap(const monitor::LockEvent& event) {
    return event.type == monitor::EventType::NotWatched && event.lock.name.isEmpty() && !event.notWritten;
}

using Events = std::vector<monitor::LockEvent>;

// Adds a gap at the end: nothing was recorded since the last event.
Events withGap(Events events, WallTime now) {
    if (events.empty())
        return events;
    monitor::LockEvent gap = monitor::notWatchedSince(events.back().at, now);
    monitor::closeGaps(events);
    // After a failed attempt the earlier gap continues.
    if (!events.empty() && isGap(events.back())) {
        gap = monitor::notWatchedSince(events.back().at - events.back().gap, now);
        events.pop_back();
    }
    events.push_back(gap);
    return events;
}

}  // namespace

// The part that runs on the disk's thread.
class HistoryFile::Writer : public QObject {
public:
    explicit Writer(const HistoryOptions& options)
        : m_retention(options.retention),
          m_use(options.use),
          m_path(options.path),
          m_mostUnwritten(options.waiting),
          m_store(options.path) {}

    Result<Done> setRetention(const Retention& retention, WallTime now) {
        m_retention = retention;
        const Result<Done> opened = open(now);
        return opened ? prune(now) : opened;
    }
    // Returns the newest events, and one that says that nothing was recorded since the last of them.
    Result<Events> past(const ProfileKey& profile, WallTime now) {
        if (!isThere())
            return Events();
        const Result<Events> kept = newest(profile, now);
        return kept ? Result<Events>(withGap(*kept, now)) : kept;
    }
    // As past(), and appends the gap.
    Result<Events> begin(const ProfileKey& profile, WallTime now) {
        const Result<Events> kept = newest(profile, now);
        if (!kept || kept->empty())
            return kept;
        append(profile.id, {monitor::notWatchedSince(kept->back().at, now)}, now);
        return withGap(*kept, now);
    }
    // Appends an event that says that nothing was recorded since the last one, if there is one.
    Result<Done> noteGap(const ProfileKey& profile, WallTime now) {
        const Result<std::optional<WallTime>> last = lastAt(profile, now);
        if (!last)
            return last.error();
        if (*last)
            append(profile.id, {monitor::notWatchedSince(**last, now)}, now);
        return Done();
    }
    Result<HistoryExcerpt> read(const HistoryQuery& query, WallTime now) {
        if (!isThere())
            return HistoryExcerpt();
        if (const Result<Done> opened = open(now); !opened)
            return opened.error();
        write();
        return m_store.read(query);
    }
    Result<Done> forget(const profile::ProfileId& profile, WallTime now) {
        m_unwritten.erase(profile);
        if (!isThere())
            return Done();
        const Result<Done> opened = open(now);
        return opened ? m_store.forget(profile) : opened;
    }
    // Appends after the events that could not be written before; keeps what cannot be written now.
    void append(const profile::ProfileId& profile, const Events& events, WallTime now) {
        keep(profile, events);
        if (!open(now))
            return;
        write();
        if (m_sincePrune < eventsBetweenPrunes)
            return;
        m_sincePrune = 0;
        if (const Result<Done> pruned = prune(now); !pruned)
            m_trouble = pruned.error();
    }

    [[nodiscard]] bool isOpen() const noexcept { return m_open; }
    [[nodiscard]] const QString& setAside() const noexcept { return m_store.setAside(); }
    [[nodiscard]] Disk disk() const noexcept { return m_unwritten.empty() ? Disk::UpToDate : Disk::Behind; }
    // The error of the last attempt to open or write the file; nothing if it succeeded.
    [[nodiscard]] const std::optional<Error>& trouble() const noexcept { return m_trouble; }

private:
    // Reading must not create the file.
    bool isThere() const { return m_open || QFileInfo::exists(m_path); }
    // Opens the file at its first use, and retries after a failure.
    Result<Done> open(WallTime now) {
        if (m_open)
            return Done();
        Result<Done> opened = m_store.open();
        m_open = opened.ok();
        if (opened)
            opened = prune(now);
        m_trouble = opened ? std::nullopt : std::optional(opened.error());
        return opened;
    }
    // If the user has switched keeping off, the events kept before stay until the user deletes them.
    Result<Done> prune(WallTime now) {
        const bool isPruned = m_use == HistoryOptions::Use::Record && m_retention.keepsAnything();
        return isPruned ? m_store.prune(m_retention, now) : Result<Done>(Done());
    }
    Result<Done> prepare(const ProfileKey& profile, WallTime now) {
        if (const Result<Done> opened = open(now); !opened)
            return opened;
        if (const Result<Done> adopted = m_store.adopt(profile); !adopted)
            return adopted;
        write();
        return Done();
    }
    Result<std::optional<WallTime>> lastAt(const ProfileKey& profile, WallTime now) {
        if (const Result<Done> prepared = prepare(profile, now); !prepared)
            return prepared.error();
        const auto unwritten = m_unwritten.find(profile.id);
        if (unwritten != m_unwritten.end())
            return std::optional(unwritten->second.back().at);
        return m_store.lastAt(profile.id);
    }
    Result<Events> newest(const ProfileKey& profile, WallTime now) {
        if (const Result<Done> prepared = prepare(profile, now); !prepared)
            return prepared.error();
        const Result<Events> written = m_store.newest(profile.id, Recorder::mostLoaded);
        const auto unwritten = m_unwritten.find(profile.id);
        if (!written || unwritten == m_unwritten.end())
            return written;
        Events events = *written;
        events.insert(events.end(), unwritten->second.begin(), unwritten->second.end());
        return events;
    }
    void keep(const profile::ProfileId& profile, const Events& events) {
        if (events.empty())
            return;
        Events& unwritten = m_unwritten[profile];
        unwritten.insert(unwritten.end(), events.begin(), events.end());
        monitor::dropOldest(unwritten, m_mostUnwritten);
    }
    void write() {
        m_trouble.reset();
        while (!m_unwritten.empty()) {
            const auto next = m_unwritten.begin();
            const Result<Done> written = m_store.append(next->first, next->second);
            if (!written) {
                m_trouble = written.error();
                return;
            }
            m_sincePrune += next->second.size();
            m_unwritten.erase(next);
        }
    }

    Retention m_retention;
    const HistoryOptions::Use m_use;
    const QString m_path;
    const size_t m_mostUnwritten;
    EventStore m_store;
    std::map<profile::ProfileId, Events> m_unwritten;  // oldest first
    std::optional<Error> m_trouble;
    bool m_open = false;
    size_t m_sincePrune = 0;
};

HistoryFile::HistoryFile(HistoryOptions options, Clock& clock, QObject* parent)
    : QObject(parent), m_options(std::move(options)), m_clock(clock), m_writer(new Writer(m_options)) {
    m_writer->moveToThread(&m_thread);
    m_thread.setObjectName(QStringLiteral("lockkeeper-history"));
    m_thread.start(QThread::LowPriority);
}

HistoryFile::~HistoryFile() {
    Q_ASSERT(m_recorders.empty());
    m_retryTimer.stop();
    // Runs after everything posted before, and on the thread that opened the file.
    QMetaObject::invokeMethod(m_writer, [writer = m_writer] {
        delete writer;
        QThread::currentThread()->quit();
    });
    m_thread.wait();
}

// call: runs on the disk's thread; the function that it returns runs on this thread.
template <typename Call>
void HistoryFile::post(Call call) {
    QMetaObject::invokeMethod(
        m_writer,
        [this, writer = m_writer, call = std::move(call)] {
            auto answer = call(*writer);
            const QString aside = writer->setAside();
            const auto disk = [this, state = writer->disk(), trouble = writer->trouble()] { follow(state, trouble); };
            QMetaObject::invokeMethod(
                this,
                [this, aside, disk, answer = std::move(answer)] {
                    if (!aside.isEmpty() && aside != std::exchange(m_setAside, aside))
                        Q_EMIT setAside(aside);
                    answer();
                    disk();
                },
                Qt::QueuedConnection);
        },
        Qt::QueuedConnection);
}

// ---- for recorders ----

bool HistoryFile::add(Recorder* recorder, const profile::ProfileId& profile) {
    if (!isForRecording() || recorderOf(profile))
        return false;
    if (!m_options.path.isEmpty()) {
        std::unique_ptr<QLockFile> lock = lockFor(profile);
        const bool isRecordedByAnother = !lock->tryLock(0ms) && lock->error() == QLockFile::LockFailedError;
        if (isRecordedByAnother)
            return false;
        m_locks.emplace(recorder, std::move(lock));
    }
    m_recorders.push_back(recorder);
    return true;
}

// The lock of a crashed program counts as free, however old it is.
std::unique_ptr<QLockFile> HistoryFile::lockFor(const profile::ProfileId& profile) const {
    const QByteArray id =
        QCryptographicHash::hash(profile.text().toUtf8(), QCryptographicHash::Sha256).toHex().left(16);
    QDir().mkpath(QFileInfo(m_options.path).path());
    auto lock = std::make_unique<QLockFile>(m_options.path + u'.' + QString::fromLatin1(id) + QStringLiteral(".lock"));
    lock->setStaleLockTime(0ms);
    return lock;
}

void HistoryFile::remove(Recorder* recorder) {
    std::erase(m_recorders, recorder);
    m_locks.erase(recorder);
}

void HistoryFile::begin(const ProfileKey& profile, Answer answer) {
    post([this, profile, answer = std::move(answer), now = m_clock.wallNow()](Writer& writer) {
        return [this, answer, events = writer.begin(profile, now)] { pass(events, answer); };
    });
}

void HistoryFile::readPast(const ProfileKey& profile, Answer answer) {
    if (Recorder* recorder = recorderOf(profile.id))
        recorder->flush();
    post([this, profile, answer = std::move(answer), now = m_clock.wallNow()](Writer& writer) {
        return [this, answer, events = writer.past(profile, now)] { pass(events, answer); };
    });
}

void HistoryFile::readOf(const profile::ProfileId& profile, const QList<LockName>& locks, Answer answer) {
    post([this, query = HistoryQuery{profile, locks}, answer = std::move(answer),
          now = m_clock.wallNow()](Writer& writer) {
        const Result<HistoryExcerpt> read = writer.read(query, now);
        return [this, answer, events = read ? Result<Events>(read->events) : Result<Events>(read.error())] {
            pass(events, answer);
        };
    });
}

void HistoryFile::pass(const Result<Events>& events, const Answer& answer) {
    if (!events)
        report(events.error());
    answer(events ? *events : Events());
}

void HistoryFile::write(const profile::ProfileId& profile, Events events, std::function<void()> answer) {
    post([profile, events = std::move(events), answer = std::move(answer), now = m_clock.wallNow()](Writer& writer) {
        writer.append(profile, events, now);
        return answer;
    });
}

Recorder* HistoryFile::recorderOf(const profile::ProfileId& profile) const {
    const auto found = std::find_if(m_recorders.begin(), m_recorders.end(),
                                    [&profile](const Recorder* recorder) { return recorder->profile() == profile; });
    return found == m_recorders.end() ? nullptr : *found;
}

// ---- for the program ----

void HistoryFile::setRetention(const Retention& retention) {
    if (retention == m_options.retention)
        return;
    const bool kept = keepsAnything();
    if (!retention.keepsAnything()) {
        for (Recorder* recorder : m_recorders)
            recorder->finish();
    }
    m_options.retention = retention;
    post([this, retention, now = m_clock.wallNow()](Writer& writer) {
        const Result<Done> done =
            retention.keepsAnything() || writer.isOpen() ? writer.setRetention(retention, now) : Done();
        return [this, done] {
            if (!done)
                report(done.error());
        };
    });
    if (kept || !keepsAnything())
        return;
    for (const Recorder* recorder : m_recorders)
        resume(recorder->m_profile);
}

// The time without keeping is a gap in what is kept.
void HistoryFile::resume(const ProfileKey& profile) {
    post([this, profile, now = m_clock.wallNow()](Writer& writer) {
        return [this, done = writer.noteGap(profile, now)] {
            if (!done)
                report(done.error());
        };
    });
}

void HistoryFile::read(OperationId operation, const HistoryQuery& query) {
    Recorder* recorder = recorderOf(query.profile);
    if (recorder)
        recorder->flush();
    post([this, operation, query, kept = recorder && keepsAnything(), now = m_clock.wallNow()](Writer& writer) {
        const Result<HistoryExcerpt> read = writer.read(query, now);
        HistoryExcerpt excerpt = read ? *read : HistoryExcerpt();
        excerpt.reachesNow = kept && read.ok() && writer.disk() == Disk::UpToDate;
        if (!read)
            excerpt.error = read.error();
        return [this, operation, excerpt] { Q_EMIT wasRead(operation, excerpt); };
    });
}

void HistoryFile::forget(OperationId operation, const profile::ProfileId& profile) {
    if (Recorder* recorder = recorderOf(profile))
        recorder->forgetWaiting();
    post([this, operation, profile, now = m_clock.wallNow()](Writer& writer) {
        const Result<Done> done = writer.forget(profile, now);
        return [this, operation, error = done ? std::nullopt : std::optional(done.error())] {
            Q_EMIT forgotten(operation, error);
        };
    });
}

void HistoryFile::follow(Disk disk, const std::optional<Error>& trouble) {
    if (trouble)
        report(*trouble);
    else
        m_reported = false;
    if (disk == Disk::Behind)
        scheduleRetry();
}

void HistoryFile::scheduleRetry() {
    if (!m_retryTimer.isRunning())
        m_retryTimer.start(m_options.interval);
}

void HistoryFile::report(const Error& error) {
    if (!std::exchange(m_reported, true))
        Q_EMIT failed(error);
}

}  // namespace lockkeeper::history

#include "moc_historyfile.cpp"
