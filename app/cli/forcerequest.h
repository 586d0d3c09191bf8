// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/ids.h"
#include "base/result.h"
#include "control/operations.h"
#include "locks/namemapper.h"

#include <QString>

#include <optional>

namespace lockkeeper::app {

// Options of `lockkeeper force-release`, `wake` and `set-ttl` as given.
struct ForceOptions {
    // Production: also for a server of which nothing is known. --yes alone does not confirm it.
    enum class Target { Production, Other };
    Target target = Target::Production;
    QString holder;
    std::optional<QString> count;
    std::optional<QString> token;
    QString reason;
    bool isYes = false;
    std::optional<QString> confirm;
    bool isReader = false;
    std::optional<QString> ttl{};
    std::optional<QString> waiter{};
    std::optional<QString> client{};
    bool isWithDeadWaiters = false;
    std::optional<QString> permit{};
    locks::NameMapper names{};  // of the Java clients: the name of the program confirms a lock as well as its key
};

// Which hold `lockkeeper force-release` is to break, or what else is to be changed, and why.
struct ForceRequest {
    // Any kind but the quarantines.
    control::ChangeKind kind = control::ChangeKind::ReleaseLock;
    // RemoveWaiter: the waiter. Nothing only for WakeWaiters, GiveBackPermit and with a client
    std::optional<HolderId> holder;
    std::optional<qint64> count;
    std::optional<qint64> token;
    QString reason;
    bool isConfirmed = false;          // by options; otherwise somebody at the terminal must confirm
    Milliseconds ttl{0};               // SetExpiry
    std::optional<ClientId> client{};  // RemoveWaiter: all places of this client, whatever the lock
    bool isWithDeadWaiters = false;    // ReleaseLock: its dead waiters are removed before
    QByteArray permit{};               // GiveBackPermit: its id, raw

    // Errors: InvalidArgument with a sentence for stderr.
    // lock: with ForceOptions::client the client's id.
    // kind: as the word on the command line says; ForceOptions::isReader makes one of ReleaseReader, and
    // ForceOptions::waiter one of RemoveWaiter, and ForceOptions::permit one of GiveBackPermit.
    [[nodiscard]] static Result<ForceRequest> parse(const LockName& lock, const ForceOptions& given,
                                                    control::ChangeKind kind = control::ChangeKind::ReleaseLock);
};

}  // namespace lockkeeper::app
