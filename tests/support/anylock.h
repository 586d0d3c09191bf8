#pragma once

#include "locks/kinds/multilock.h"
#include "locks/kinds/redlock.h"
#include "support/lockkinds.h"

#include <initializer_list>
#include <variant>

namespace lockkeeper::test {

[[nodiscard]] QByteArray wordFor(Kind kind);
[[nodiscard]] std::vector<Kind> allKinds();
// A column "kind", and a row for each.
void addKinds(const std::vector<Kind>& kinds = allKinds());
[[nodiscard]] size_t serversOf(Kind kind);

// A lock of any kind under one face, for tests that ask the same of all. The red lock is held when most of its servers
// have it; what it says of them, the attempt leaves out.
class AnyLock {
public:
    // One client a server; all kinds but the red lock live on the first server alone. The multi lock consists of a
    // reentrant lock of this name and of a write lock of this name and "+".
    AnyLock(Kind kind, const std::vector<locks::LockClient*>& clients, const LockName& name);

    [[nodiscard]] Task<Result<locks::LockAttempt>> tryLock(ThreadId thread, Deadline waitUntil,
                                                           std::optional<Milliseconds> lease = std::nullopt,
                                                           std::stop_token stop = {}) const;
    [[nodiscard]] Task<Result<locks::ReleaseOutcome>> unlock(ThreadId thread) const;

    // The locks it consists of, each with what its own client believes: itself, for most kinds.
    [[nodiscard]] const std::vector<locks::Lock>& members() const noexcept { return m_members; }
    // So many of them make it held.
    [[nodiscard]] size_t quorum() const;

private:
    std::vector<locks::Lock> m_members;
    std::variant<locks::Lock, locks::MultiLock, locks::RedLock> m_lock;
};

}  // namespace lockkeeper::test
