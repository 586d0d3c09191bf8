#include "ui/detail/conclusions.h"

#include "ui/table/ttlbar.h"
#include "ui/words/timetext.h"

#include <QCoreApplication>

namespace lockkeeper::ui {

namespace {

struct Conclusions {
    Q_DECLARE_TR_FUNCTIONS(Conclusions)
};

// A live watchdog keeps the TTL above two thirds of its timeout (protocol.md, "Watchdog").
bool isBelowWatchdog(Milliseconds left, Milliseconds peak) {
    return 3 * left < 2 * peak;
}

QString renewalConclusion(const monitor::LockRow& row, Milliseconds left, SteadyTime moment) {
    if (row.renewals > 0 && row.lastRenewal)
        return Conclusions::tr(
                   "Its lease has been renewed: the holder's client was alive %1 ago. Whether its worker gets on is "
                   "not known.")
            .arg(countText(toMilliseconds(moment - *row.lastRenewal)));
    if (isBelowWatchdog(left, row.peakTtl))
        return Conclusions::tr(
            "No renewal was seen while more than a third of its TTL ran off: a fixed lease, or a watchdog that does "
            "not "
            "run. The keys do not tell which.");
    return Conclusions::tr(
        "No renewal seen yet. That proves nothing so far: a watchdog renews about every third of its timeout.");
}

QString freeConclusion(const monitor::LockSnapshot& lock) {
    if (!lock.fairQueue.isEmpty())
        return Conclusions::tr(
            "It is free, yet its queue is not empty: only the head of the queue may take it, until its deadline "
            "passes.");
    if (lock.waiters.value_or(0) > 0)
        return Conclusions::tr(
            "It is free, yet clients still listen for its release: they may be about to take it, or asleep because no "
            "release was announced.");
    return Conclusions::tr("It was free at the last look.");
}

}  // namespace

QStringList conclusions(const monitor::LockRow& row, const ViewTime& time) {
    QStringList sentences;
    if (!time.isLive())
        sentences << Conclusions::tr("Old: not connected, so nothing after %1 is known; what follows was so then.")
                         .arg(clockText(time.wallMoment(), time.wallNow()));
    if (!row.lock.isHeld()) {
        sentences << freeConclusion(row.lock);
        return sentences;
    }
    if (const std::optional<Milliseconds> left = timeLeft(row, time.moment()))
        sentences << renewalConclusion(row, *left, time.moment());
    if (row.heldBeforeFirstLook)
        sentences << Conclusions::tr("It was already held at the first look: how long before that is not known.");
    return sentences;
}

}  // namespace lockkeeper::ui
