// SPDX-License-Identifier: Apache-2.0
#include "ui/locks/model/heartbeat.h"

#include "ui/locks/model/ttlbar.h"
#include "ui/words/locktext.h"
#include "ui/words/timetext.h"

#include <algorithm>
#include <array>

using namespace std::chrono_literals;

namespace lockkeeper::ui {

namespace {

// A hold's renewals, seen from one moment. All times are ages at that moment, in milliseconds.
struct Pulse {
    double lease;                    // what a renewal sets
    double left;                     // of the lease now
    QList<double> beats;             // the latest last
    std::optional<double> begin;     // of the hold, if no renewal before `beats` is missing
    std::optional<double> interval;  // from one renewal to the next, if two were seen, or the first after the begin
};

double ageOf(SteadyTime at, SteadyTime moment) {
    return static_cast<double>(toMilliseconds(moment - at).count());
}

QList<double> beatsOf(const monitor::Hold& hold, SteadyTime moment) {
    QList<double> beats;
    if (hold.renewals == 0)
        return beats;
    const double last = ageOf(hold.lastRenewal, moment);
    beats << last;
    for (const monitor::Hold::Before before : hold.earlierRenewals) {
        if (before.count() > 0)
            beats.prepend(last + static_cast<double>(before.count()));
    }
    return beats;
}

Pulse pulseOf(const monitor::LockRow& row, Milliseconds left, SteadyTime moment) {
    const monitor::Hold& hold = row.hold;
    const Milliseconds lease = std::max({hold.peakTtl, row.lock.ttl.value_or(0ms), 1ms});
    Pulse pulse{static_cast<double>(lease.count()), static_cast<double>(left.count()), beatsOf(hold, moment), {}, {}};
    if (hold.isBeginSeen() && pulse.beats.size() == static_cast<qsizetype>(hold.renewals))
        pulse.begin = ageOf(hold.since, moment);
    if (pulse.beats.size() > 1)
        pulse.interval = pulse.beats.at(pulse.beats.size() - 2) - pulse.beats.last();
    else if (!pulse.beats.isEmpty() && pulse.begin)
        pulse.interval = *pulse.begin - pulse.beats.last();
    return pulse;
}

// The share of the picture's width at which something stands that happened so long ago.
double placeOf(const Pulse& pulse, double age) {
    return Heartbeat::now * (1 - age / pulse.lease);
}

// One tooth: the TTL falls from a moment to a later one, where this share of the lease is left.
void addTooth(Heartbeat& picture, const Pulse& pulse, double fromAge, double toAge, double leftAtEnd) {
    constexpr double shortest = 0.03;  // of the lease: less would be a speck
    const double shownFrom = std::min(fromAge, pulse.lease);
    if (toAge >= pulse.lease || shownFrom - toAge < shortest * pulse.lease)
        return;
    const double leftAtBegin = std::min(1.0, leftAtEnd + (shownFrom - toAge) / pulse.lease);
    picture.saw << QPointF(placeOf(pulse, shownFrom), leftAtBegin) << QPointF(placeOf(pulse, toAge), leftAtEnd);
}

void addTeeth(Heartbeat& picture, const Pulse& pulse, double heldFor) {
    QList<double> begins = pulse.beats;
    if (pulse.begin)
        begins.prepend(*pulse.begin);
    if (begins.isEmpty())
        begins << heldFor;  // no renewal since it is known
    for (qsizetype i = 0; i + 1 < begins.size(); ++i) {
        const double lasted = begins.at(i) - begins.at(i + 1);
        addTooth(picture, pulse, begins.at(i), begins.at(i + 1), std::clamp(1 - lasted / pulse.lease, 0.0, 1.0));
    }
    addTooth(picture, pulse, begins.last(), 0, std::clamp(pulse.left / pulse.lease, 0.0, 1.0));
}

// A watchdog renews each third of the lease. Other renewals, such as a reader that joins, have no next one.
bool isOfWatchdog(const Pulse& pulse) {
    constexpr double shortest = 0.25;
    constexpr double longest = 0.45;
    return pulse.interval && *pulse.interval >= shortest * pulse.lease && *pulse.interval <= longest * pulse.lease;
}

void addDue(Heartbeat& picture, const Pulse& pulse) {
    if (!isOfWatchdog(pulse))
        return;
    const double until = *pulse.interval - pulse.beats.last();
    picture.due = std::clamp(placeOf(pulse, -until), 0.0, 1.0);
    // A renewal may come somewhat later than the one before.
    picture.isLate = -until > *pulse.interval / 2;
}

}  // namespace

Heartbeat heartbeat(const monitor::LockRow& row, const ViewTime& session) {
    Heartbeat picture;
    if (!row.lock.isHeld())
        return picture;
    const ViewTime& time = session.of(row.lock);
    picture.isLive = time.isLive() && !row.isUnread;
    if (row.hold.renewals > 0)
        picture.count = numberText(row.hold.renewals);
    const SteadyTime moment = row.isUnread ? row.lock.seenAt : time.moment();
    const std::optional<Milliseconds> left = timeLeft(row, moment);
    if (!left)
        return picture;
    const Pulse pulse = pulseOf(row, *left, moment);
    addTeeth(picture, pulse, ageOf(row.hold.since, moment));
    for (const double beat : pulse.beats) {
        if (beat <= pulse.lease)
            picture.beats << placeOf(pulse, beat);
    }
    addDue(picture, pulse);
    return picture;
}

}  // namespace lockkeeper::ui
