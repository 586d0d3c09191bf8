// SPDX-License-Identifier: Apache-2.0
#include "ui/operate/forceadvice.h"

#include "ui/locks/model/ttlbar.h"
#include "ui/words/timetext.h"

#include <QCoreApplication>

#include <algorithm>

namespace lockkeeper::ui {

namespace {

struct ForceAdvice {
    Q_DECLARE_TR_FUNCTIONS(ForceAdvice)
};

bool hasDiagnosis(const monitor::LockRow& row, monitor::DiagnosisKind kind) {
    return std::any_of(row.diagnoses.begin(), row.diagnoses.end(),
                       [kind](const monitor::Diagnosis& diagnosis) { return diagnosis.kind() == kind; });
}

// A watchdog renews each third of the lease: beyond two thirds the client is dead, hangs, or is cut off.
bool isOverdue(const monitor::LockRow& row, Milliseconds left) {
    return row.hold.peakTtl > Milliseconds(0) && left * 3 < row.hold.peakTtl;
}

}  // namespace

QString waitingAdvice(const monitor::LockRow& row, const ViewTime& session) {
    const ViewTime& time = session.of(row.lock);
    const std::optional<Milliseconds> left = timeLeft(row, time.moment());
    if (!row.lock.isHeld())
        return ForceAdvice::tr("The lock is free: who sleeps tries again only when the TTL that it has read is over.");
    if (!left)
        return ForceAdvice::tr("Waiting will not help: it has no expiry.");
    const QString rest = countText(*left);
    const bool isFixed = hasDiagnosis(row, monitor::DiagnosisKind::FixedLease);
    if (isFixed || (row.hold.renewals == 0 && isOverdue(row, *left)))
        return ForceAdvice::tr("Wait: nobody has renewed it so far. It ends by itself in %1.").arg(rest);
    if (row.hold.renewals == 0)
        return ForceAdvice::tr("Wait: unless it is renewed, it ends by itself in %1.").arg(rest);
    if (hasDiagnosis(row, monitor::DiagnosisKind::WatchdogStopped) || isOverdue(row, *left))
        return ForceAdvice::tr("Wait: nobody renews it any more. It ends by itself in %1.").arg(rest);
    return ForceAdvice::tr("Waiting will not help while this client lives: it renews, last %1 ago.")
        .arg(countText(toMilliseconds(time.moment() - row.hold.lastRenewal)));
}

QString ladderText(const monitor::LockRow& row, const ViewTime& time, Ownership ownership) {
    if (!time.of(row.lock).isLive())
        return ForceAdvice::tr("The server does not answer: what is shown is old, and nothing can be advised.");
    const QString waiting = waitingAdvice(row, time);
    if (!row.lock.isHeld())
        return waiting;
    if (ownership == Ownership::Own)
        return ForceAdvice::tr("This console holds it: Lock > Release gives it up, and needs no force.");
    return ForceAdvice::tr(
               "Before you force it:\n1. %1\n2. Find out who holds it, and ask the owner to release it.\n"
               "3. Force it, if neither helps.")
        .arg(waiting);
}

}  // namespace lockkeeper::ui
