// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockkeeper_monitor_export.h"

#include <QList>
#include <QString>

#include <optional>

namespace lockkeeper::monitor {

// Kinds of errors that clients of Redisson report about their locks. The words that distinguish them are in
// explainentry.cpp, the sentences for people in ui/words/familytext.
enum class ErrorFamily {
    // An unlock
    UnlockNotHeld,      // by a thread that does not hold the lock
    UnlockOtherThread,  // the same from reactive code or a coroutine, where threads change
    NonReentrant,       // a lock that its own holder may not take again
    // A renewal
    RenewalFailed,     // with its cause, if the text has one
    RenewalNoEntry,    // the watchdog's own table has lost the lock
    RenewalScriptNil,  // its script has no key for a reader
    // Waiting
    SubscribeTimeout,
    SubscriptionLock,         // no place to subscribe in time
    SubscriptionConnections,  // too few connections for subscriptions
    // Connections of the client
    PoolExhausted,
    PoolCounter,  // the pool's counter has left its range
    CommandNotWritten,
    ConnectionFailed,
    ResponseTimeout,
    NodeUnknown,  // no node is known for the slot
    // Replicas
    ReplicasNotSynced,
    WaitUnknown,
    WaitOnReplica,
    TooFewReplicas,
    // Scripts
    FairLockNil,
    PermitNil,
    // A client that has ended
    ShutdownHeldCheck,
    ShutdownRenewal,
    ShutdownUnlock,
    ShutdownLock,
    // Answers of the server
    CrossSlot,
    CrossSlotNullKey,
    TryAgain,
    Moved,
    MovedLoop,
    ClusterDown,
    ReadOnly,
    MasterDown,
    Loading,
    OutOfMemory,
    NotPersisted,  // MISCONF
    NoScript,
    NoPermission,
    Busy,
    WrongType,
    EvalUnknown,
    ProxyScript,  // a proxy or a serverless service refuses the script
    ForeignKeys   // a script touches a key that this node does not have, or that it has not declared
};

// Stable lower-case words of the JSON and the anchors of the manual: "unlock_not_held".
[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT QString wordFor(ErrorFamily family);
[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT std::optional<ErrorFamily> errorFamilyOf(const QString& word);
// In the order of the manual.
[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT const QList<ErrorFamily>& allErrorFamilies();

enum class Seriousness {
    LockMayBeLost,  // two may work at once, or a lock stays held by nobody who works
    CallFailed,     // one call has failed, or calls fail until something is changed
    Passing         // it ends by itself, or nothing is lost
};

[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT QString wordFor(Seriousness seriousness);
[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT Seriousness seriousnessOf(ErrorFamily family);
// A cause may make an error harmless.
[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT Seriousness seriousnessOf(ErrorFamily family, std::optional<ErrorFamily> cause);

// What is published about a family: issues and pull requests of redisson/redisson, and the version whose notes name
// the correction. Only what was read there is listed; an empty version means that none is known.
struct KnownAbout {
    QList<int> issues;
    QString fixedIn;
};
[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT KnownAbout knownAbout(ErrorFamily family);

}  // namespace lockkeeper::monitor
