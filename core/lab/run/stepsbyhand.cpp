// SPDX-License-Identifier: Apache-2.0
#include "lab/run/stepsbyhand.h"

#include <algorithm>

namespace lockkeeper::lab {

namespace {

bool exists(ServerNumber server, const Laboratory& laboratory) {
    if (server == sentinelServer)
        return laboratory.hasSentinel();
    const int number = static_cast<int>(server);
    return number >= 0 && number < laboratory.serverCount();
}

bool isServing(ServerNumber server, const Laboratory& laboratory) {
    return exists(server, laboratory) && laboratory.isAlive(server) && !laboratory.isFrozen(server);
}

// For faults that are also possible with the Sentinel: it is a process, but no actor is cut off from it, and it has no
// keys.
template <typename Kind>
constexpr bool isOfProcess = std::is_same_v<Kind, FreezeServer> || std::is_same_v<Kind, ResumeServer> ||
                             std::is_same_v<Kind, KillServer> || std::is_same_v<Kind, RestartServer>;

bool isPossible(const Fault& fault, const Laboratory& laboratory) {
    return std::visit(
        [&laboratory](const auto& one) {
            using Kind = std::decay_t<decltype(one)>;
            if constexpr (requires { one.actor; }) {
                const Actor* actor = laboratory.actor(one.actor);
                return actor && !actor->hasCrashed();
            } else if constexpr (requires { one.server; }) {
                if (!exists(one.server, laboratory) || (one.server == sentinelServer && !isOfProcess<Kind>))
                    return false;
                if constexpr (std::is_same_v<Kind, RestartServer>)
                    return !laboratory.isAlive(one.server);
                const bool isFrozen = laboratory.isFrozen(one.server);
                if constexpr (std::is_same_v<Kind, ResumeServer>)
                    return isFrozen;
                return laboratory.isAlive(one.server) && (!isFrozen || std::is_same_v<Kind, KillServer>);
            } else if constexpr (std::is_same_v<Kind, MoveSlot>) {
                const bool isCluster = laboratory.serversPlan().form == ServersPlan::Form::Cluster;
                return isCluster && one.from != one.to && isServing(one.from, laboratory) &&
                       isServing(one.to, laboratory) &&
                       !laboratory.unreachedBy(one.from).contains(one.to);  // moving keys would cross the cut
            } else if constexpr (std::is_same_v<Kind, PromoteReplica>) {
                return laboratory.hasSentinel() ? isServing(sentinelServer, laboratory)
                                                : laboratory.serversPlan().hasReplica();
            } else {
                return laboratory.serversPlan().hasReplica();
            }
        },
        fault);
}

}  // namespace

bool isPossible(const Step& step, const Scenario& scenario, const Laboratory& laboratory) {
    if (const auto* fault = std::get_if<Fault>(&step.action))
        return isPossible(*fault, laboratory);
    const auto hasLock = [&scenario](const LockId& lock) {
        return std::ranges::find(scenario.locks, lock, &LockPlan::id) != scenario.locks.end();
    };
    const Actor* actor = laboratory.actor(step.actor);
    if (!actor || actor->hasCrashed())
        return false;
    if (const auto* acquire = std::get_if<Acquire>(&step.action))
        return hasLock(acquire->lock);
    const auto* release = std::get_if<Release>(&step.action);
    return release && hasLock(release->lock);
}

}  // namespace lockkeeper::lab
