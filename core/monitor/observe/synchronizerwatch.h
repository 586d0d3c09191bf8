#pragma once

#include "async/taskscope.h"
#include "lockkeeper_monitor_export.h"
#include "monitor/model/denials.h"
#include "monitor/observe/read/readbudget.h"
#include "monitor/observe/read/synchronizerdecoder.h"
#include "redis/connection.h"

#include <QMap>

namespace lockkeeper::monitor {

// Looks at the semaphores and latches that somebody waits for, again and again at the pace of sweeps: who waits, by
// PUBSUB, and then at each one's key. Only reads, on a connection that others use too. A command that is refused is
// noted, and nothing is asked for a minute. Thread: the connection's. Connection, budget and denials must outlive it.
class LOCKKEEPER_MONITOR_EXPORT SynchronizerWatch : public QObject {
    Q_OBJECT
public:
    using IsInScope = std::function<bool(const LockName&)>;

    SynchronizerWatch(redis::Connection& connection, ReadBudget& budget, Denials& denials, IsInScope isInScope);

    // Looks as soon as there is a connection, until stop().
    void start();
    // For good.
    void stop() { m_tasks.stop(); }

Q_SIGNALS:
    // When a look has seen something else than the one before; nobody waits for any before the first.
    void changed(const lockkeeper::monitor::SynchronizerLook& look);

private:
    struct Waits {
        QList<AwaitedName> names;  // by name
        int inAll = 0;
    };
    using Channels = QMap<LockName, QList<SynchronizerChannel>>;
    // One name's questions, under way.
    struct Asked {
        std::vector<redis::Command> questions;
        std::vector<Completion<redis::RespValue>> answers;
    };

    void onStateChanged(redis::Connection::State state);
    Task<void> run();
    Task<Result<SynchronizerLook>> lookAtAll();
    Task<Result<Waits>> findWaits();
    Task<Result<Channels>> awaitedChannels();
    Task<Result<std::vector<Synchronizer>>> read(QList<AwaitedName> names);
    Task<Result<std::vector<Asked>>> askAbout(QList<AwaitedName> names);
    Task<Result<Synchronizer>> answerAbout(AwaitedName awaited, Asked asked);
    Task<Result<std::vector<Synchronizer>>> readUnderOtherNames(QList<AwaitedName> names,
                                                                std::vector<Synchronizer> seen);
    bool canDoWithout(const redis::Command& question, const Error& error);
    void giveUp(const Error& error);
    void tell(SynchronizerLook look);

    redis::Connection& m_connection;
    Clock& m_clock;
    ReadBudget& m_budget;
    Denials& m_denials;
    const IsInScope m_isInScope;
    std::optional<SynchronizerLook> m_last = SynchronizerLook();  // nothing after a loss: the next look is news
    bool m_started = false;
    SteadyTime m_next{};  // look; later after much work for the server
    TaskScope m_tasks;    // last: its tasks end before what they use
};

}  // namespace lockkeeper::monitor
