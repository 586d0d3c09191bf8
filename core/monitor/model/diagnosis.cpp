// SPDX-License-Identifier: Apache-2.0
#include "monitor/model/diagnosis.h"

#include <algorithm>

namespace lockkeeper::monitor {

Evidence::Evidence() = default;
Evidence::Evidence(const Evidence& other) = default;
Evidence::Evidence(Evidence&& other) noexcept = default;
Evidence& Evidence::operator=(const Evidence& other) = default;
Evidence& Evidence::operator=(Evidence&& other) noexcept = default;
Evidence::~Evidence() = default;

bool operator==(const Evidence& one, const Evidence& other) {
    return static_cast<const AnyEvidence&>(one) == static_cast<const AnyEvidence&>(other);
}

DiagnosisKind Diagnosis::kind() const {
    return std::visit([](const auto& found) { return found.kind; }, evidence);
}

QList<int> issuesOf(DiagnosisKind kind) {
    switch (kind) {
        case DiagnosisKind::PossibleDoubleHolder:
            return {2669, 5256, 4822};
        case DiagnosisKind::HolderThreadEnded:
            return {7272, 2714, 4368};
        case DiagnosisKind::RenewalBroken:
            return {7116, 6483};
        case DiagnosisKind::ClientRenewsNothing:
            return {7116, 6867, 6472, 6962};
        case DiagnosisKind::WatchdogStopped:
            return {5698, 5697, 3714, 6483, 4698};
        case DiagnosisKind::NeverRenewed:
            return {6844, 6651, 6144};
        case DiagnosisKind::Deadlock:
        case DiagnosisKind::NeverExpires:
        case DiagnosisKind::DeafWaiters:
        case DiagnosisKind::AcquireTakenBack:
        case DiagnosisKind::ReaderCutShort:
            return {};
        case DiagnosisKind::FairQueueStorm:
            return {4323};
        case DiagnosisKind::FairQueueBlocked:
            return {4323, 3730, 4620, 5019};
        case DiagnosisKind::HeadWithoutDeadline:
            return {5989, 4153};
        case DiagnosisKind::TwoNames:
            return {4925};
        case DiagnosisKind::LeaseCut:
            return {7251};
        case DiagnosisKind::WaitersAsleep:
            return {3829, 5761, 3891};
        case DiagnosisKind::PermitsUnclaimed:
            return {6664, 6687, 5762, 3573};
        case DiagnosisKind::PermitLeaseOver:
            return {4086, 6343};
        case DiagnosisKind::FairWaiterDropped:
            return {3004};
        case DiagnosisKind::ZombieReader:
            return {1458, 1604};
        case DiagnosisKind::LeaseRanOut:
            return {2665, 2807, 5000};
        case DiagnosisKind::UnlockFromOtherThread:
            return {6878, 6662, 2224};
        case DiagnosisKind::SuspectedOrphan:
            return {7272, 1626, 2714};
        case DiagnosisKind::ReentryLeak:
            return {3317, 4706};
        case DiagnosisKind::ChannelLeftOver:
            return {4064, 3686, 5501};
        case DiagnosisKind::FixedLease:
            return {4405};
    }
    return {};
}

Severity severityOf(DiagnosisKind kind) {
    return kind == DiagnosisKind::FixedLease ? Severity::Information : Severity::Fault;
}

const StoppedLocks* stoppedLocks(const Diagnosis& diagnosis) {
    if (const auto* broken = std::get_if<RenewalBroken>(&diagnosis.evidence))
        return &broken->stopped;
    const auto* silent = std::get_if<ClientRenewsNothing>(&diagnosis.evidence);
    return silent ? &silent->stopped : nullptr;
}

bool hasFault(const QList<Diagnosis>& diagnoses) {
    return std::any_of(diagnoses.begin(), diagnoses.end(),
                       [](const Diagnosis& one) { return severityOf(one.kind()) == Severity::Fault; });
}

QString wordFor(DiagnosisKind kind) {
    switch (kind) {
        case DiagnosisKind::PossibleDoubleHolder:
            return QStringLiteral("possible_double_holder");
        case DiagnosisKind::Deadlock:
            return QStringLiteral("deadlock");
        case DiagnosisKind::HolderThreadEnded:
            return QStringLiteral("holder_thread_ended");
        case DiagnosisKind::RenewalBroken:
            return QStringLiteral("renewal_broken");
        case DiagnosisKind::ClientRenewsNothing:
            return QStringLiteral("client_renews_nothing");
        case DiagnosisKind::WatchdogStopped:
            return QStringLiteral("watchdog_stopped");
        case DiagnosisKind::NeverRenewed:
            return QStringLiteral("never_renewed");
        case DiagnosisKind::NeverExpires:
            return QStringLiteral("never_expires");
        case DiagnosisKind::FairQueueStorm:
            return QStringLiteral("fair_queue_storm");
        case DiagnosisKind::FairQueueBlocked:
            return QStringLiteral("fair_queue_blocked");
        case DiagnosisKind::HeadWithoutDeadline:
            return QStringLiteral("head_without_deadline");
        case DiagnosisKind::TwoNames:
            return QStringLiteral("two_names");
        case DiagnosisKind::LeaseCut:
            return QStringLiteral("lease_cut");
        case DiagnosisKind::WaitersAsleep:
            return QStringLiteral("waiters_asleep");
        case DiagnosisKind::DeafWaiters:
            return QStringLiteral("deaf_waiters");
        case DiagnosisKind::PermitsUnclaimed:
            return QStringLiteral("permits_unclaimed");
        case DiagnosisKind::PermitLeaseOver:
            return QStringLiteral("permit_lease_over");
        case DiagnosisKind::FairWaiterDropped:
            return QStringLiteral("fair_waiter_dropped");
        case DiagnosisKind::ReaderCutShort:
            return QStringLiteral("reader_cut_short");
        case DiagnosisKind::ZombieReader:
            return QStringLiteral("zombie_reader");
        case DiagnosisKind::LeaseRanOut:
            return QStringLiteral("lease_ran_out");
        case DiagnosisKind::AcquireTakenBack:
            return QStringLiteral("acquire_taken_back");
        case DiagnosisKind::UnlockFromOtherThread:
            return QStringLiteral("unlock_from_other_thread");
        case DiagnosisKind::SuspectedOrphan:
            return QStringLiteral("suspected_orphan");
        case DiagnosisKind::ReentryLeak:
            return QStringLiteral("reentry_leak");
        case DiagnosisKind::ChannelLeftOver:
            return QStringLiteral("channel_left_over");
        case DiagnosisKind::FixedLease:
            return QStringLiteral("fixed_lease");
    }
    return {};
}

QString wordFor(Certainty certainty) {
    switch (certainty) {
        case Certainty::Certain:
            return QStringLiteral("certain");
        case Certainty::Likely:
            return QStringLiteral("likely");
        case Certainty::Suspected:
            return QStringLiteral("suspected");
    }
    return {};
}

}  // namespace lockkeeper::monitor
