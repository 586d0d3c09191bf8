// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockkeeper_monitor_export.h"
#include "monitor/model/snapshotcompare.h"
#include "monitor/observe/lastread.h"
#include "monitor/observe/read/tokenbucket.h"

#include <memory>

namespace lockkeeper::monitor {

// One watched lock: its last read, what was received about it since, and the state of the request for the next read. A
// value that its Observer changes.
struct LOCKKEEPER_MONITOR_EXPORT WatchedLock {
    // Waiting: as Delayed, but any better reason for a read brings the read forward.
    enum class Request : quint8 { None, Waiting, Delayed, Queued };
    // Allowed: the read is one of those that VainReads allows. PutOff: it was not allowed, and so made later.
    enum class Report : quint8 { None, Allowed, PutOff };

    // Reads a second. One less than the promised limit, because discovery may have read the lock in the same second.
    static constexpr int maxReads = 19;
    static constexpr int readsAtOnce = 4;  // enough for a quick acquire and release
    static constexpr TakeRate readRate{maxReads, readsAtOnce};
    static constexpr SteadyTime notTouched = SteadyTime::max();

    // The connection was lost, or the keys have moved to another node, and no read has been made since.
    struct Unwatched {
        SteadyTime since{};
        QByteArray serverRole;             // the role that the server reported before
        QString master;                    // the server of that time, where it may change
        std::shared_ptr<const Error> why;  // null: not known
    };

    // What could have reported a change that the next read shows.
    struct Sources {
        Reception reception = Reception::Complete;  // of the lock's messages
        bool publishKeyEvents = false;              // the server publishes keyspace events
        QByteArray serverRole;                      // the role that the server reports now
        QString master;                             // the present server, where it may change
    };

    LastRead last;
    SteadyTime lastSentAt{};  // the last read was made after this
    TokenBucket limit;        // at readRate
    Request request = Request::None;
    bool touchedInFlight = false;
    bool askedInFlight = false;    // a caller reported a change: the awaited answer may be older than the change
    bool tracked = false;          // the server tracked keys for this connection during the last read
    Report report = Report::None;  // whether a reported key led to the request
    bool isFlushed = false;        // see BetweenReads; since the last read
    bool helperTouched = false;    // the server reported a change of a helper key since the last read
    quint8 evictions = 0;          // see countEvictions()
    quint8 redirections = 0;       // in a row: reads that were answered with another place for the keys
    int messages = 0;              // since the last read
    int messagesInFlight = 0;      // messages since the present read was sent
    int messagesBefore = 0;        // messages before the lock was watched: they may explain a change, but prove none
    quint32 leaseEnd = 0;          // place of the lock in LeaseEnds, from 1; 0: no place
    quint64 releasesReceived = 0;  // all messages so far
    SteadyTime firstMessageAt{};
    SteadyTime touchedAt = notTouched;      // time of the first report since the last read
    Countdown countdown = Countdown::Even;  // since the last read
    std::unique_ptr<Unwatched> unwatched;   // mostly null
    Clock::TimerId delay = Clock::TimerId::None;

    // The server reported a write of one of the lock's keys.
    void touch(SteadyTime at);
    void touchHelper();
    void noteFlush(SteadyTime at);
    [[nodiscard]] bool isTouched() const noexcept { return touchedAt != notTouched; }
    void addMessage(SteadyTime at);
    void beginRead(SteadyTime at);
    // What a read shows about the reports of changed keys before it. Eviction: the server had only removed keys of the
    // lock from its full table of tracked keys. NotKnown: nothing has changed, but the lock may have been held between.
    enum class Shown { Change, Eviction, NotKnown };

    // Counts evictions; a change without a sign of an eviction ends the count. messagesReceived: since the last read.
    // Call it before endRead().
    Shown countEvictions(const LockSnapshot& found, int messagesReceived);
    // How long to wait after the last read if the only reason for the next one is the report of a changed key: longer
    // and longer with the number of evictions, at most this long.
    [[nodiscard]] SteadyTime::duration restAfterEvictions(SteadyTime::duration most) const;
    // early: messages that came before this read's answer but belong to the next read.
    void endRead(const LockSnapshot& found, SteadyTime sentAt, bool isTracked, int early);
    // From now on the lock's changes are not seen here. before.since: when the server last sent something.
    void loseSight(Unwatched before);
    void setUnwatched(Unwatched before);
    // When the first of the lock's leases ends, its own or a reader's; SteadyTime::max() if none ends. Tracking covers
    // only the keys that a script declares, so it does not cover the readers' timeout keys.
    [[nodiscard]] SteadyTime firstEnd() const;
    // The readers that the next read asks about: the present ones, and those that left keys behind. Bounded.
    [[nodiscard]] QList<HolderId> readers() const;
    // Whether the hold of the last read has ended without a message: whether its lease is over or the key was deleted
    // is then a question of time.
    [[nodiscard]] bool endsSilently(const LockSnapshot& found) const;
    // The earliest moment at which the lease of the last read ends, as far as clocks drift; SteadyTime::max() without
    // one.
    [[nodiscard]] SteadyTime earliestEnd(SteadyTime now) const;
    // What is known about the time between the last read and this one.
    [[nodiscard]] BetweenReads between(const LockSnapshot& found, const Sources& sources) const;
};

}  // namespace lockkeeper::monitor
