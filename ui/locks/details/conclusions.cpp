// SPDX-License-Identifier: Apache-2.0
#include "ui/locks/details/conclusions.h"

#include "ui/locks/model/ttlbar.h"
#include "ui/words/timetext.h"

#include <QCoreApplication>

namespace lockkeeper::ui {

namespace {

struct Conclusions {
    Q_DECLARE_TR_FUNCTIONS(Conclusions)
};

QString renewedConclusion(const monitor::LockRow& row, SteadyTime moment) {
    const QString age = countText(toMilliseconds(moment - row.hold.lastRenewal));
    return row.lock.holders.size() == 1
               ? Conclusions::tr(
                     "Its lease has been renewed: the holder's client was alive %1 ago. Whether its worker makes "
                     "progress is not known.")
                     .arg(age)
               : Conclusions::tr(
                     "Its lease has been renewed: the client of one of its holders was alive %1 ago. Whether its "
                     "worker makes progress is not known.")
                     .arg(age);
}

// The diagnoses decide whether a lease that nobody renewed means anything.
QString unrenewedConclusion(const monitor::LockRow& row) {
    if (row.lock.holders.size() != 1 || !row.diagnoses.isEmpty())
        return {};
    return Conclusions::tr(
        "No renewal seen yet in this hold. That alone proves nothing so far: a watchdog renews about every third of "
        "its timeout, a fixed lease is never renewed. The keys do not show which it is.");
}

QString renewalConclusion(const monitor::LockRow& row, SteadyTime moment) {
    return row.hold.renewals > 0 ? renewedConclusion(row, moment) : unrenewedConclusion(row);
}

QString freeConclusion(const monitor::LockSnapshot& lock) {
    if (!lock.fairQueue.isEmpty())
        return Conclusions::tr(
            "It is free, yet its queue is not empty: only the head of the queue may take it, until its deadline "
            "passes.");
    if (lock.waiters.value_or(0) > lock.monitorsAmongWaiters)
        return Conclusions::tr(
            "It is free, yet clients still wait for it: they may be about to take it, or asleep because no release was "
            "announced.");
    return Conclusions::tr("It was free when it was last read.");
}

}  // namespace

QStringList conclusions(const monitor::LockRow& row, const ViewTime& time) {
    QStringList sentences;
    if (!time.isLive())
        sentences << Conclusions::tr("Old: not connected, so nothing after %1 is known; the text below is from then.")
                         .arg(clockText(time.wallMoment(), time.wallNow()));
    if (!row.lock.isHeld()) {
        sentences << freeConclusion(row.lock);
        return sentences;
    }
    if (timeLeft(row, time.moment()))
        sentences << renewalConclusion(row, time.moment());
    if (!row.hold.isBeginSeen())
        sentences << Conclusions::tr("It was already held when it was first read: since when is not known.");
    sentences.removeAll(QString());
    return sentences;
}

}  // namespace lockkeeper::ui
