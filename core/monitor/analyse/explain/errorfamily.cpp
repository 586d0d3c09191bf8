// SPDX-License-Identifier: Apache-2.0
#include "monitor/analyse/explain/errorfamily.h"

#include <algorithm>
#include <initializer_list>
#include <iterator>

namespace lockkeeper::monitor {

namespace {

struct FamilyRow {
    ErrorFamily family;
    const char* word;
    Seriousness seriousness;
    std::initializer_list<int> issues;
    const char* fixedIn;
};

// In the order of the manual.
struct Families {
    using enum ErrorFamily;
    using enum Seriousness;
    static const FamilyRow rows[];
};

const FamilyRow Families::rows[] = {
    {UnlockNotHeld, "unlock_not_held", LockMayBeLost, {6878, 6844, 6651, 2665}, ""},
    {UnlockOtherThread, "unlock_other_thread", LockMayBeLost, {2224, 6046, 3580, 6878}, ""},
    {NonReentrant, "non_reentrant", CallFailed, {}, ""},
    {RenewalFailed, "renewal_failed", LockMayBeLost, {6458, 2515, 4698}, ""},
    {RenewalNoEntry, "renewal_no_entry", LockMayBeLost, {6472, 6483}, ""},
    {RenewalScriptNil, "renewal_script_nil", LockMayBeLost, {6883}, ""},
    {SubscribeTimeout, "subscribe_timeout", CallFailed, {3686, 1847, 5892}, ""},
    {SubscriptionLock, "subscription_lock", CallFailed, {4216, 5046, 5219, 7264}, ""},
    {SubscriptionConnections, "subscription_connections", CallFailed, {3577, 438}, ""},
    {PoolExhausted, "pool_exhausted", LockMayBeLost, {5168, 4517, 2836, 386}, ""},
    {PoolCounter, "pool_counter", LockMayBeLost, {6563, 7206}, ""},
    {CommandNotWritten, "command_not_written", LockMayBeLost, {4342, 4028, 3262}, ""},
    {ConnectionFailed, "connection_failed", LockMayBeLost, {2515}, ""},
    {ResponseTimeout, "response_timeout", LockMayBeLost, {3869, 2312, 2387}, ""},
    {NodeUnknown, "node_unknown", CallFailed, {}, "3.20.1"},
    {ReplicasNotSynced, "replicas_not_synced", CallFailed, {6518, 4222, 4305, 4706, 6920}, "3.46.0"},
    {WaitUnknown, "wait_unknown", CallFailed, {5586, 4645, 4082, 6716, 6775}, "3.26.1"},
    {WaitOnReplica, "wait_on_replica", CallFailed, {4068, 4822, 6223}, ""},
    {TooFewReplicas, "too_few_replicas", LockMayBeLost, {}, ""},
    {FairLockNil, "fair_lock_nil", CallFailed, {4153, 5989, 6434}, "3.45.0"},
    {PermitNil, "permit_nil", CallFailed, {1418}, ""},
    {ShutdownHeldCheck, "shutdown_held_check", LockMayBeLost, {5069, 2972}, ""},
    {ShutdownRenewal, "shutdown_renewal", Passing, {6029, 1090}, ""},
    {ShutdownUnlock, "shutdown_unlock", LockMayBeLost, {3150, 5933}, ""},
    {ShutdownLock, "shutdown_lock", CallFailed, {2142, 2972}, ""},
    {CrossSlot, "cross_slot", LockMayBeLost, {7116, 6867, 1098}, ""},
    {CrossSlotNullKey, "cross_slot_null_key", LockMayBeLost, {6831, 6883}, ""},
    {TryAgain, "try_again", Passing, {}, "3.20.1"},
    {Moved, "moved", CallFailed, {}, ""},
    {MovedLoop, "moved_loop", LockMayBeLost, {4144, 4340, 3162}, "3.24.2"},
    {ClusterDown, "cluster_down", CallFailed, {}, "3.20.1"},
    {ReadOnly, "read_only", LockMayBeLost, {409}, "3.27.1"},
    {MasterDown, "master_down", CallFailed, {}, "3.42.0"},
    {Loading, "loading", Passing, {}, "3.20.1"},
    {OutOfMemory, "out_of_memory", LockMayBeLost, {}, ""},
    {NotPersisted, "not_persisted", LockMayBeLost, {}, ""},
    {NoScript, "no_script", Passing, {7238}, ""},
    {NoPermission, "no_permission", CallFailed, {}, ""},
    {Busy, "busy", LockMayBeLost, {}, "3.20.1"},
    {WrongType, "wrong_type", CallFailed, {5565, 480, 6285}, ""},
    {EvalUnknown, "eval_unknown", CallFailed, {2734, 2225}, ""},
    {ProxyScript, "proxy_script", CallFailed, {4221, 5596, 1538}, ""},
    {ForeignKeys, "foreign_keys", CallFailed, {6718, 6463}, ""},
};

const FamilyRow& rowOf(ErrorFamily family) {
    return *std::ranges::find(Families::rows, family, &FamilyRow::family);
}

}  // namespace

QString wordFor(ErrorFamily family) {
    return QString::fromLatin1(rowOf(family).word);
}

std::optional<ErrorFamily> errorFamilyOf(const QString& word) {
    const auto* const row =
        std::ranges::find_if(Families::rows, [&word](const FamilyRow& one) { return word == QLatin1String(one.word); });
    return row == std::end(Families::rows) ? std::nullopt : std::optional(row->family);
}

const QList<ErrorFamily>& allErrorFamilies() {
    static const QList<ErrorFamily> all = [] {
        QList<ErrorFamily> families;
        for (const FamilyRow& row : Families::rows)
            families << row.family;
        return families;
    }();
    return all;
}

QString wordFor(Seriousness seriousness) {
    using enum Seriousness;
    switch (seriousness) {
        case LockMayBeLost:
            return QStringLiteral("lock_may_be_lost");
        case CallFailed:
            return QStringLiteral("call_failed");
        case Passing:
            return QStringLiteral("passing");
    }
    return {};
}

Seriousness seriousnessOf(ErrorFamily family) {
    return rowOf(family).seriousness;
}

Seriousness seriousnessOf(ErrorFamily family, std::optional<ErrorFamily> cause) {
    return cause == ErrorFamily::ShutdownRenewal ? Seriousness::Passing : seriousnessOf(family);
}

KnownAbout knownAbout(ErrorFamily family) {
    const FamilyRow& row = rowOf(family);
    return {QList<int>(row.issues), QString::fromLatin1(row.fixedIn)};
}

}  // namespace lockkeeper::monitor
