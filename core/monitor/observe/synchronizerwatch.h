// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "async/taskscope.h"
#include "lockkeeper_monitor_export.h"
#include "monitor/model/denials.h"
#include "monitor/model/namescope.h"
#include "monitor/model/nodescope.h"
#include "monitor/observe/read/readbudget.h"
#include "monitor/observe/read/synchronizerdecoder.h"
#include "redis/connection.h"

#include <QMap>

namespace lockkeeper::monitor {

// Reads the semaphores and latches that clients wait for, repeatedly, at the pace of sweeps: first the waiters
// (PUBSUB), then each key. Others that were found are read every ten seconds. It only reads, on a shared connection.
// After a refused command, which is noted, it pauses for a minute. Thread: the connection's. Connection, budget and
// denials must outlive it.
class LOCKKEEPER_MONITOR_EXPORT SynchronizerWatch : public QObject {
    Q_OBJECT
public:
    SynchronizerWatch(redis::Connection& connection, ReadBudget& budget, Denials& denials, const NameScope& scope,
                      const NodeScope& node = wholeServer());

    // Reads as soon as there is a connection, until stop().
    void start();
    // Stops permanently.
    void stop() { m_tasks.stop(); }
    // Names that are read also while nobody waits for them; replaces the earlier ones.
    void noteFound(const QList<AwaitedName>& found);

Q_SIGNALS:
    // A read differs from the read before; the first one is compared with an empty result.
    void changed(const lockkeeper::monitor::SynchronizerReading& reading);

private:
    struct Waits {
        QList<AwaitedName> names;  // sorted by name
        int inAll = 0;
    };
    using Channels = QMap<LockName, QList<SynchronizerChannel>>;
    // The commands about one name that are not answered yet.
    struct Asked {
        std::vector<redis::Command> questions;
        std::vector<Completion<redis::RespValue>> answers;
    };

    void onStateChanged(redis::Connection::State state);
    Task<void> run();
    Task<Result<SynchronizerReading>> readAll();
    Task<Result<Waits>> findWaits();
    Task<Result<QHash<QByteArray, int>>> subscribersOf(QByteArrayList channels);
    Task<Result<Channels>> awaitedChannels();
    // The semaphores among those that were found and are not in `waits`, which is completed by their number.
    Task<Result<std::vector<Synchronizer>>> readOthers(Waits waits);
    Task<Result<std::vector<Synchronizer>>> readWithOtherNames(QList<AwaitedName> names);
    Task<Result<std::vector<Synchronizer>>> read(QList<AwaitedName> names);
    Task<Result<std::vector<Asked>>> askAbout(QList<AwaitedName> names);
    Task<Result<Synchronizer>> answerAbout(AwaitedName awaited, Asked asked);
    Task<Result<std::vector<Synchronizer>>> readUnderOtherNames(QList<AwaitedName> names,
                                                                std::vector<Synchronizer> seen);
    bool canDoWithout(const AwaitedName& awaited, const redis::Command& question, const Error& error);
    void giveUp(const Error& error);
    void report(SynchronizerReading reading);

    redis::Connection& m_connection;
    Clock& m_clock;
    ReadBudget& m_budget;
    Denials& m_denials;
    const NameScope& m_scope;
    const NodeScope& m_node;
    std::optional<SynchronizerReading> m_last = SynchronizerReading();  // nothing after a lost connection: then the
                                                                        // next read is reported in any case
    QList<AwaitedName> m_found;
    std::vector<Synchronizer> m_others;  // those among m_found that were proven by the last read of them
    SteadyTime m_nextOthers{};
    bool m_started = false;
    SteadyTime m_next{};  // the time of the next read; later if the last one was much work for the server
    TaskScope m_tasks;    // last: its tasks end before what they use
};

}  // namespace lockkeeper::monitor
