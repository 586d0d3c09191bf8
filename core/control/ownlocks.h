// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "control/operations.h"
#include "locks/kinds/lock.h"
#include "locks/lockclient.h"

#include <QHash>

namespace lockkeeper::control {

// The locks that the operator has taken with the console: the holds of its client, and what the holds do not contain.
// Thread: the client's.
class OwnLocks {
public:
    // The console is one holder: taking the same lock twice is a reentry.
    static constexpr ThreadId thread{1};

    // The client must outlive it.
    explicit OwnLocks(locks::LockClient& client) : m_client(client) {}

    // key: the name on the server, whatever the NameMapper of the client adds.
    [[nodiscard]] locks::Lock lockOf(OwnLockKind kind, const LockName& key) const;
    [[nodiscard]] locks::HoldKey keyOf(OwnLockKind kind, const LockName& key) const;
    // A reentry has the kind of the first hold.
    void noteTaken(const locks::HoldKey& key, OwnLockKind kind, std::optional<qint64> token);
    [[nodiscard]] std::vector<locks::HoldKey> keys() const;
    [[nodiscard]] QList<OwnLock> list() const;
    // The kind of the hold that is released first. For a writer that reads, this is the read lock.
    [[nodiscard]] OwnLockKind kindOf(const LockName& name) const;
    // The error for a release or an extension of a lock that the console does not hold.
    [[nodiscard]] Error notHeld() const;

private:
    [[nodiscard]] OwnLockKind kindOf(const locks::HoldKey& key) const;

    struct Taken {
        OwnLockKind kind = OwnLockKind::Reentrant;
        std::optional<qint64> token;
    };

    locks::LockClient& m_client;
    QHash<locks::HoldKey, Taken> m_taken;
};

// The result of a release of one hold.
[[nodiscard]] OperationResult resultOf(const LockName& name, const Result<locks::ReleaseOutcome>& released);

}  // namespace lockkeeper::control
