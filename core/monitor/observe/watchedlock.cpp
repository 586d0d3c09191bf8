// SPDX-License-Identifier: Apache-2.0
#include "monitor/observe/watchedlock.h"

#include "monitor/observe/read/lockdecoder.h"

#include <algorithm>

namespace lockkeeper::monitor {

using namespace std::chrono_literals;

namespace {

// So many evictions have no effect: they may have other reasons, such as waiters that joined and left a fair lock.
constexpr quint8 evictionsWithoutRest = 3;
constexpr quint8 mostEvictions = 16;
constexpr Milliseconds firstRest = 100ms;  // doubled with each further eviction

}  // namespace

void WatchedLock::touch(SteadyTime at) {
    touchedAt = std::min(touchedAt, at);
    touchedInFlight = true;
}

void WatchedLock::noteFlush(SteadyTime at) {
    touch(at);
    isFlushed = true;
}

void WatchedLock::touchHelper() {
    helperTouched = true;
    touchedInFlight = true;
}

void WatchedLock::addMessage(SteadyTime at) {
    if (++messages == 1)
        firstMessageAt = at;
    ++messagesInFlight;
    ++releasesReceived;
}

void WatchedLock::beginRead(SteadyTime at) {
    limit.take(at, readRate);
    touchedInFlight = false;
    askedInFlight = false;
    messagesInFlight = 0;
}

void WatchedLock::endRead(const LockSnapshot& found, SteadyTime sentAt, bool isTracked, int early) {
    last = LastRead(found);
    lastSentAt = sentAt;
    tracked = isTracked;
    messages = early;
    touchedAt = notTouched;
    countdown = Countdown::Even;
    isFlushed = false;
    helperTouched = false;
    unwatched.reset();
    redirections = 0;
}

// Without a queue and a token only the hash changes, so a report about another key is an eviction. A report about the
// hash alone proves none, because the lock may have been held for a moment. With a token or a queue, a hold would have
// changed the token, or would have ended with a message.
WatchedLock::Shown WatchedLock::countEvictions(const LockSnapshot& found, int messagesReceived) {
    const size_t helpers = LastRead::helpersOf(found);
    const bool hasHelpers = last.helpers != 0 || helpers != 0;
    const bool isSame = messagesReceived == 0 && last.isSameAs(found) && last.helpers == helpers;
    if (isSame && (helperTouched || (hasHelpers && isTouched()))) {
        evictions = std::min<quint8>(evictions + 1, mostEvictions);
        return Shown::Eviction;
    }
    if (!isSame && !helperTouched)
        evictions = 0;
    else if (!isSame && hasHelpers)
        evictions /= 2;
    return isSame ? Shown::NotKnown : Shown::Change;
}

SteadyTime::duration WatchedLock::restAfterEvictions(SteadyTime::duration most) const {
    if (evictions <= evictionsWithoutRest)
        return {};
    return std::min<SteadyTime::duration>(firstRest * (1 << (evictions - evictionsWithoutRest - 1)), most);
}

// The deletion of a tracked key would have been reported up to the last reply. A missing key may have been created on
// another node since the last read.
void WatchedLock::loseSight(Unwatched before) {
    if (unwatched)
        return;
    if (!tracked || !last.isHeld())
        before.since = last.seenAt;
    setUnwatched(std::move(before));
}

// A change that was reported but not read yet begins the unwatched time.
void WatchedLock::setUnwatched(Unwatched before) {
    if (isTouched())
        before.since = touchedAt;
    unwatched = std::make_unique<Unwatched>(std::move(before));
}

SteadyTime WatchedLock::firstEnd() const {
    SteadyTime end = last.expiry ? last.expiry->latest : SteadyTime::max();
    for (const ReadLease& lease : last.readLeases())
        end = lease.expiry ? std::min(end, lease.expiry->latest) : end;
    return end;
}

QList<HolderId> WatchedLock::readers() const {
    QList<HolderId> readers;
    const auto add = [&readers](const HolderId& id) {
        if (readers.size() < maxFormerReaders && !readers.contains(id))
            readers += id;
    };
    for (const Holder& holder : last.holders) {
        if (holder.mode == HoldMode::Read)
            add(holder.id);
    }
    for (const ReadLease& lease : last.readLeases())
        add(lease.reader);
    return readers;
}

bool WatchedLock::endsSilently(const LockSnapshot& found) const {
    const bool isHeldOn =
        std::ranges::any_of(last.holders, [&found](const Holder& holder) { return found.isHeldBy(holder.id); });
    return last.isHeld() && last.expiry && !unwatched && messages == 0 && !isHeldOn;
}

SteadyTime WatchedLock::earliestEnd(SteadyTime now) const {
    return last.expiry ? last.expiry->earliest - driftBetween(last.seenAt, now) : SteadyTime::max();
}

BetweenReads WatchedLock::between(const LockSnapshot& found, const Sources& sources) const {
    BetweenReads between;
    between.releasesReceived = releasesReceived;
    if (unwatched) {
        between.gap = std::max(std::chrono::ceil<Milliseconds>(found.seenAt - unwatched->since), Milliseconds(1));
        const bool isOther = unwatched->master != sources.master;
        if (isOther || unwatched->serverRole != sources.serverRole)
            between.newServerRole = sources.serverRole;
        if (isOther)
            between.newMaster = sources.master.toUtf8();
        between.gapReason = unwatched->why;
        return between;
    }
    between.countdown = countdown;
    between.isFlushed = isFlushed;
    between.messages = messages;
    between.firstMessageAt = firstMessageAt;
    between.reception = sources.reception;
    // A key event may be missing (a flush has none), so without one nothing is known.
    if (isTouched() && (tracked || sources.publishKeyEvents))
        between.touch = KeyTouch::Touched;
    else if (tracked)
        between.touch = KeyTouch::Untouched;
    between.touchedAt = isTouched() ? touchedAt : SteadyTime();
    return between;
}

}  // namespace lockkeeper::monitor
