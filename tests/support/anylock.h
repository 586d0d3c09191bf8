// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "locks/kinds/multilock.h"
#include "locks/kinds/redlock.h"
#include "support/lockkinds.h"

#include <initializer_list>
#include <variant>

namespace lockkeeper::test {

[[nodiscard]] QByteArray wordFor(Kind kind);
[[nodiscard]] std::vector<Kind> allKinds();
[[nodiscard]] std::vector<Kind> kindsOfOneCluster();
// Adds a test column "kind" with a row for each.
void addKinds(const std::vector<Kind>& kinds = allKinds());
[[nodiscard]] size_t serversOf(Kind kind);

// A lock of any kind with one common interface, for tests that run the same steps with every kind. The red lock is held
// if most of its servers grant it; the attempt does not contain what each of them answered.
class AnyLock {
public:
    // One client for each server. All kinds except the red lock use only the first server. The multi lock consists of a
    // reentrant lock with this name and a write lock with this name and "+".
    AnyLock(Kind kind, const std::vector<locks::LockClient*>& clients, const LockName& name);

    [[nodiscard]] Task<Result<locks::LockAttempt>> tryLock(ThreadId thread, Deadline waitUntil,
                                                           std::optional<Milliseconds> lease = std::nullopt,
                                                           std::stop_token stop = {}) const;
    [[nodiscard]] Task<Result<locks::ReleaseOutcome>> unlock(ThreadId thread) const;

    // The locks that it consists of, each with the record of its own client; for most kinds, only itself.
    [[nodiscard]] const std::vector<locks::Lock>& members() const noexcept { return m_members; }
    // The number of members that makes it held.
    [[nodiscard]] size_t quorum() const;

private:
    std::vector<locks::Lock> m_members;
    std::variant<locks::Lock, locks::MultiLock, locks::RedLock> m_lock;
};

}  // namespace lockkeeper::test
