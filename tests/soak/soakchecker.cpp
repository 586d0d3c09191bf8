// SPDX-License-Identifier: Apache-2.0
#include "soak/soakchecker.h"

#include "soak/explanation.h"
#include "soak/soakwords.h"

#include "base/isotime.h"

namespace lockkeeper::soak {

using namespace std::chrono_literals;
using monitor::EventType;
using Cause = LockPast::Cause;

namespace {

constexpr qint64 examplesOfEach = 5;

}  // namespace

SoakChecker::SoakChecker(const Tolerances& tolerances, OnLag onLag)
    : m_tolerances(tolerances), m_onLag(std::move(onLag)) {}

// ---- the log ----

void SoakChecker::note(const LogLine& line) {
    Known& known = m_locks[line.lock];
    const size_t before = known.past.end();
    known.past.add(line);
    noteNewStates(line.lock, known, before);
    m_changes += line.deed != Deed::Read && line.answer == Answer::Done ? 1 : 0;
    if (known.past.contradictions() > std::exchange(known.contradictions, known.past.contradictions()))
        add(Complaint::LogContradictory, line.lock.display() + QStringLiteral(": ") + textOf(known.past, line.when.to));
}

void SoakChecker::noteRemovalOfAll(Span when) {
    for (auto [name, known] : m_locks.asKeyValueRange()) {
        const size_t before = known.past.end();
        known.past.remove(when);
        noteNewStates(name, known, before);
    }
}

void SoakChecker::noteNewStates(const LockName& name, Known& known, size_t before) {
    for (size_t number = before; number < known.past.end(); ++number)
        m_due.push_back({known.past.state(number).began.to + m_tolerances.horizon, name, number});
}

// ---- readings ----

void SoakChecker::check(WallTime now) {
    if (m_expiredAt < now - 1s) {
        m_expiredAt = now;
        expireLocks(now - m_tolerances.patience);
    }
    while (!m_toCheck.empty() && m_toCheck.front().arrived + m_tolerances.patience <= now) {
        checkReading(m_toCheck.front());
        m_toCheck.pop_front();
    }
    // States are due in about the order in which they came into the log.
    while (!m_due.empty() && m_due.front().at <= now) {
        checkDue(m_due.front());
        m_due.pop_front();
    }
}

// Ends expired leases also of locks of which the watch reports nothing.
void SoakChecker::expireLocks(WallTime until) {
    for (auto [name, known] : m_locks.asKeyValueRange()) {
        const size_t before = known.past.end();
        known.past.expireUntil(until);
        noteNewStates(name, known, before);
    }
}

void SoakChecker::checkReading(const Reading& reading) {
    Known& known = m_locks[reading.lock];
    m_events += std::ssize(reading.events);
    for (const Reading::Event& event : reading.events)
        ++m_byType[monitor::wordFor(event.type)];
    // A diagnosis describes the keys as they were at the reading before.
    if (reading.isDiagnosis) {
        if (!known.readings.empty() && known.readings.back().hold != reading.hold && reading.hold)
            add(Complaint::Unexplained, reading.lock.display() + QStringLiteral(": ") + textOf(reading));
        return;
    }
    ++m_readings;
    const size_t before = known.past.end();
    known.past.expireUntil(reading.at + m_tolerances.age);
    noteNewStates(reading.lock, known, before);
    std::vector<size_t> shown = explain(known, reading);
    if (shown.empty()) {
        add(Complaint::Unexplained,
            QStringLiteral("%1: %2").arg(reading.lock.display(), textOf(reading)) + around(known, reading.at));
        shown = mayBeShown(known, reading);
    }
    if (!shown.empty())
        known.shown = std::move(shown);
    if (reading.gap > 0ms)
        checkGap(known, reading);
    else
        measureLag(known, reading);
    checkThroughput(known, reading);
    known.readings.push_back(reading);
    forgetOld(known, reading.at);
}

std::vector<size_t> SoakChecker::mayBeShown(const Known& known, const Reading& reading) const {
    const Explanation explanation(known.past, ageAt(reading.at));
    std::vector<size_t> states;
    const size_t first = known.shown.empty() ? known.past.first() : known.shown.front();
    for (size_t number = first; number < known.past.end(); ++number) {
        if (explanation.mayShow(reading, number))
            states.push_back(number);
    }
    return states;
}

std::vector<size_t> SoakChecker::explain(const Known& known, const Reading& reading) const {
    constexpr Milliseconds longestAnswer{2000};  // beyond it the watch takes the server for one that stood still
    const WallTime before = known.readings.empty() ? reading.at : known.readings.back().at;
    const bool stoodStill = silenceIn({before, reading.at}) > longestAnswer;
    const Explanation explanation(known.past, ageAt(reading.at),
                                  stoodStill ? Explanation::Server::StoodStill : Explanation::Server::Answered);
    const std::vector<size_t> candidates = mayBeShown(known, reading);
    if (known.readings.empty())
        return reading.has(EventType::Found) && reading.events.size() == 1 ? candidates : std::vector<size_t>();
    std::vector<size_t> explained;
    for (const size_t to : candidates) {
        const bool isExplained = std::ranges::any_of(known.shown, [&](size_t from) {
            if (from > to)
                return false;
            return std::ranges::any_of(explanation.silentlyAfter(from, to),
                                       [&](size_t last) { return explanation.holds(reading, last, to); });
        });
        if (isExplained)
            explained.push_back(to);
    }
    return explained;
}

// A gap needs a lost connection, and what changed before it must have been shown.
void SoakChecker::checkGap(const Known& known, const Reading& reading) {
    const Span gap{reading.at - reading.gap, reading.at};
    const bool hasReason = std::ranges::any_of(m_disturbances, [&](const Disturbance& disturbance) {
        return disturbance.kind == Disturbance::Kind::Loss && gap.from <= disturbance.when.to + m_tolerances.age &&
               gap.to >= disturbance.when.from;
    });
    if (!hasReason)
        add(Complaint::GapWithoutReason, reading.lock.display() + QStringLiteral(": ") + textOf(reading));
    if (known.readings.empty() || known.shown.empty())
        return;
    for (size_t number = known.past.first(); number < known.past.end(); ++number) {
        const LockPast::State& state = known.past.state(number);
        const bool isBefore = state.began.to + m_tolerances.age < gap.from && state.cause != Cause::Expired;
        const bool isAfterLast = state.began.from > known.readings.back().at;
        const Span ended = known.past.ended(number);
        // A certain state that still lasts when the connection is lost must be shown, also if a change of that moment
        // ended it.
        if (state.isCertain && isBefore && isAfterLast && ended.from >= gap.from && !isShown(known, number, gap.from))
            add(Complaint::GapTooShort,
                QStringLiteral("%1: %2").arg(reading.lock.display(), textOf(reading)) + around(known, gap.from));
    }
}

void SoakChecker::checkThroughput(const Known& known, const Reading& reading) {
    if (!reading.throughput || reading.throughput->counting != monitor::Throughput::Releases::Counted)
        return;
    const WallTime until = reading.throughput->until;
    const WallTime since = until - reading.throughput->window;
    const Milliseconds age = ageAt(reading.at);
    quint64 least = 0;
    quint64 most = 0;
    for (size_t number = known.past.first(); number < known.past.end(); ++number) {
        const LockPast::State& state = known.past.state(number);
        if (state.cause != Cause::Released)
            continue;
        most += state.began.to >= since - age && state.began.from <= until + wholeMilliseconds ? 1U : 0U;
        least += state.isCertain && state.began.from > since + age && state.began.to < until - age ? 1U : 0U;
    }
    ++m_windows;
    if (reading.throughput->releases < least || reading.throughput->releases > most)
        add(Complaint::WrongCount, QStringLiteral("%1 at %2: %3 releases in %4 ms; by the log %5 to %6")
                                       .arg(reading.lock.display(), isoTime(until).mid(11))
                                       .arg(reading.throughput->releases)
                                       .arg(static_cast<qint64>(reading.throughput->window.count()))
                                       .arg(least)
                                       .arg(most));
}

void SoakChecker::measureLag(const Known& known, const Reading& reading) {
    if (!m_onLag || known.shown.empty() || reading.has(EventType::Found))
        return;
    const LockPast::State& latest = known.past.state(known.shown.back());
    m_onLag(reading.arrived, std::chrono::duration_cast<Milliseconds>(reading.arrived - latest.began.from));
}

void SoakChecker::forgetOld(Known& known, WallTime now) const {
    const WallTime old = now - m_tolerances.horizon - m_tolerances.patience - 30s;
    while (known.readings.size() > 1 && known.readings[1].at < old)
        known.readings.pop_front();
    if (!known.shown.empty())
        known.past.drop(old, known.shown.front());
}

// ---- whether each change was shown ----

void SoakChecker::checkDue(const Due& due) {
    const Known& known = m_locks[due.lock];
    if (due.state < known.past.first())
        return;
    const LockPast::State& state = known.past.state(due.state);
    if (!state.isCertain || state.began.from < m_watchingSince)
        return;
    checkState(known, due.state, due.lock);
    if (state.cause == Cause::Released)
        checkRelease(known, due.state, due.lock);
}

void SoakChecker::checkState(const Known& known, size_t number, const LockName& name) {
    const Span began = known.past.state(number).began;
    const WallTime until = shownUntil(began);
    if (isShown(known, number, until))
        ++m_shown;
    else if (isInGap(known, began))
        ++m_inGaps;
    else if (known.past.ended(number).from <= until)
        ++m_passed;  // the state came and went before a read: "fast_changes"
    else
        add(Complaint::Unseen,
            QStringLiteral("%1: state %2 of %3 until %4")
                    .arg(name.display(), textOf(known.past.state(number).hold), textOf(began), isoTime(until).mid(11)) +
                around(known, began.from));
}

// The watch knew this state at some moment from its begin until then. A lease that becomes shorter is no event, nor is
// one that becomes longer by less than the time that the read has taken: then nothing proves that it is longer.
bool SoakChecker::isShown(const Known& known, size_t number, WallTime until) const {
    const LockPast::State& state = known.past.state(number);
    const Milliseconds age = silenceIn({state.began.from, until}) + m_tolerances.age;
    const auto isKnownBy = [&](const Reading& reading) {
        return reading.hold == state.hold &&
               (!state.hold || !reading.ttl || reading.at + *reading.ttl + age >= state.leaseEnds.from);
    };
    const auto first = readAt(known.readings, state.began.from - wholeMilliseconds);
    if (first != known.readings.begin() && isKnownBy(*std::prev(first)))
        return true;
    return std::any_of(first, known.readings.end(),
                       [&](const Reading& reading) { return reading.at <= until && isKnownBy(reading); });
}

bool SoakChecker::isInGap(const Known& known, Span change) const {
    return std::any_of(readAt(known.readings, change.from), known.readings.end(), [&](const Reading& reading) {
        return reading.gap > 0ms && change.to >= reading.at - reading.gap - m_tolerances.age &&
               change.from <= reading.at;
    });
}

// A message is received although the state that it announces may have passed before a read.
void SoakChecker::checkRelease(const Known& known, size_t number, const LockName& name) {
    ++m_releases;
    const Span began = known.past.state(number).began;
    const WallTime until = shownUntil(began);
    const bool isLostWithConnection = std::ranges::any_of(m_disturbances, [&](const Disturbance& disturbance) {
        return disturbance.kind == Disturbance::Kind::Loss && began.to >= disturbance.when.from - m_tolerances.late &&
               began.from <= disturbance.over();
    });
    const auto first = readAt(known.readings, began.from - wholeMilliseconds);
    const bool isReported = std::any_of(first, known.readings.end(), [&](const Reading& reading) {
        const bool isInTime = reading.at <= until;
        const bool isHandOver = std::ranges::any_of(reading.events, [](const Reading::Event& event) {
            return event.type == EventType::HandedOver && !event.suspect;
        });
        return isInTime && (reading.has(EventType::Released) || isHandOver || reading.gap > 0ms);
    });
    const Explanation explanation(known.past, m_tolerances.age);
    const bool isHidden =
        first != known.readings.begin() && explanation.isReleaseHidden(number, *std::prev(first), until);
    const bool isSilent = isHidden || mayHavePassed(known, began, until);
    m_releasesPassed += !isReported && isSilent ? 1 : 0;
    if (!isReported && !isSilent && !isLostWithConnection)
        add(Complaint::ReleaseUnseen,
            QStringLiteral("%1: release of %2 until %3").arg(name.display(), textOf(began), isoTime(until).mid(11)) +
                around(known, began.from));
}

// Free at one reading and held at the next one: only the counted releases know of the hold in between. That may have
// been at any moment while the answer was awaited, which a busy server delays.
bool SoakChecker::mayHavePassed(const Known& known, Span released, WallTime until) {
    auto next = readAt(known.readings, released.from - wholeMilliseconds);
    if (next == known.readings.begin() && next != known.readings.end())
        ++next;
    for (; next != known.readings.end() && next->at <= until && std::prev(next)->at <= released.to; ++next) {
        if (!std::prev(next)->hold && next->hold)
            return true;
    }
    return false;
}

WallTime SoakChecker::shownUntil(Span change) const {
    WallTime until = change.to + m_tolerances.late;
    for (const Disturbance& disturbance : m_disturbances) {
        if (disturbance.when.from <= until && change.from <= disturbance.over())
            until = std::max(until, disturbance.over() + m_tolerances.late);
    }
    return until;
}

Milliseconds SoakChecker::ageAt(WallTime at) const {
    return m_tolerances.age + silenceIn({at - m_tolerances.late, at});
}

// How long the server did not answer in the disturbances that overlap this span.
Milliseconds SoakChecker::silenceIn(Span span) const {
    Milliseconds silence{0};
    for (const Disturbance& disturbance : m_disturbances) {
        const bool isInside = disturbance.when.from <= span.to && disturbance.when.to >= span.from;
        if (disturbance.kind == Disturbance::Kind::Silence && isInside)
            silence += std::chrono::duration_cast<Milliseconds>(disturbance.when.to - disturbance.when.from);
    }
    return silence;
}

// ---- the end ----

void SoakChecker::finish(WallTime now, const QHash<LockName, std::pair<Hold, Milliseconds>>& server) {
    expireLocks(now);
    m_expiredAt = WallTime::max();
    check(WallTime::max());
    for (auto [name, known] : m_locks.asKeyValueRange()) {
        const auto held = server.constFind(name);
        const std::optional<Hold> there = held == server.constEnd() ? std::nullopt : std::optional(held->first);
        const Reading last = known.readings.empty() ? Reading() : known.readings.back();
        if (there && held->second < m_tolerances.late + m_tolerances.age)
            continue;  // the lease may have ended since
        const bool isLonger = there && last.ttl && last.at + *last.ttl + m_tolerances.age < now + held->second;
        if (known.readings.empty() || last.hold != there || isLonger)
            add(Complaint::WrongAtEnd, QStringLiteral("%1: the server has %2 for %3 ms; the readings: %4")
                                           .arg(name.display(), textOf(there))
                                           .arg(there ? static_cast<qint64>(held->second.count()) : 0)
                                           .arg(known.readings.empty() ? QStringLiteral("none") : textOf(last)));
    }
}

QString SoakChecker::around(const Known& known, WallTime at) {
    return QStringLiteral("; the log: %1; the readings: %2").arg(textOf(known.past, at), textOf(known.readings, at));
}

void SoakChecker::add(Complaint complaint, const QString& text) {
    if (++m_complaints[complaint] <= examplesOfEach)
        m_examples += wordsFor(complaint) + QStringLiteral(": ") + text;
}

}  // namespace lockkeeper::soak
