// SPDX-License-Identifier: Apache-2.0
#include "ui/locks/details/remedy.h"

#include "ui/words/diagnosistext.h"

#include <QCoreApplication>

namespace lockkeeper::ui {

namespace {

struct RemedyText {
    Q_DECLARE_TR_FUNCTIONS(RemedyText)
};

std::optional<Remedy> usualRemedy(monitor::DiagnosisKind kind) {
    switch (kind) {
        case monitor::DiagnosisKind::PossibleDoubleHolder:
        case monitor::DiagnosisKind::RenewalBroken:
        case monitor::DiagnosisKind::ClientRenewsNothing:
        case monitor::DiagnosisKind::WatchdogStopped:
        case monitor::DiagnosisKind::NeverRenewed:
            return Remedy::FindOutWho;
        case monitor::DiagnosisKind::Deadlock:
            return Remedy::WhoWaitsForWhom;
        case monitor::DiagnosisKind::SuspectedOrphan:
        case monitor::DiagnosisKind::ReentryLeak:
            return Remedy::ReadThreadDump;
        case monitor::DiagnosisKind::NeverExpires:
            return Remedy::SetTtl;
        case monitor::DiagnosisKind::FairQueueStorm:
        case monitor::DiagnosisKind::FairQueueBlocked:
        case monitor::DiagnosisKind::HeadWithoutDeadline:
            return Remedy::RemoveWaiter;
        case monitor::DiagnosisKind::WaitersAsleep:
            return Remedy::WakeWaiters;
        case monitor::DiagnosisKind::HolderThreadEnded:
            return Remedy::ForceRelease;
        case monitor::DiagnosisKind::DeafWaiters:
        case monitor::DiagnosisKind::PermitsUnclaimed:
        case monitor::DiagnosisKind::PermitLeaseOver:
        case monitor::DiagnosisKind::FairWaiterDropped:
        case monitor::DiagnosisKind::ReaderCutShort:
        case monitor::DiagnosisKind::ZombieReader:
        case monitor::DiagnosisKind::LeaseRanOut:
        case monitor::DiagnosisKind::TwoNames:
        case monitor::DiagnosisKind::AcquireTakenBack:
        case monitor::DiagnosisKind::UnlockFromOtherThread:
        case monitor::DiagnosisKind::LeaseCut:
        case monitor::DiagnosisKind::ChannelLeftOver:
        case monitor::DiagnosisKind::FixedLease:
            break;
    }
    return std::nullopt;
}

bool isPossible(Remedy remedy, const monitor::LockRow& row) {
    switch (remedy) {
        case Remedy::FindOutWho:
        case Remedy::ReadThreadDump:
            return row.lock.isHeld() && !row.lock.isOfOtherProgram();
        case Remedy::SetTtl:
            return row.lock.neverExpires() && !row.lock.isOfOtherProgram();
        case Remedy::RemoveWaiter:
            return !row.deadWaiters().isEmpty();
        case Remedy::WakeWaiters:
            return !row.lock.isHeld();
        case Remedy::ForceRelease:
            return row.lock.isHeld();
        case Remedy::WhoWaitsForWhom:
            break;
    }
    return true;
}

}  // namespace

std::optional<Remedy> remedyFor(monitor::DiagnosisKind kind, const monitor::LockRow& row) {
    const std::optional<Remedy> remedy = usualRemedy(kind);
    return remedy && isPossible(*remedy, row) ? remedy : std::nullopt;
}

QString remedyAdvice(Remedy remedy, monitor::DiagnosisKind kind) {
    if (remedy == Remedy::RemoveWaiter)
        return RemedyText::tr("The waiter is proven dead. Remove it from the queue, and the next one gets the lock.");
    return adviceText(kind);
}

QString remedyText(Remedy remedy) {
    switch (remedy) {
        case Remedy::FindOutWho:
            return RemedyText::tr("Find out who…");
        case Remedy::WhoWaitsForWhom:
            return RemedyText::tr("Who waits for whom…");
        case Remedy::ReadThreadDump:
            return RemedyText::tr("Read a thread dump…");
        case Remedy::SetTtl:
            return RemedyText::tr("Set a TTL…");
        case Remedy::RemoveWaiter:
            return RemedyText::tr("Remove the dead waiter…");
        case Remedy::WakeWaiters:
            return RemedyText::tr("Wake waiters…");
        case Remedy::ForceRelease:
            return RemedyText::tr("Force-release…");
    }
    return {};
}

}  // namespace lockkeeper::ui
