// SPDX-License-Identifier: Apache-2.0
#include "locks/synchronizers/permitsemaphore.h"

#include "locks/calls/lockcalls.h"
#include "locks/dialect/lockdialect.h"
#include "locks/synchronizers/semaphore.h"
#include "locks/synchronizers/synchronizercalls.h"
#include "locks/synchronizers/synchronizerkeys.h"

#include <QRandomGenerator>

#include <array>

namespace lockkeeper::locks {

namespace {

constexpr qsizetype idBytes = 16;
constexpr Milliseconds noLease{-1};

redis::Script permitScript(const char* file) {
    return publishingScript({QStringLiteral("locks/lua/counter.lua"), QStringLiteral("locks/lua/permits.lua"),
                             QStringLiteral("locks/lua/%1.lua").arg(QLatin1StringView(file))});
}

struct PermitScripts {
    redis::Script acquire = permitScript("permit_acquire");
    redis::Script release = permitScript("permit_release");
    redis::Script lease = permitScript("permit_lease");
    redis::Script free = permitScript("permit_free");
    redis::Script set = permitScript("permit_set");
    redis::Script remove = redis::Script::embedded(QStringLiteral("locks/lua/semaphore_remove.lua"));
};

const PermitScripts& permitScripts() {
    static const PermitScripts all;
    return all;
}

ScriptCall callOf(const redis::Script& script, const LockName& name, const QByteArrayList& arguments) {
    redis::Arguments all{semaphoreChannel(name)};
    for (const QByteArray& argument : arguments)
        all.add(argument);
    return {script, {name.bytes(), permitLeases(name)}, all};
}

bool isPossible(Milliseconds lease) {
    return lease >= shortestLease && lease <= longestLease;
}

Error leaseOutOfRange() {
    return Error(ErrorCode::InvalidArgument, Cause::LeaseOutOfRange);
}

Task<Result<std::optional<PermitId>>> takePermit(SynchronizerCalls::Call call, Deadline waitUntil, PermitId permit) {
    const Result<bool> taken = co_await SynchronizerCalls::wait(call, waitUntil);
    if (!taken)
        co_return taken.error();
    std::optional<PermitId> answer;
    if (*taken)
        answer = permit;
    co_return answer;
}

}  // namespace

PermitId PermitId::random() {
    std::array<quint32, idBytes / sizeof(quint32)> words{};
    QRandomGenerator::system()->fillRange(words.data(), words.size());
    return PermitId(QByteArray(reinterpret_cast<const char*>(words.data()), idBytes));
}

std::optional<PermitId> PermitId::fromHex(QByteArrayView text) {
    const QByteArray bytes = QByteArray::fromHex(text.toByteArray());
    // fromHex() skips characters that are not hex digits.
    if (bytes.size() != idBytes || text.size() != 2 * idBytes || bytes.toHex() != text.toByteArray().toLower())
        return std::nullopt;
    return PermitId(bytes);
}

PermitSemaphore::PermitSemaphore(LockClient& client, const LockName& name) : m_client(&client), m_name(name) {}

Task<Result<bool>> PermitSemaphore::trySetPermits(qint64 permits) const {
    return Semaphore(*m_client, m_name).trySetPermits(permits);
}

Task<Result<Done>> PermitSemaphore::setPermits(qint64 permits) const {
    const ScriptCall set = callOf(permitScripts().set, m_name, {QByteArray::number(permits)});
    return SynchronizerCalls::writeAlways(m_client, m_name, set);
}

Task<Result<Done>> PermitSemaphore::addPermits(qint64 difference) const {
    return Semaphore(*m_client, m_name).addPermits(difference);
}

Task<Result<std::optional<PermitId>>> PermitSemaphore::tryAcquire(Deadline waitUntil, std::optional<Milliseconds> lease,
                                                                  std::stop_token stop) const {
    if (lease && !isPossible(*lease))
        return endedTask<Result<std::optional<PermitId>>>(leaseOutOfRange());
    const PermitId permit = PermitId::random();
    const QByteArray time = QByteArray::number(qint64{lease.value_or(noLease).count()});
    const auto call = std::make_shared<const WaitingCall>(WaitingCall{
        m_client, m_name, semaphoreChannel(m_name), 1, callOf(permitScripts().acquire, m_name, {permit.bytes(), time}),
        callOf(permitScripts().release, m_name, {permit.bytes()}), WaitingCall::Afterwards::TakeBack, lease,
        std::move(stop)});
    return takePermit(call, waitUntil, permit);
}

Task<Result<bool>> PermitSemaphore::release(PermitId permit) const {
    const ScriptCall release = callOf(permitScripts().release, m_name, {permit.bytes()});
    return SynchronizerCalls::writeIf(m_client, m_name, release);
}

Task<Result<bool>> PermitSemaphore::updateLease(PermitId permit, Milliseconds lease) const {
    if (!isPossible(lease))
        return endedTask<Result<bool>>(leaseOutOfRange());
    const QByteArray time = QByteArray::number(qint64{lease.count()});
    return SynchronizerCalls::writeIf(m_client, m_name, callOf(permitScripts().lease, m_name, {permit.bytes(), time}));
}

Task<Result<qint64>> PermitSemaphore::availablePermits() const {
    return SynchronizerCalls::write(m_client, m_name, callOf(permitScripts().free, m_name, {}));
}

Task<Result<bool>> PermitSemaphore::remove() const {
    const ScriptCall remove(permitScripts().remove, {m_name.bytes(), permitLeases(m_name)}, {});
    return SynchronizerCalls::writeIf(m_client, m_name, remove);
}

Completion<Done> PermitSemaphore::whenSettled() const {
    return SynchronizerCalls::whenSettled(m_client, m_name);
}

}  // namespace lockkeeper::locks
