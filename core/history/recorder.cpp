#include "history/recorder.h"

#include <QFileInfo>

#include <map>

namespace lockkeeper::history {

namespace {

// Pruning reads the whole file, so it does not run with every write.
constexpr size_t eventsBetweenPrunes = 10'000;

monitor::LockEvent watchedUpTo(WallTime now) {
    monitor::LockEvent event;
    event.at = now;
    event.type = monitor::EventType::NotWatched;
    return event;
}

}  // namespace

// The part that runs on the disk's thread.
class Recorder::Writer : public QObject {
public:
    explicit Writer(const RecorderOptions& options)
        : m_retention(options.retention),
          m_path(options.path),
          m_mostUnwritten(options.waiting),
          m_store(options.path) {}

    Result<Done> setRetention(const Retention& retention, WallTime now) {
        m_retention = retention;
        const Result<Done> opened = open(now);
        return opened ? prune(now) : opened;
    }
    // Returns the newest events, and appends one that says that nothing was recorded since the last of them.
    Result<std::vector<monitor::LockEvent>> beginAnew(const QString& connection, WallTime now, int count = mostLoaded) {
        const Result<std::vector<monitor::LockEvent>> past = newest(connection, now, count);
        if (!past || past->empty())
            return past;
        std::vector<monitor::LockEvent> events = *past;
        const monitor::LockEvent gap = monitor::notWatchedSince(events.back().at, now);
        append(connection, {gap}, now);
        monitor::closeGaps(events);
        events.push_back(gap);
        return events;
    }
    Result<HistoryExcerpt> read(const HistoryQuery& query, WallTime now) {
        if (!isThere())
            return HistoryExcerpt();
        if (const Result<Done> opened = open(now); !opened)
            return opened.error();
        write();
        return m_store.read(query);
    }
    Result<Done> forget(const QString& connection, WallTime now) {
        m_unwritten.erase(connection);
        if (!isThere())
            return Done();
        const Result<Done> opened = open(now);
        return opened ? m_store.forget(connection) : opened;
    }
    // Appends after the events that could not be written before; keeps what cannot be written now.
    void append(const QString& connection, const std::vector<monitor::LockEvent>& events, WallTime now) {
        keep(connection, events);
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
    // Why the last attempt to open or write the file failed; nothing if it succeeded.
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
        return m_retention.keepsAnything() ? m_store.prune(m_retention, now) : Result<Done>(Done());
    }
    Result<std::vector<monitor::LockEvent>> newest(const QString& connection, WallTime now, int count) {
        if (const Result<Done> opened = open(now); !opened)
            return opened.error();
        write();
        const Result<std::vector<monitor::LockEvent>> written = m_store.newest(connection, count);
        const auto unwritten = m_unwritten.find(connection);
        if (!written || unwritten == m_unwritten.end())
            return written;
        std::vector<monitor::LockEvent> events = *written;
        events.insert(events.end(), unwritten->second.begin(), unwritten->second.end());
        return events;
    }
    void keep(const QString& connection, const std::vector<monitor::LockEvent>& events) {
        if (events.empty())
            return;
        std::vector<monitor::LockEvent>& unwritten = m_unwritten[connection];
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
    const QString m_path;
    const size_t m_mostUnwritten;
    EventStore m_store;
    std::map<QString, std::vector<monitor::LockEvent>> m_unwritten;  // by connection; oldest first
    std::optional<Error> m_trouble;
    bool m_open = false;
    size_t m_sincePrune = 0;
};

Recorder::Recorder(RecorderOptions options, Clock& clock, QObject* parent)
    : QObject(parent), m_options(std::move(options)), m_clock(clock), m_writer(new Writer(m_options)) {
    m_writer->moveToThread(&m_thread);
    m_thread.setObjectName(QStringLiteral("lockkeeper-history"));
    m_thread.start(QThread::LowPriority);
}

Recorder::~Recorder() {
    stop();
    // Runs after everything posted before, and on the thread that opened the file.
    QMetaObject::invokeMethod(m_writer, [writer = m_writer] {
        delete writer;
        QThread::currentThread()->quit();
    });
    m_thread.wait();
}

// call: runs on the disk's thread; the function that it returns runs on this thread.
template <typename Call>
void Recorder::post(Call call) {
    QMetaObject::invokeMethod(m_writer, [this, writer = m_writer, call = std::move(call)] {
        auto answer = call(*writer);
        const QString aside = writer->setAside();
        const auto disk = [this, state = writer->disk(), trouble = writer->trouble()] { follow(state, trouble); };
        QMetaObject::invokeMethod(this, [this, aside, disk, answer = std::move(answer)] {
            if (!aside.isEmpty() && aside != std::exchange(m_setAside, aside))
                Q_EMIT setAside(aside);
            answer();
            disk();
        }, Qt::QueuedConnection);
    }, Qt::QueuedConnection);
}

void Recorder::record(const QString& connection) {
    stop();
    m_connection = connection;
    if (!m_options.retention.keepsAnything()) {
        // Queued, like an answer from the disk: the signal must not come before this function has returned.
        QMetaObject::invokeMethod(
            this, [this, connection] { Q_EMIT loaded(connection, {}); }, Qt::QueuedConnection);
        return;
    }
    post([this, connection, now = m_clock.wallNow()](Writer& writer) {
        return [this, connection, events = writer.beginAnew(connection, now)] {
            if (!events)
                tell(events.error());
            Q_EMIT loaded(connection, events ? *events : std::vector<monitor::LockEvent>());
        };
    });
}

void Recorder::append(const std::vector<monitor::LockEvent>& events) {
    if (m_connection.isEmpty() || !m_options.retention.keepsAnything())
        return;
    std::copy_if(events.begin(), events.end(), std::back_inserter(m_waiting),
                 [](const monitor::LockEvent& event) { return event.type != monitor::EventType::Swept; });
    monitor::dropOldest(m_waiting, m_options.waiting);
    scheduleWrite();
}

void Recorder::stop() {
    finish();
    m_connection.clear();
}

// Writes the waiting events, and the time until which the connection was watched.
void Recorder::finish() {
    if (m_connection.isEmpty() || !m_options.retention.keepsAnything())
        return;
    m_waiting.push_back(watchedUpTo(m_clock.wallNow()));
    write();
}

void Recorder::setRetention(const Retention& retention) {
    if (retention == m_options.retention)
        return;
    const bool kept = m_options.retention.keepsAnything();
    if (!retention.keepsAnything())
        finish();
    m_options.retention = retention;
    const QString begun = kept || !retention.keepsAnything() ? QString() : m_connection;
    post([this, retention, begun, now = m_clock.wallNow()](Writer& writer) {
        Result<Done> done = retention.keepsAnything() || writer.isOpen() ? writer.setRetention(retention, now) : Done();
        if (done && !begun.isEmpty()) {
            const Result<std::vector<monitor::LockEvent>> last = writer.beginAnew(begun, now, 1);
            done = last ? done : last.error();
        }
        return [this, done] {
            if (!done)
                tell(done.error());
        };
    });
}

void Recorder::read(OperationId operation, const HistoryQuery& query) {
    if (!m_waiting.empty())
        write();
    const bool kept = query.connection == m_connection && m_options.retention.keepsAnything();
    post([this, operation, query, kept, now = m_clock.wallNow()](Writer& writer) {
        const Result<HistoryExcerpt> read = writer.read(query, now);
        HistoryExcerpt excerpt = read ? *read : HistoryExcerpt();
        excerpt.reachesNow = kept && read.ok() && writer.disk() == Disk::UpToDate;
        if (!read)
            excerpt.error = read.error();
        return [this, operation, excerpt] { Q_EMIT wasRead(operation, excerpt); };
    });
}

void Recorder::forget(OperationId operation, const QString& connection) {
    if (connection == m_connection)
        m_waiting.clear();
    post([this, operation, connection, now = m_clock.wallNow()](Writer& writer) {
        const Result<Done> done = writer.forget(connection, now);
        return [this, operation, error = done ? std::nullopt : std::optional(done.error())] {
            Q_EMIT forgotten(operation, error);
        };
    });
}

void Recorder::scheduleWrite() {
    const bool wanted = !m_waiting.empty() || m_disk == Disk::Behind;
    if (!wanted || m_writing || m_timer != Clock::TimerId::None)
        return;
    m_timer = m_clock.schedule(m_clock.now() + m_options.interval, [this] { write(); });
}

void Recorder::write() {
    m_clock.cancel(std::exchange(m_timer, Clock::TimerId::None));
    m_writing = true;
    post([this, connection = m_connection, events = std::exchange(m_waiting, {}), now = m_clock.wallNow()](Writer& writer) {
        writer.append(connection, events, now);
        return [this] { m_writing = false; };
    });
}

void Recorder::follow(Disk disk, const std::optional<Error>& trouble) {
    m_disk = disk;
    if (trouble)
        tell(*trouble);
    else
        m_told = false;
    scheduleWrite();
}

void Recorder::tell(const Error& error) {
    if (!std::exchange(m_told, true))
        Q_EMIT failed(error);
}

}  // namespace lockkeeper::history

#include "moc_recorder.cpp"
