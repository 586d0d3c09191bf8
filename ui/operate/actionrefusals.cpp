// SPDX-License-Identifier: Apache-2.0
#include "ui/operate/actionrefusals.h"

#include "ui/operate/changechoices.h"
#include "ui/words/armingtext.h"
#include "ui/words/viewtime.h"

#include <QCoreApplication>

namespace lockkeeper::ui {

namespace {

struct Refusal {
    Q_DECLARE_TR_FUNCTIONS(Refusal)
};

QString firstOf(const QString& one, const QString& other) {
    return one.isEmpty() ? other : one;
}

QString recordingRefusal() {
    return Refusal::tr("This is a recording: there is no server, and nothing can be changed.");
}

// What the server or the connection to it does not allow.
QString serverRefusal(const ConnectionStatus& status, const ViewTime& time) {
    if (status.isRecording)
        return recordingRefusal();
    if (status.phase == ConnectionPhase::Reconnecting)
        return Refusal::tr("The connection is lost: what is on screen is old.");
    if (status.watchesNothing)
        return Refusal::tr("No node of the Cluster is watched: what is on screen is old.");
    if (!time.isLive())
        return Refusal::tr("Not connected.");
    if (!status.isReplica)
        return {};
    return status.master.isEmpty()
               ? Refusal::tr("This server is a replica: it takes no writes.")
               : Refusal::tr("This server is a replica of %1: it takes no writes.").arg(status.master);
}

QString nodeRefusal(const ViewTime& time, const monitor::LockSnapshot& lock) {
    if (time.of(lock).isLive())
        return {};
    return Refusal::tr("Node %1 cannot be reached: what is on screen of this lock is old.").arg(nodeText(lock));
}

// A lock of this console may be released as long as it is one.
QString releaseRefusal(const ConnectionStatus& status, const ViewTime& time, const monitor::LockSnapshot& lock,
                       Ownership ownership) {
    const QString refusal = firstOf(armRefusal(status, time), nodeRefusal(time, lock));
    return ownership == Ownership::Own ? refusal
                                       : firstOf(refusal, Refusal::tr("This console does not hold the selected lock."));
}

}  // namespace

QString armRefusal(const ConnectionStatus& status, const ViewTime& time) {
    const QString server = serverRefusal(status, time);
    return server.isEmpty() && status.readOnly ? armingRefusal(status, Arming()) : server;
}

QString writeRefusal(const ConnectionStatus& status, const Arming& arming, const ViewTime& time) {
    return firstOf(serverRefusal(status, time), armingRefusal(status, arming));
}

QString writeRefusal(const ConnectionStatus& status, const Arming& arming, const ViewTime& time,
                     const monitor::LockSnapshot& lock) {
    return firstOf(writeRefusal(status, arming, time), nodeRefusal(time, lock));
}

ActionRefusals actionRefusals(const ConnectionStatus& status, const Arming& arming, const ViewTime& time,
                              const monitor::LockRow* selected, Ownership ownership, Absence absence) {
    const bool atRest = status.phase == ConnectionPhase::Disconnected || status.phase == ConnectionPhase::Failed;
    const QString write = writeRefusal(status, arming, time);
    const QString selection =
        selected ? QString() : firstOf(absenceRefusal(absence), Refusal::tr("Select a lock first."));
    const QString writeSelected =
        selected ? writeRefusal(status, arming, time, selected->lock) : firstOf(write, selection);
    ActionRefusals refusals;
    if (atRest)
        refusals.disconnect = Refusal::tr("Not connected.");
    if (!time.isLive())
        refusals.pauseDiscovery = Refusal::tr("Not connected.");
    if (status.isRecording)
        refusals.disconnect = refusals.pauseDiscovery = recordingRefusal();
    refusals.acquire = write;
    refusals.arm = armRefusal(status, time);
    refusals.release = selected ? releaseRefusal(status, time, selected->lock, ownership)
                                : firstOf(serverRefusal(status, time), selection);
    refusals.forceRelease = writeSelected;
    if (selected && !selected->lock.isHeld())
        refusals.forceRelease = firstOf(writeSelected, Refusal::tr("The lock is free."));
    refusals.wakeWaiters = writeSelected;
    if (selected && selected->lock.isHeld())
        refusals.wakeWaiters =
            firstOf(writeSelected, Refusal::tr("The lock is held: its release will wake the waiters."));
    else if (selected && offeredChanges(*selected).isEmpty())
        refusals.wakeWaiters = firstOf(writeSelected, Refusal::tr("Nobody is known to wait for this lock."));
    refusals.copyName = selection;
    // Nothing is known of a lock that was not seen again.
    refusals.report = absence == Absence::None || absence == Absence::Unlisted ? selection : QString();
    return refusals;
}

}  // namespace lockkeeper::ui
