// SPDX-License-Identifier: Apache-2.0
#include "support/anylock.h"

#include <QTest>

namespace lockkeeper::test {

using namespace locks;

namespace {

std::vector<Lock> membersOf(Kind kind, const std::vector<LockClient*>& clients, const LockName& name) {
    LockClient& first = *clients.front();
    if (kind == Kind::Multi)
        return {first.reentrantLock(name), first.readWriteLock(LockName(name.bytes() + '+')).writeLock()};
    if (kind != Kind::Red)
        return {lockOf(first, kind, name)};
    std::vector<Lock> members;
    for (LockClient* client : clients)
        members.push_back(client->reentrantLock(name));
    return members;
}

std::variant<Lock, MultiLock, RedLock> wholeOf(Kind kind, const std::vector<Lock>& members) {
    if (kind == Kind::Multi)
        return MultiLock(members);
    if (kind == Kind::Red)
        return RedLock(members);
    return members.front();
}

Task<Result<LockAttempt>> withoutServers(Task<Result<RedLockAttempt>> task) {
    const Result<RedLockAttempt> tried = co_await task;
    if (!tried)
        co_return tried.error();
    LockAttempt attempt;
    attempt.outcome = tried->outcome;
    co_return attempt;
}

}  // namespace

QByteArray wordFor(Kind kind) {
    static const QByteArrayList words{"reentrant", "fair",  "fenced", "spin",          "read",
                                      "write",     "multi", "red",    "not reentrant", "fair, not reentrant"};
    return words[static_cast<qsizetype>(kind)];
}

std::vector<Kind> allKinds() {
    return {Kind::Reentrant, Kind::Fair, Kind::Fenced, Kind::Spin, Kind::Read, Kind::Write, Kind::Multi, Kind::Red};
}

std::vector<Kind> kindsOfOneCluster() {
    std::vector<Kind> kinds = allKinds();
    std::erase(kinds, Kind::Red);  // it is made of independent deployments
    return kinds;
}

void addKinds(const std::vector<Kind>& kinds) {
    QTest::addColumn<Kind>("kind");
    for (const Kind kind : kinds)
        QTest::newRow(wordFor(kind).constData()) << kind;
}

size_t serversOf(Kind kind) {
    return kind == Kind::Red ? 3 : 1;
}

AnyLock::AnyLock(Kind kind, const std::vector<LockClient*>& clients, const LockName& name)
    : m_members(membersOf(kind, clients, name)), m_lock(wholeOf(kind, m_members)) {}

Task<Result<LockAttempt>> AnyLock::tryLock(ThreadId thread, Deadline waitUntil, std::optional<Milliseconds> lease,
                                           std::stop_token stop) const {
    if (const auto* red = std::get_if<RedLock>(&m_lock))
        return withoutServers(red->tryLock(thread, waitUntil, lease, std::move(stop)));
    if (const auto* multi = std::get_if<MultiLock>(&m_lock))
        return multi->tryLock(thread, waitUntil, lease, std::move(stop));
    return std::get<Lock>(m_lock).tryLock(thread, waitUntil, lease, std::move(stop));
}

Task<Result<ReleaseOutcome>> AnyLock::unlock(ThreadId thread) const {
    return std::visit([thread](const auto& lock) { return lock.unlock(thread); }, m_lock);
}

size_t AnyLock::quorum() const {
    return std::holds_alternative<RedLock>(m_lock) ? m_members.size() / 2 + 1 : m_members.size();
}

}  // namespace lockkeeper::test
