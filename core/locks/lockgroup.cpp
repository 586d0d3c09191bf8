// SPDX-License-Identifier: Apache-2.0
#include "locks/lockgroup.h"

#include "locks/calls/lockcalls.h"
#include "locks/calls/releasecalls.h"

#include <algorithm>
#include <numeric>

namespace lockkeeper::locks {

namespace {

Error clientGone() {
    return Error(ErrorCode::ConnectionLost, Cause::LockClientClosed);
}

Task<void> release(LockTarget target, std::shared_ptr<LockGroup::Releases> releases, size_t index) {
    const Result<ReleaseOutcome> outcome = co_await ReleaseCalls::giveBack(target);
    releases->outcomes[index] = outcome;
    if (--releases->left == 0)
        releases->allDone.complete(Done());
}

}  // namespace

LockGroup::LockGroup(std::vector<Lock> members) : m_clock(&members.front().client().clock()) {
    for (Lock& lock : members) {
        LockClient* client = &lock.client();
        m_members.push_back(Member{std::move(lock), client});
    }
}

bool LockGroup::isAlive() const {
    return std::ranges::any_of(m_members, [](const Member& member) { return !member.client.isNull(); });
}

Milliseconds LockGroup::watchdogTimeout() const {
    std::optional<Milliseconds> shortest;
    for (const Member& member : m_members) {
        if (member.client)
            shortest = std::min(shortest.value_or(Milliseconds::max()), member.client->options().watchdogTimeout);
    }
    return shortest.value_or(Milliseconds(0));
}

Milliseconds LockGroup::commandTimeout() const {
    Milliseconds longest{0};
    for (const Member& member : m_members) {
        if (member.client)
            longest = std::max(longest, member.client->options().commandTimeout);
    }
    return longest;
}

Task<Result<LockAttempt>> LockGroup::tryMember(size_t member, ThreadId thread, Deadline waitUntil,
                                               std::optional<Milliseconds> lease, std::stop_token stop) const {
    if (!m_members[member].client)
        return endedTask<Result<LockAttempt>>(clientGone());
    return m_members[member].lock.tryLock(thread, waitUntil, lease, std::move(stop));
}

Task<Result<Done>> LockGroup::setLease(size_t member, ThreadId thread, Milliseconds lease, std::stop_token stop) const {
    if (!m_members[member].client)
        return endedTask<Result<Done>>(clientGone());
    return LockCalls::setLease(m_members[member].lock.target(thread), lease, std::move(stop));
}

Task<Result<bool>> LockGroup::isHeld(size_t member, ThreadId thread) const {
    if (!m_members[member].client)
        return endedTask<Result<bool>>(clientGone());
    const Lock& lock = m_members[member].lock;
    return lock.isHeldBy(lock.holder(thread));
}

std::shared_ptr<LockGroup::Releases> LockGroup::giveBack(std::vector<size_t> members, ThreadId thread) const {
    auto releases = std::make_shared<Releases>();
    std::erase_if(members, [this](size_t member) { return !m_members[member].client; });
    releases->outcomes.resize(members.size());
    releases->left = members.size();
    if (members.empty())
        releases->allDone.complete(Done());
    for (size_t i = 0; i < members.size(); ++i)
        spawn(members[i], release(m_members[members[i]].lock.target(thread), releases, i));
    return releases;
}

std::vector<size_t> LockGroup::allMembers() const {
    std::vector<size_t> all(m_members.size());
    std::iota(all.begin(), all.end(), size_t{0});
    return all;
}

void LockGroup::spawn(size_t member, Task<void> task) const {
    if (m_members[member].client)
        LockCalls::spawn(m_members[member].client, std::move(task));
}

}  // namespace lockkeeper::locks
