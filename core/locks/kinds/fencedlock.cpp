// SPDX-License-Identifier: Apache-2.0
#include "locks/kinds/fencedlock.h"

#include "locks/calls/clientwaits.h"
#include "locks/dialect/fenceddialect.h"
#include "locks/lockkeys.h"

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

Task<Result<std::optional<FencingToken>>> readToken(FencedLock lock) {
    const redis::Command command("GET", {LockKeys(lock.name()).token()});
    const Result<redis::RespValue> answer = co_await ClientWaits::ask(&lock.client(), lock.name(), command);
    if (!answer)
        co_return answer.error();
    std::optional<FencingToken> token;
    if (!answer->isNull())
        token = FencingToken{answer->bytes.toLongLong()};
    co_return token;
}

}  // namespace

FencedLock::FencedLock(LockClient& client, const LockName& name) : Lock(client, fencedDialect(), name) {}

Task<Result<std::optional<FencingToken>>> FencedLock::token() const {
    return readToken(*this);
}

Task<Result<FencingToken>> FencedLock::lockAndGetToken(ThreadId thread, std::optional<Milliseconds> lease,
                                                       std::stop_token stop) const {
    return takeWithToken(*this, thread, lease, std::move(stop));
}

}  // namespace lockkeeper::locks
