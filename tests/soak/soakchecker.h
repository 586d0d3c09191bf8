// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "soak/lockpast.h"
#include "soak/reading.h"

#include <QHash>
#include <QMap>
#include <QStringList>

#include <functional>

namespace lockkeeper::soak {

// A time in which the watch cannot be up to date.
struct Disturbance {
    enum class Kind {
        Silence,  // the server does not answer
        Loss      // connections are lost
    };
    Kind kind = Kind::Silence;
    Span when;           // from its begin until the server answers again
    WallTime settled{};  // from when on the lag is normal again; noted later

    [[nodiscard]] WallTime over() const { return std::max(settled, when.to); }
};

struct Tolerances {
    Milliseconds age{500};    // from the server's execution of a read to the time in its events, at most
    Milliseconds late{2000};  // from a change to its event, at most, outside of disturbances
    Milliseconds patience{
        5000};  // a reading is checked this long after it arrived: by then the log has all that it shows
    Milliseconds horizon{40000};  // whether a change was shown is checked after this time
};

// Kinds of disagreement, each reported with its first examples.
enum class Complaint {
    Unexplained,       // an event that nothing in the log explains
    Unseen,            // a state that lasted, and that no event shows
    ReleaseUnseen,     // a release with a message, and neither an event nor a gap for it
    GapTooShort,       // a change that came before the gap, and that no event shows
    GapWithoutReason,  // a gap although no connection was lost
    WrongCount,        // releases counted in a window that are not those of the log
    EventsLost,        // the watch reports that it has dropped events
    WrongAtEnd,        // the last known state is not the server's
    LogContradictory   // the log contradicts itself
};
[[nodiscard]] QString wordsFor(Complaint complaint);

// Compares the events of a watch with the log of the load, lock by lock and in the order of time. Memory is bounded by
// the horizon.
class SoakChecker {
public:
    using OnLag = std::function<void(WallTime arrived, Milliseconds lag)>;
    explicit SoakChecker(const Tolerances& tolerances, OnLag onLag = {});

    // Changes before `since` are not checked: the watch had not started, or had not found the lock yet.
    void noteWatching(WallTime since) {
        m_watchingSince = since;
        m_changes = 0;
    }
    void note(const LogLine& line);
    // To be called when every lock is gone: after a flush, or when a server has lost its data.
    void noteRemovalOfAll(Span when);
    void noteDisturbance(const Disturbance& disturbance) { m_disturbances.push_back(disturbance); }
    // The server answers again after the disturbance with this number, counted from 0.
    void noteServerBack(size_t number, WallTime at) { m_disturbances[number].when.to = at; }
    void noteSettled(size_t number, WallTime at) { m_disturbances[number].settled = at; }
    void see(Reading reading) { m_toCheck.push_back(std::move(reading)); }
    // To be called for a not_watched event without a lock.
    void noteLostEvents() { add(Complaint::EventsLost, QStringLiteral("events were dropped")); }

    // Checks all changes and readings that are old enough.
    void check(WallTime now);
    // To be called when nothing changes any more, and all events have arrived. server: every held lock.
    void finish(WallTime now, const QHash<LockName, std::pair<Hold, Milliseconds>>& server);

    [[nodiscard]] qint64 count(Complaint complaint) const { return m_complaints.value(complaint); }
    [[nodiscard]] const QStringList& examples() const { return m_examples; }
    [[nodiscard]] qint64 readings() const { return m_readings; }
    [[nodiscard]] qint64 events() const { return m_events; }
    [[nodiscard]] qint64 changes() const { return m_changes; }
    [[nodiscard]] qint64 shown() const { return m_shown; }
    [[nodiscard]] qint64 passedUnread() const { return m_passed; }
    [[nodiscard]] qint64 inGaps() const { return m_inGaps; }
    [[nodiscard]] qint64 releases() const { return m_releases; }
    // Releases of holds that began and ended between two readings of which the first shows the lock free, the next
    // held.
    [[nodiscard]] qint64 releasesPassed() const { return m_releasesPassed; }
    [[nodiscard]] qint64 windowsCounted() const { return m_windows; }
    [[nodiscard]] const QMap<QString, qint64>& eventsByType() const { return m_byType; }

private:
    struct Known {
        LockPast past;
        std::vector<size_t> shown;  // the states that the last reading may have seen
        std::deque<Reading> readings;
        int contradictions = 0;
    };
    struct Due {
        WallTime at;
        LockName lock;
        size_t state;
    };

    void noteNewStates(const LockName& name, Known& known, size_t before);
    void expireLocks(WallTime until);
    void checkReading(const Reading& reading);
    [[nodiscard]] std::vector<size_t> explain(const Known& known, const Reading& reading) const;
    [[nodiscard]] std::vector<size_t> mayBeShown(const Known& known, const Reading& reading) const;
    void checkGap(const Known& known, const Reading& reading);
    void checkThroughput(const Known& known, const Reading& reading);
    void measureLag(const Known& known, const Reading& reading);
    void forgetOld(Known& known, WallTime now) const;

    void checkDue(const Due& due);
    void checkState(const Known& known, size_t number, const LockName& name);
    void checkRelease(const Known& known, size_t number, const LockName& name);
    // Whether the hold that this release has ended may have been between two readings that show nothing of it.
    [[nodiscard]] static bool mayHavePassed(const Known& known, Span released, WallTime until);
    // The time by which a change of this time must have been shown.
    [[nodiscard]] WallTime shownUntil(Span change) const;
    [[nodiscard]] bool isShown(const Known& known, size_t number, WallTime until) const;
    [[nodiscard]] bool isInGap(const Known& known, Span change) const;
    [[nodiscard]] Milliseconds ageAt(WallTime at) const;
    [[nodiscard]] Milliseconds silenceIn(Span span) const;

    // The part of the log and of the readings around that time.
    [[nodiscard]] static QString around(const Known& known, WallTime at);
    void add(Complaint complaint, const QString& text);

    const Tolerances m_tolerances;
    const OnLag m_onLag;
    QHash<LockName, Known> m_locks;
    std::deque<Reading> m_toCheck;
    std::deque<Due> m_due;
    std::vector<Disturbance> m_disturbances;
    WallTime m_watchingSince{};
    WallTime m_expiredAt{};
    QMap<Complaint, qint64> m_complaints;
    QStringList m_examples;
    QMap<QString, qint64> m_byType;
    qint64 m_readings = 0;
    qint64 m_events = 0;
    qint64 m_changes = 0;
    qint64 m_shown = 0;
    qint64 m_passed = 0;
    qint64 m_inGaps = 0;
    qint64 m_releases = 0;
    qint64 m_releasesPassed = 0;
    qint64 m_windows = 0;
};

}  // namespace lockkeeper::soak
