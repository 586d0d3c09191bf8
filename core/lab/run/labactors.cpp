// SPDX-License-Identifier: Apache-2.0
#include "lab/run/labactors.h"

#include <algorithm>

namespace lockkeeper::lab {

namespace {

void addLease(LabThread& thread, const LockPlan& plan, const std::vector<Actor::Reckoning>& reckonings) {
    for (const Actor::Reckoning& one : reckonings) {
        const bool isOfLock = std::ranges::find(plan.members, one.name, &LockPlan::Member::name) != plan.members.end();
        if (!isOfLock || one.thread != thread.thread)
            continue;
        thread.leaseLeft = std::min(thread.leaseLeft.value_or(one.left), one.left);
        thread.isRenewed = one.isRenewed;
    }
}

void addHolders(std::vector<LabThread>& threads, const Actor& actor, const StepPlayer& player) {
    const ActorName& name = actor.plan().name;
    const std::vector<Actor::Reckoning> reckonings = actor.reckonings();
    for (const auto& [lock, believers] : player.beliefs().counts()) {
        const LockPlan& plan = *std::ranges::find(player.locks(), lock, &LockPlan::id);
        for (const auto& [believer, count] : believers) {
            if (believer.actor != name)
                continue;
            LabThread thread;
            thread.thread = believer.thread;
            thread.lock = lock;
            thread.doing = LabThread::Doing::Holds;
            thread.count = count;
            thread.token = player.tokenOf(lock, name);
            thread.knowsLoss = player.beliefs().knowsLoss(lock, believer);
            addLease(thread, plan, reckonings);
            threads.push_back(thread);
        }
    }
}

// One entry for all waiters for the same lock, because there may be hundreds.
void addWaiters(std::vector<LabThread>& threads, const ActorName& name, const StepPlayer& player) {
    const auto firstWaiter = threads.size();
    for (const StepPlayer::Waiting& waiting : player.waiting()) {
        if (waiting.actor != name)
            continue;
        const auto begin = threads.begin() + static_cast<qsizetype>(firstWaiter);
        const auto same = std::ranges::find(begin, threads.end(), waiting.lock, &LabThread::lock);
        if (same != threads.end()) {
            ++same->count;
            continue;
        }
        threads.emplace_back();
        threads.back().thread = waiting.thread;
        threads.back().lock = waiting.lock;
    }
}

LabActor labActorOf(Actor& actor, const Laboratory& laboratory, const StepPlayer& player) {
    LabActor shown;
    shown.name = actor.plan().name;
    shown.clients = actor.ids();
    shown.isFrozen = actor.line().isHeldUpBy(ActorLine::Reason::Frozen);
    shown.isCutOff = actor.line().isHeldUpBy(ActorLine::Reason::Cut);
    shown.unreached = laboratory.unreachedBy(shown.name);
    shown.delay = actor.line().delay();
    shown.clockAhead = actor.clock().ahead();
    shown.hasCrashed = actor.hasCrashed();
    addHolders(shown.threads, actor, player);
    if (!shown.hasCrashed)
        addWaiters(shown.threads, shown.name, player);
    return shown;
}

}  // namespace

std::vector<LabActor> labActorsOf(const Laboratory& laboratory, const StepPlayer& player) {
    std::vector<LabActor> actors;
    for (const auto& actor : laboratory.actors())
        actors.push_back(labActorOf(*actor, laboratory, player));
    return actors;
}

}  // namespace lockkeeper::lab
