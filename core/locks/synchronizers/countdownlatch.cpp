// SPDX-License-Identifier: Apache-2.0
#include "locks/synchronizers/countdownlatch.h"

#include "locks/dialect/lockdialect.h"
#include "locks/synchronizers/synchronizercalls.h"
#include "locks/synchronizers/synchronizerkeys.h"

namespace lockkeeper::locks {

namespace {

struct LatchScripts {
    redis::Script set = publishingScript({QStringLiteral("locks/lua/counter_set.lua")});
    redis::Script countDown = publishingScript({QStringLiteral("locks/lua/latch_count_down.lua")});
    redis::Script remove = publishingScript({QStringLiteral("locks/lua/latch_remove.lua")});
    redis::Script wait =
        redis::Script::joined({QStringLiteral("locks/lua/counter.lua"), QStringLiteral("locks/lua/latch_wait.lua")});
};

const LatchScripts& latchScripts() {
    static const LatchScripts all;
    return all;
}

}  // namespace

CountDownLatch::CountDownLatch(LockClient& client, const LockName& name) : m_client(&client), m_name(name) {}

Task<Result<bool>> CountDownLatch::trySetCount(qint64 count) const {
    static const QByteArray isSet = QByteArrayLiteral("1");
    const ScriptCall set(latchScripts().set, {m_name.bytes()},
                         {latchChannel(m_name), QByteArray::number(count), isSet});
    return SynchronizerCalls::writeIf(m_client, m_name, set);
}

Task<Result<qint64>> CountDownLatch::countDown() const {
    const ScriptCall countDown(latchScripts().countDown, {m_name.bytes()}, {latchChannel(m_name)});
    return SynchronizerCalls::write(m_client, m_name, countDown);
}

Task<Result<qint64>> CountDownLatch::count() const {
    return SynchronizerCalls::number(m_client, m_name);
}

Task<Result<bool>> CountDownLatch::remove() const {
    const ScriptCall remove(latchScripts().remove, {m_name.bytes()}, {latchChannel(m_name)});
    return SynchronizerCalls::writeIf(m_client, m_name, remove);
}

Task<Result<bool>> CountDownLatch::await(Deadline waitUntil, std::stop_token stop) const {
    constexpr qint64 noPermits = 0;
    const ScriptCall attempt(latchScripts().wait, {m_name.bytes()}, {});
    const auto call = std::make_shared<const WaitingCall>(
        WaitingCall{m_client, m_name, latchChannel(m_name), noPermits, attempt, std::nullopt,
                    WaitingCall::Afterwards::Repeat, std::nullopt, std::move(stop)});
    return SynchronizerCalls::wait(call, waitUntil);
}

}  // namespace lockkeeper::locks
