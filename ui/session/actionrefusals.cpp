// SPDX-License-Identifier: Apache-2.0
#include "ui/session/actionrefusals.h"

#include "ui/dialogs/changechoices.h"
#include "ui/time/viewtime.h"

#include <QCoreApplication>

namespace lockkeeper::ui {

namespace {

struct Refusal {
    Q_DECLARE_TR_FUNCTIONS(Refusal)
};

QString firstOf(const QString& one, const QString& other) {
    return one.isEmpty() ? other : one;
}

}  // namespace

QString writeRefusal(const ConnectionStatus& status, const ViewTime& time) {
    if (status.phase == ConnectionPhase::Reconnecting)
        return Refusal::tr("The connection is lost: what is on screen is old.");
    if (!time.isLive())
        return Refusal::tr("Not connected.");
    if (status.isReplica)
        return status.master.isEmpty()
                   ? Refusal::tr("This server is a replica: it takes no writes.")
                   : Refusal::tr("This server is a replica of %1: it takes no writes.").arg(status.master);
    return status.readOnly ? Refusal::tr("This connection is read-only.") : QString();
}

QString writeRefusal(const ConnectionStatus& status, const ViewTime& time, const monitor::LockSnapshot& lock) {
    const QString refusal = writeRefusal(status, time);
    if (!refusal.isEmpty() || time.of(lock).isLive())
        return refusal;
    return Refusal::tr("Node %1 cannot be reached: what is on screen of this lock is old.").arg(nodeText(lock));
}

ActionRefusals actionRefusals(const ConnectionStatus& status, const ViewTime& time, const monitor::LockRow* selected,
                              Ownership ownership, Absence absence) {
    const bool atRest = status.phase == ConnectionPhase::Disconnected || status.phase == ConnectionPhase::Failed;
    const QString write = writeRefusal(status, time);
    const QString selection =
        selected ? QString() : firstOf(absenceRefusal(absence), Refusal::tr("Select a lock first."));
    const QString writeSelected = selected ? writeRefusal(status, time, selected->lock) : firstOf(write, selection);
    ActionRefusals refusals;
    if (atRest)
        refusals.disconnect = Refusal::tr("Not connected.");
    if (!time.isLive())
        refusals.pauseDiscovery = Refusal::tr("Not connected.");
    refusals.acquire = write;
    refusals.release = writeSelected;
    if (ownership != Ownership::Own)
        refusals.release = firstOf(writeSelected, Refusal::tr("This console does not hold the selected lock."));
    refusals.forceRelease = writeSelected;
    if (selected && !selected->lock.isHeld())
        refusals.forceRelease = firstOf(writeSelected, Refusal::tr("The lock is free."));
    refusals.wakeWaiters = writeSelected;
    if (selected && selected->lock.isHeld())
        refusals.wakeWaiters = firstOf(writeSelected, Refusal::tr("The lock is held: its release will wake the waiters."));
    else if (selected && offeredChanges(*selected).isEmpty())
        refusals.wakeWaiters = firstOf(writeSelected, Refusal::tr("Nobody is known to wait for this lock."));
    refusals.copyName = selection;
    return refusals;
}

}  // namespace lockkeeper::ui
