// SPDX-License-Identifier: Apache-2.0
#include "locks/synchronizers/semaphore.h"

#include "locks/dialect/lockdialect.h"
#include "locks/synchronizers/synchronizercalls.h"
#include "locks/synchronizers/synchronizerkeys.h"

namespace lockkeeper::locks {

namespace {

using namespace std::chrono_literals;

// A refusal is reported, so somebody may correct the number of permits by hand. A release after such a correction would
// add permits.
constexpr Milliseconds untilSomebodyCorrectsIt = 10min;

const QString counter = QStringLiteral("locks/lua/counter.lua");

struct SemaphoreScripts {
    redis::Script acquire = redis::Script::joined({counter, QStringLiteral("locks/lua/semaphore_acquire.lua")});
    redis::Script drain = redis::Script::joined({counter, QStringLiteral("locks/lua/semaphore_drain.lua")});
    redis::Script release = publishingScript({QStringLiteral("locks/lua/semaphore_release.lua")});
    redis::Script set = publishingScript({QStringLiteral("locks/lua/counter_set.lua")});
    redis::Script remove = redis::Script::embedded(QStringLiteral("locks/lua/semaphore_remove.lua"));
    redis::Script add = publishingScript({counter, QStringLiteral("locks/lua/semaphore_add.lua")});
};

const SemaphoreScripts& semaphoreScripts() {
    static const SemaphoreScripts all;
    return all;
}

ScriptCall releaseOf(const LockName& name, quint32 permits) {
    return {semaphoreScripts().release, {name.bytes()}, {semaphoreChannel(name), QByteArray::number(permits)}};
}

}  // namespace

Semaphore::Semaphore(LockClient& client, const LockName& name) : m_client(&client), m_name(name) {}

Task<Result<bool>> Semaphore::trySetPermits(qint64 permits) const {
    const QByteArray number = QByteArray::number(permits);
    const ScriptCall set(semaphoreScripts().set, {m_name.bytes()}, {semaphoreChannel(m_name), number, number});
    return SynchronizerCalls::writeIf(m_client, m_name, set);
}

Task<Result<bool>> Semaphore::tryAcquire(quint32 permits, Deadline waitUntil, std::stop_token stop) const {
    if (permits == 0)
        return endedTask<Result<bool>>(true);
    const ScriptCall acquire(semaphoreScripts().acquire, {m_name.bytes()}, {QByteArray::number(permits)});
    const auto call = std::make_shared<const WaitingCall>(
        WaitingCall{m_client, m_name, semaphoreChannel(m_name), permits, acquire, releaseOf(m_name, permits),
                    WaitingCall::Afterwards::Report, untilSomebodyCorrectsIt, std::move(stop)});
    return SynchronizerCalls::wait(call, waitUntil);
}

Task<Result<Done>> Semaphore::acquire(quint32 permits, std::stop_token stop) const {
    return withoutValue(tryAcquire(permits, Deadline::never(m_client->clock()), std::move(stop)));
}

Task<Result<Done>> Semaphore::release(quint32 permits) const {
    if (permits == 0)
        return endedTask<Result<Done>>(Done());
    return SynchronizerCalls::writeAlways(m_client, m_name, releaseOf(m_name, permits));
}

Task<Result<qint64>> Semaphore::drain() const {
    const ScriptCall drain(semaphoreScripts().drain, {m_name.bytes()}, {});
    return SynchronizerCalls::write(m_client, m_name, drain);
}

Task<Result<Done>> Semaphore::addPermits(qint64 difference) const {
    const ScriptCall add(semaphoreScripts().add, {m_name.bytes()},
                         {semaphoreChannel(m_name), QByteArray::number(difference)});
    return SynchronizerCalls::writeAlways(m_client, m_name, add);
}

Task<Result<qint64>> Semaphore::availablePermits() const {
    return SynchronizerCalls::number(m_client, m_name);
}

Task<Result<bool>> Semaphore::remove() const {
    const ScriptCall remove(semaphoreScripts().remove, {m_name.bytes()}, {});
    return SynchronizerCalls::writeIf(m_client, m_name, remove);
}

Completion<Done> Semaphore::whenSettled() const {
    return SynchronizerCalls::whenSettled(m_client, m_name);
}

}  // namespace lockkeeper::locks
