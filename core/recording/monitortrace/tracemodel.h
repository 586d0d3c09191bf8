// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockkeeper_monitor_export.h"
#include "monitor/analyse/waitingcounts.h"
#include "recording/monitortrace/tracekeys.h"
#include "recording/monitortrace/tracenotes.h"
#include "recording/monitortrace/tracescript.h"
#include "recording/record.h"

#include <QSet>

#include <functional>
#include <map>

namespace lockkeeper::recording {

// What one client has run: a command of its own, or all commands of one script.
struct TraceStep {
    struct Command {
        ServerTime at{0};
        QByteArrayList arguments;  // not empty
    };

    int database = 0;
    QByteArray sender;
    std::vector<Command> commands;  // not empty
    bool isOfClient = false;        // a command of the client's own, not of a script
};

// Turns the commands of a trace into the records that a session would have made which had read each lock after each
// command. What a command's effect proves about the time before the trace is used, too: who renews a lock holds it.
// Memory is bounded. Thread: one.
class LOCKKEEPER_MONITOR_EXPORT TraceModel {
public:
    using Sink = std::function<void(const Record& record, WallTime wall)>;

    // notes: must outlive it.
    TraceModel(TraceNotes& notes, Sink sink) : m_notes(notes), m_sink(std::move(sink)) {}

    // The trace begins.
    void begin(const QString& server, ServerTime at);
    // Time has passed: leases end.
    void advance(ServerTime now);
    void run(const TraceStep& step);
    // The holders of this lock were only assumed, so that the next renewal or release may show others.
    void assume(const TraceKey& lock);
    // Somebody has tried in vain to get the lock from an assumed holder. Programs with a mistake release it
    // nevertheless.
    void noteTried(const TraceKey& lock, const QByteArray& holder);
    [[nodiscard]] bool hasTried(const TraceKey& lock, const QByteArray& holder) const;
    // Another client than the assumed one acts as the holder: then that one holds the lock, and has held it before.
    void confirm(const TraceKey& lock, const QByteArray& holder);
    // What happened for a while from now on is not in the trace.
    void skip();
    // A script has run whose effects are not known.
    void doubt(int database, const QByteArrayList& keys);
    // Adds a lock as a client has read it; for State.
    void show(const TraceKey& lock, ServerTime at);

    [[nodiscard]] const TraceKeys& keys() const noexcept { return m_keys; }
    [[nodiscard]] TraceKeys& keys() noexcept { return m_keys; }
    [[nodiscard]] TraceScript::Knowledge knowledgeOf(const TraceKey& key) const;
    // The channels to which clients at this address, of any port, are subscribed.
    [[nodiscard]] QByteArrayList channelsOf(const QByteArray& host) const;
    // Ends the batch of all records since the last one.
    void endBatch(ServerTime at);
    [[nodiscard]] bool hasBegun() const noexcept { return m_begin.has_value(); }

private:
    enum class Write { None, Set };

    // What is known of one lock beside its keys.
    struct Lock {
        quint64 messages = 0;
        int newMessages = 0;  // since its last read
        bool isFair = false;
        bool isFenced = false;
        bool isDoubtful = false;  // a script with unknown effects has named it since its last read
        bool isShown = false;     // it was read at least once
        bool isFound = false;     // it was held before it was seen
        bool isAssumed = false;   // nothing has shown yet that the holder holds it
        QByteArrayList tried;     // in vain since then
        bool isHeld = false;
        ServerTime freeSince{0};
    };
    // The subscribers of one channel.
    struct Channel {
        QSet<QByteArray> senders;
        TraceKey lock;  // of whose waiters it is; without a name for a semaphore or a latch
        int database = 0;
    };
    // What all commands of a step show.
    struct Ends {
        QHash<std::pair<QByteArray, QByteArray>, size_t> last;  // of a key (no field) or a field, by the index
        bool areReaders = false;
    };
    // What the reads of a script have asked so far.
    struct Asked {
        QByteArray key;
        QByteArray field;
        bool isByGet = false;   // HGET answers also where the field is not there
        QByteArray existence;   // the key of the last EXISTS
        bool isListed = false;  // HKEYS came before: the fields asked for are there
        QByteArray queue;       // of the last LINDEX
        bool isHead = false;
        Ends ends;
        bool areEndsKnown = false;
    };

    void runOne(const TraceStep& step, size_t index, Asked& asked);
    void noteRead(const TraceStep& step, size_t index, const QByteArray& name, Asked& asked);
    void prove(const TraceStep& step, size_t index, const QByteArray& name, Asked& asked);
    void addHolder(const TraceStep& step, size_t index, const QByteArray& holder, Asked& asked);
    void loseSight(const TraceKey& lock, Lock& known, ServerTime at);
    void endUnseen(const TraceKey& lock, ServerTime now);
    [[nodiscard]] static bool isTakenFree(const TraceStep& step, size_t index, const QByteArray& name,
                                          const Asked& asked);
    [[nodiscard]] static const Ends& endsOf(const TraceStep& step, Asked& asked);
    [[nodiscard]] static bool endsHold(const TraceStep& step, size_t index, const QByteArray& holder, Asked& asked);
    void addQueued(const TraceStep& step, const QByteArray& waiter, const Asked& asked);
    void noteKind(const TraceStep& step, const QByteArrayList& command);
    void publish(const TraceStep& step, const QByteArrayList& command);
    void subscribe(const TraceStep& step, const QByteArrayList& command);
    void unsubscribe(const TraceStep& step, const QByteArrayList& command);
    void subscribe(const QByteArray& channel, int database, const QByteArray& sender);
    bool leave(Channel& channel, const QByteArray& name, const QByteArray& sender);
    void count(const QByteArray& name, const Channel& channel, int clients);
    [[nodiscard]] TraceKey meantBy(const QByteArray& channel, int database) const;
    void addWaiting(ServerTime at);
    void touch(const TraceKey& key, ServerTime at);
    void flush(std::optional<int> database, ServerTime at);
    void read(const TraceKey& lock, ServerTime at, ServerTime touchedAt, Write write);
    [[nodiscard]] bool isOfLock(const TraceKey& key) const;
    [[nodiscard]] std::optional<TraceKey> lockOf(const TraceKey& key) const;
    [[nodiscard]] LockName nameOf(const TraceKey& lock);
    [[nodiscard]] Lock* lockAt(const TraceKey& key);
    void forgetFree(ServerTime now);
    // The commands of the step about locks, as they were sent.
    [[nodiscard]] QString wordsOf(const TraceStep& step) const;
    [[nodiscard]] bool isPlain(int database, const QByteArray& argument) const;
    [[nodiscard]] monitor::SynchronizerReading synchronizers(ServerTime at) const;
    [[nodiscard]] SteadyTime steady(ServerTime at) const;
    void add(const Entry& entry, ServerTime at);

    TraceNotes& m_notes;
    const Sink m_sink;
    TraceKeys m_keys;
    QHash<TraceKey, Lock> m_locks;
    QSet<size_t> m_seen;  // the hashes of locks that were free for so long that nothing else is kept of them
    // Written in the present step, with the time of the first write.
    std::vector<std::pair<TraceKey, ServerTime>> m_touched;
    QSet<TraceKey> m_areTouched;
    QHash<QByteArray, Channel> m_channels;                // with subscribers
    std::map<QByteArray, QSet<QByteArray>> m_channelsOf;  // by subscriber, so that those of one host are neighbours
    QSet<QByteArray> m_counters;                          // those channels that are of semaphores and latches
    monitor::WaitingCounts::Waiting m_waiting;
    bool m_isWaitingNew = false;
    ServerTime m_waitingAt{0};
    monitor::SynchronizerReading m_reading;  // the last one
    bool m_areSynchronizersNew = false;
    std::optional<ServerTime> m_begin;
    ServerTime m_last{0};  // of the last record
    ServerTime m_forgotten{0};
    bool m_isDeleting = false;  // what ends now does so by hand: a command of a client, not of a script
    bool m_hasRecords = false;  // since the last batch
};

}  // namespace lockkeeper::recording
