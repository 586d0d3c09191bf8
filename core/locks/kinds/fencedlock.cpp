// SPDX-License-Identifier: Apache-2.0
#include "locks/kinds/fencedlock.h"

#include "locks/dialect/fenceddialect.h"

namespace lockkeeper::locks {

namespace {

Task<Result<FencingToken>> takeWithToken(FencedLock lock, ThreadId thread, std::optional<Milliseconds> lease,
                                         std::stop_token stop) {
    const Deadline never = Deadline::never(lock.client().clock());
    const Result<LockAttempt> taken = co_await lock.tryLock(thread, never, lease, stop);
    if (!taken)
        co_return taken.error();
    co_return *taken->token;
}

}  // namespace

FencedLock::FencedLock(LockClient& client, const LockName& name) : Lock(client, fencedDialect(), name) {}

Task<Result<FencingToken>> FencedLock::lockAndGetToken(ThreadId thread, std::optional<Milliseconds> lease,
                                                       std::stop_token stop) const {
    return takeWithToken(*this, thread, lease, std::move(stop));
}

}  // namespace lockkeeper::locks
