#pragma once

#include "monitor/observe/read/tokenbucket.h"
#include "monitor/model/snapshotcompare.h"

namespace lockkeeper::monitor {

// One lock that is watched: the last look at it, what was heard of it since, and how far the wish for the next one is.
// A value, changed by its Observer.
struct WatchedLock {
    enum class Wish { None, Delayed, Queued };

    // A second. One less than is promised: discovery may have read the same lock in the same second.
    static constexpr int maxReads = 19;
    static constexpr int readsAtOnce = 4;  // what a quick acquire and release need

    // A connection was lost, and no look has been made since.
    struct Unwatched {
        SteadyTime since{};
        QByteArray serverRole;  // what the server had called itself
    };

    // What a change that the next look shows could have been heard by.
    struct Sources {
        Hearing hearing = Hearing::Complete;  // of its messages
        bool publishKeyEvents = false;        // the server does
        QByteArray serverRole;                // what it calls itself now
    };

    LockSnapshot last;
    SteadyTime lastSentAt{};  // the last look is not older than this
    TokenBucket limit{maxReads, readsAtOnce};
    Wish wish = Wish::None;
    bool tracked = false;       // the last look was made while the server tracked keys for us
    int messages = 0;           // heard since the last look
    int messagesInFlight = 0;   // of them, since the look under way was sent
    quint64 releasesHeard = 0;  // all messages so far
    SteadyTime firstMessageAt{};
    std::optional<SteadyTime> touchedAt;
    bool touchedInFlight = false;
    bool askedInFlight = false;  // by who knows of a change from elsewhere: an answer under way may be older
    std::optional<Unwatched> unwatched;
    Clock::TimerId delay = Clock::TimerId::None;
    Clock::TimerId leaseEnd = Clock::TimerId::None;

    // One of its keys was written, by the server's word.
    void touch(SteadyTime at);
    void hearMessage(SteadyTime at);
    void beginLook(SteadyTime at);
    // early: messages that came before this look's answer, and are of what the next one will show.
    void endLook(const LockSnapshot& found, SteadyTime sentAt, bool isTracked, int early);
    // What is known of the time between the last look and this one.
    [[nodiscard]] Between between(const LockSnapshot& found, const Sources& sources) const;
};

}  // namespace lockkeeper::monitor
