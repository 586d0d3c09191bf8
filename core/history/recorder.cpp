#include "history/recorder.h"

#include <QFileInfo>

namespace lockkeeper::history {

namespace {

// Pruning looks at the whole file: not at every write.
constexpr size_t eventsBetweenPrunes = 10'000;

monitor::LockEvent watchedUpTo(WallTime now) {
    monitor::LockEvent event;
    event.at = now;
    event.type = monitor::EventType::NotWatched;
    return event;
}

}  // namespace

// The half on the disk's thread.
class Recorder::Writer : public QObject {
public:
    explicit Writer(const RecorderOptions& options)
        : m_retention(options.retention), m_path(options.path), m_store(options.path) {}

    // Opens the file at the first use, and again as long as that fails.
    Result<Done> open(WallTime now) {
        if (m_open)
            return Done();
        const Result<Done> opened = m_store.open();
        m_open = opened.ok();
        return opened ? prune(now) : opened;
    }
    Result<Done> setRetention(const Retention& retention, WallTime now) {
        m_retention = retention;
        const Result<Done> opened = open(now);
        return opened ? prune(now) : opened;
    }
    // Nobody wrote since the last event that is there.
    Result<Done> beginAnew(const QString& connection, WallTime now) {
        const Result<std::vector<monitor::LockEvent>> last = newest(connection, now, 1);
        if (!last)
            return last.error();
        return last->empty() ? Result<Done>(Done())
                             : append(connection, {monitor::notWatchedSince(last->back().at, now)}, now);
    }
    Result<HistoryExcerpt> read(const HistoryQuery& query, WallTime now) {
        if (!isThere())
            return HistoryExcerpt();
        if (const Result<Done> opened = open(now); !opened)
            return opened.error();
        return m_store.read(query);
    }
    Result<Done> forget(const QString& connection, WallTime now) {
        if (!isThere())
            return Done();
        const Result<Done> opened = open(now);
        return opened ? m_store.forget(connection) : opened;
    }
    [[nodiscard]] bool isOpen() const noexcept { return m_open; }
    [[nodiscard]] const QString& setAside() const noexcept { return m_store.setAside(); }

    Result<std::vector<monitor::LockEvent>> newest(const QString& connection, WallTime now, int count = mostLoaded) {
        if (const Result<Done> opened = open(now); !opened)
            return opened.error();
        return m_store.newest(connection, count);
    }

    Result<Done> append(const QString& connection, const std::vector<monitor::LockEvent>& events, WallTime now) {
        if (const Result<Done> opened = open(now); !opened)
            return opened;
        const Result<Done> appended = m_store.append(connection, events);
        m_sincePrune += events.size();
        if (!appended || m_sincePrune < eventsBetweenPrunes)
            return appended;
        m_sincePrune = 0;
        return prune(now);
    }

private:
    // Who only asks makes no file.
    bool isThere() const { return m_open || QFileInfo::exists(m_path); }
    // What was kept before nothing more was to be kept is left to the user.
    Result<Done> prune(WallTime now) {
        return m_retention.keepsAnything() ? m_store.prune(m_retention, now) : Result<Done>(Done());
    }

    Retention m_retention;
    const QString m_path;
    EventStore m_store;
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
    // Behind everything posted before, and on the thread that opened the file.
    QMetaObject::invokeMethod(m_writer, [writer = m_writer] {
        delete writer;
        QThread::currentThread()->quit();
    });
    m_thread.wait();
}

// call: on the disk's thread; what it answers is run here.
template <typename Call>
void Recorder::post(Call call) {
    QMetaObject::invokeMethod(m_writer, [this, writer = m_writer, call = std::move(call)] {
        auto answer = call(*writer);
        const QString aside = writer->setAside();
        QMetaObject::invokeMethod(this, [this, aside, answer = std::move(answer)] {
            if (!aside.isEmpty() && aside != std::exchange(m_setAside, aside))
                Q_EMIT setAside(aside);
            answer();
        }, Qt::QueuedConnection);
    }, Qt::QueuedConnection);
}

void Recorder::record(const QString& connection) {
    stop();
    m_connection = connection;
    if (!m_options.retention.keepsAnything()) {
        // As an answer from the disk would: not before the caller has returned.
        QMetaObject::invokeMethod(
            this, [this, connection] { Q_EMIT loaded(connection, {}); }, Qt::QueuedConnection);
        return;
    }
    post([this, connection, now = m_clock.wallNow()](Writer& writer) {
        return [this, connection, events = writer.newest(connection, now)] {
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
    if (m_waiting.size() > m_options.waiting)
        m_waiting.erase(m_waiting.begin(), m_waiting.end() - static_cast<qsizetype>(m_options.waiting));
    if (!m_waiting.empty() && !m_writing && m_timer == Clock::TimerId::None)
        m_timer = m_clock.schedule(m_clock.now() + m_options.interval, [this] {
            m_timer = Clock::TimerId::None;
            write();
        });
}

void Recorder::stop() {
    m_clock.cancel(std::exchange(m_timer, Clock::TimerId::None));
    finish();
    m_connection.clear();
}

// What waits is written, and up to when it was watched.
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
    if (!retention.keepsAnything()) {
        m_clock.cancel(std::exchange(m_timer, Clock::TimerId::None));
        finish();
    }
    m_options.retention = retention;
    const QString begun = kept || !retention.keepsAnything() ? QString() : m_connection;
    post([this, retention, begun, now = m_clock.wallNow()](Writer& writer) {
        Result<Done> done = retention.keepsAnything() || writer.isOpen() ? writer.setRetention(retention, now) : Done();
        if (done && !begun.isEmpty())
            done = writer.beginAnew(begun, now);
        return [this, done] {
            if (!done)
                tell(done.error());
        };
    });
}

void Recorder::read(OperationId operation, const HistoryQuery& query) {
    m_clock.cancel(std::exchange(m_timer, Clock::TimerId::None));
    if (!m_waiting.empty())
        write();
    const bool kept = query.connection == m_connection && m_options.retention.keepsAnything();
    post([this, operation, query, kept, now = m_clock.wallNow()](Writer& writer) {
        const Result<HistoryExcerpt> read = writer.read(query, now);
        HistoryExcerpt excerpt = read ? *read : HistoryExcerpt();
        excerpt.reachesNow = kept && read.ok();
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

void Recorder::write() {
    m_writing = true;
    post([this, connection = m_connection, events = std::exchange(m_waiting, {}), now = m_clock.wallNow()](Writer& writer) {
        return [this, result = writer.append(connection, events, now)] { written(result); };
    });
}

void Recorder::written(const Result<Done>& result) {
    m_writing = false;
    if (result)
        m_told = false;
    else
        tell(result.error());
    append({});  // what came meanwhile
}

void Recorder::tell(const Error& error) {
    if (!std::exchange(m_told, true))
        Q_EMIT failed(error);
}

}  // namespace lockkeeper::history
