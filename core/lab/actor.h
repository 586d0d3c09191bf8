// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "async/deadline.h"
#include "async/task.h"
#include "base/result.h"
#include "lab/actorclock.h"
#include "lab/actorline.h"
#include "lab/actornetwork.h"
#include "lab/actorplan.h"
#include "lab/answer.h"
#include "lab/lockplan.h"
#include "lockkeeper_monitor_export.h"
#include "locks/kinds/lock.h"
#include "locks/lockclient.h"
#include "redis/connection.h"

#include <QObject>

#include <map>
#include <memory>
#include <optional>
#include <variant>
#include <vector>

namespace lockkeeper::topology {
class Route;
}

namespace lockkeeper::lab {

// A program that uses locks. It has a client at each server, or one client for a deployment, with a clock and a network
// of its own. Its locks are those of core/locks; only the naive ones are its own. Thread: that of its clock.
class LOCKKEEPER_MONITOR_EXPORT Actor : public QObject {
    Q_OBJECT
public:
    Actor(ActorPlan plan, const ActorNetwork& network, Clock& clock, QObject* parent = nullptr);
    ~Actor() override;

    [[nodiscard]] const ActorPlan& plan() const noexcept { return m_plan; }
    // Returns when it can use every server, and in a deployment the master.
    [[nodiscard]] Task<Result<Done>> connectToAll();

    struct Call {
        LockPlan lock;
        ThreadId thread{};
        std::optional<Milliseconds> wait;   // nothing: without a limit
        std::optional<Milliseconds> lease;  // nothing: the watchdog renews it; for a naive lock 30 s
    };
    // The code is "acquired", with "token" or "servers" if the lock has them; "held", "behind", or an error. A naive
    // lock also has "tries".
    [[nodiscard]] Task<Answer> acquire(Call call);
    // The code is "released", "still-held", or an error.
    [[nodiscard]] Task<Answer> release(Call call);
    // Sends a command of its own, on another connection than its locks. The code is "replied", with "reply", or an
    // error.
    [[nodiscard]] Task<Answer> send(ServerNumber server, QByteArrayList command);

    // The ids of its clients.
    [[nodiscard]] const std::vector<ClientId>& ids() const noexcept { return m_ids; }
    // Whether one of its clients has, or had, this id.
    [[nodiscard]] bool is(const ClientId& client) const;
    // A hold that its clients believe to have, by their own clock; of naive locks those with a lease.
    struct Reckoning {
        LockName name;
        ServerNumber server{};
        ThreadId thread{};
        locks::HoldMode mode = locks::HoldMode::Exclusive;
        Milliseconds left{0};  // of the lease
        bool isRenewed = false;
    };
    [[nodiscard]] std::vector<Reckoning> reckonings() const;

    void freeze();
    void resume();
    void crash();
    [[nodiscard]] bool hasCrashed() const noexcept { return m_clients.empty(); }
    [[nodiscard]] ActorLine& line() noexcept { return m_line; }
    [[nodiscard]] ActorClock& clock() noexcept { return m_clock; }
    [[nodiscard]] const ActorClock& clock() const noexcept { return m_clock; }

Q_SIGNALS:
    // See LockClient::lockLost.
    void lockLost(const lockkeeper::locks::HoldKey& key, lockkeeper::locks::LossReason why);

private:
    [[nodiscard]] locks::LockClientOptions clientOptions() const;
    void add(std::unique_ptr<locks::LockClient> client);
    void addDeployed(const ActorNetwork::Deployed& deployed, bool hasOwnServers);
    // A deployment has one client for all of its servers.
    [[nodiscard]] locks::LockClient& client(ServerNumber server) const {
        return *m_clients.at(m_route ? 0 : static_cast<size_t>(server));
    }
    [[nodiscard]] locks::Lock lockOf(LockKind kind, const LockPlan::Member& member) const;
    [[nodiscard]] std::vector<locks::Lock> membersOf(const LockPlan& lock) const;
    [[nodiscard]] Deadline deadlineOf(const Call& call);
    Task<Answer> acquireOne(Call call);
    Task<Answer> acquireMulti(Call call);
    Task<Answer> acquireRed(Call call);
    Task<Answer> acquireNaive(Call call);
    Task<Answer> releaseNaive(Call call);
    // The end of a naive lock: a steady time from its TTL, or a time by the wall clock.
    using NaiveEnd = std::variant<SteadyTime, WallTime>;
    [[nodiscard]] std::optional<NaiveEnd> naiveEndOf(LockKind kind, Milliseconds lease) const;
    [[nodiscard]] Milliseconds leftUntil(const NaiveEnd& end) const;
    [[nodiscard]] redis::Connection& hand(ServerNumber server) const {
        return *m_hands.at(static_cast<size_t>(server));
    }

    const ActorPlan m_plan;
    ActorClock m_clock;
    ActorLine m_line;
    std::stop_source m_life;
    std::vector<ClientId> m_ids;
    std::unique_ptr<topology::Route> m_route;                       // to a deployment; otherwise null
    std::vector<std::unique_ptr<locks::LockClient>> m_clients;      // by server; empty: the actor has crashed
    std::vector<std::unique_ptr<redis::Connection>> m_hands;        // by server: the connections for its other commands
    std::map<std::pair<LockName, ThreadId>, NaiveEnd> m_naiveEnds;  // naive locks that it has acquired and not released
};

}  // namespace lockkeeper::lab
