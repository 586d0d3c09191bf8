// SPDX-License-Identifier: Apache-2.0
#include "monitor/analyse/clients.h"

#include "monitor/analyse/diagnose.h"

#include <algorithm>

namespace lockkeeper::monitor {

using namespace std::chrono_literals;

namespace {

constexpr Milliseconds rateWindow = 10s;

using State = WatchdogShare::State;

// How long after a renewal by another client, or an own act, a client may still be about to renew: after a pause of the
// server or of the client all that is overdue comes at once.
Milliseconds settleTime(Milliseconds lease) {
    return std::min<Milliseconds>(2s, lease / 10);
}

bool hasSameClients(const LockSnapshot& a, const LockSnapshot& b) {
    return a.holders == b.holders && a.fairQueue == b.fairQueue;
}

// Each client once, whatever number of its threads hold the lock.
QSet<ClientId> holdersOf(const LockSnapshot& lock) {
    QSet<ClientId> clients;
    for (const Holder& holder : lock.holders)
        clients.insert(holder.id.client());
    return clients;
}

QSet<ClientId> queuedIn(const LockSnapshot& lock) {
    QSet<ClientId> clients;
    for (const FairWaiter& waiter : lock.fairQueue)
        clients.insert(waiter.id.client());
    return clients;
}

// Only a lock with one holder is renewed by that holder alone.
std::optional<ClientId> onlyClient(const LockSnapshot& lock) {
    return lock.holders.size() == 1 ? std::optional(lock.holders.first().id.client()) : std::nullopt;
}

const WatchdogStopped* stoppedIn(const QList<Diagnosis>& found) {
    for (const Diagnosis& diagnosis : found) {
        if (const auto* stopped = std::get_if<WatchdogStopped>(&diagnosis.evidence))
            return stopped;
    }
    return nullptr;
}

SignOfLife signOf(EventType type) {
    switch (type) {
        case EventType::Acquired:
        case EventType::HandedOver:
            return SignOfLife::Acquired;
        case EventType::Reentered:
            return SignOfLife::Reentered;
        case EventType::ReleasedOnce:
            return SignOfLife::ReleasedOnce;
        case EventType::Renewed:
            return SignOfLife::Renewed;
        default:
            return SignOfLife::None;
    }
}

// A read comes a little later than the change that it finds, and leases are not set to the millisecond.
Milliseconds roundedLease(Milliseconds read) {
    constexpr int step = 100;
    return Milliseconds((read.count() + step / 2) / step * step);
}

}  // namespace

// ---- the clients ----

Clients::Client* Clients::find(const ClientId& client) {
    const auto found = m_clients.find(client);
    return found == m_clients.end() ? nullptr : &*found;
}

// Null if there are too many.
Clients::Client* Clients::made(const ClientId& client, const LockSnapshot& read) {
    if (Client* known = find(client))
        return known;
    if (!makeRoom())
        return nullptr;
    Client& added = m_clients[client];
    added.row.id = client;
    added.row.firstSeen = read.seenAtWall;
    m_removed.remove(client);
    return &added;
}

bool Clients::makeRoom() {
    while (m_clients.size() >= m_most && !m_idle.empty()) {
        const ClientId oldest = std::move(m_idle.front().client);
        m_idle.pop_front();
        Client* client = find(oldest);
        client->isListed = false;
        if (client->row.isIdle())
            forget(oldest);
    }
    return m_clients.size() < m_most;
}

void Clients::setDump(const SharedDump& dump) {
    Client* client = find(dump->client);
    if (!client || client->row.dump == dump)
        return;
    client->row.dump = dump;
    touch(*client);
}

void Clients::forgetIdle(SteadyTime now) {
    while (!m_idle.empty() && m_idle.front().since + m_keepIdle <= now) {
        const ClientId oldest = std::move(m_idle.front().client);
        m_idle.pop_front();
        Client* client = find(oldest);
        client->isListed = false;
        if (!client->row.isIdle())
            continue;
        if (client->idleSince + m_keepIdle > now)
            list(*client);
        else
            forget(oldest);
    }
}

void Clients::list(Client& client) {
    if (std::exchange(client.isListed, true))
        return;
    m_idle.push_back({client.idleSince, client.row.id});
}

void Clients::forget(const ClientId& client) {
    m_clients.remove(client);
    m_unconfirmed.remove(client);
    m_changed.remove(client);
    m_removed.insert(client);
}

std::optional<SteadyTime> Clients::nextForget() const {
    return m_idle.empty() ? std::nullopt : std::optional(m_idle.front().since + m_keepIdle);
}

std::optional<ClientRow> Clients::row(const ClientId& client) const {
    const auto found = m_clients.constFind(client);
    return found == m_clients.cend() ? std::nullopt : std::optional(found->row);
}

std::vector<SharedClient> Clients::takeChanged() {
    std::vector<SharedClient> rows;
    for (const ClientId& id : std::exchange(m_changed, {}))
        rows.push_back(std::make_shared<const ClientRow>(m_clients.constFind(id)->row));
    return rows;
}

std::vector<ClientId> Clients::takeRemoved() {
    const QSet<ClientId> removed = std::exchange(m_removed, {});
    return {removed.begin(), removed.end()};
}

Clients::News Clients::takeNews() {
    m_hasNews = false;
    return std::exchange(m_news, {});
}

// ---- reads ----

void Clients::add(const LockSnapshot& first) {
    count(nullptr, first);
    for (const ClientId& client : holdersOf(first))
        noteSign(client, SignOfLife::Appeared, first, SteadyTime::min());
}

void Clients::follow(const LockSnapshot& before, const LockSnapshot& after, const Comparison& comparison,
                     const BetweenReads& between, WatchdogShare& share) {
    const std::optional<ClientId> earlier = onlyClient(before);
    if (share.state != State::None && earlier != onlyClient(after)) {
        endShare(*earlier, after);
        share.state = State::None;
        share.counted = 0;
    }
    count(&before, after);
    m_unchangedUntil = between.gap > 0ms ? before.seenAt : unchangedUntil(before, after, between);
    if (between.gap > 0ms) {
        for (const ClientId& id : holdersOf(after)) {
            if (Client* client = find(id))
                client->gapAt = after.seenAt;
        }
        return;
    }
    if (comparison.ended == EventType::Expired)
        noteLosses(before, after);
    noteSigns(before, after, comparison);
}

void Clients::remove(const LockSnapshot& last, const WatchdogShare& share) {
    if (share.state != State::None)
        endShare(*onlyClient(last), last);
    LockSnapshot gone;
    gone.seenAt = last.seenAt;
    count(&last, gone);
}

void Clients::count(const LockSnapshot* before, const LockSnapshot& after) {
    if (before && hasSameClients(*before, after))
        return;
    const auto compare = [&](auto clientsOf, qsizetype ClientRow::*number) {
        const QSet<ClientId> earlier = before ? clientsOf(*before) : QSet<ClientId>();
        const QSet<ClientId> now = clientsOf(after);
        for (const ClientId& client : now - earlier)
            change(client, number, 1, after);
        for (const ClientId& client : earlier - now)
            change(client, number, -1, after);
    };
    compare(holdersOf, &ClientRow::held);
    compare(queuedIn, &ClientRow::waitsFor);
}

void Clients::change(const ClientId& id, qsizetype ClientRow::*number, int by, const LockSnapshot& read) {
    Client* client = by > 0 ? made(id, read) : find(id);
    if (!client)
        return;
    client->row.*number = std::max<qsizetype>(client->row.*number + by, 0);
    touch(*client);
    if (!client->row.isIdle())
        return;
    client->idleSince = read.seenAt;
    list(*client);
}

void Clients::followDeadWaiters(const QList<FairWaiter>& before, const QList<FairWaiter>& now) {
    const auto add = [this](const QList<FairWaiter>& waiters, int by) {
        for (const FairWaiter& waiter : waiters) {
            Client* client = find(waiter.id.client());
            if (!client)
                continue;
            client->row.deadPlaces = std::max<qsizetype>(client->row.deadPlaces + by, 0);
            touch(*client);
        }
    };
    add(before, -1);
    add(now, 1);
}

// ---- signs of life ----

void Clients::noteSigns(const LockSnapshot& before, const LockSnapshot& after, const Comparison& comparison) {
    for (const LockEvent& event : comparison.events) {
        const SignOfLife what = signOf(event.type);
        const bool isShared = what == SignOfLife::Renewed && after.holders.size() != 1;
        if (event.holder && what != SignOfLife::None && !isShared)
            noteSign(event.holder->id.client(), what, after, m_unchangedUntil);
    }
    noteQueued(before, after);
}

void Clients::noteQueued(const LockSnapshot& before, const LockSnapshot& after) {
    if (after.fairQueue.isEmpty() || before.fairQueue == after.fairQueue || !before.isQueueWhole())
        return;
    for (const FairWaiter& waiter : after.fairQueue) {
        if (std::ranges::find(before.fairQueue, waiter.id, &FairWaiter::id) == before.fairQueue.end())
            noteSign(waiter.id.client(), SignOfLife::Queued, after, before.seenAt);  // no report is about the queue
    }
}

void Clients::noteSign(const ClientId& id, SignOfLife what, const LockSnapshot& lock, SteadyTime after) {
    Client* client = find(id);
    if (!client)
        return;
    touch(*client);
    if (what == SignOfLife::Appeared && client->row.last.what > SignOfLife::Appeared)
        return;
    client->row.last = {what, lock.name, lock.seenAtWall};
    if (what == SignOfLife::Renewed || what == SignOfLife::Appeared)
        return;
    noteAct(*client, {client->row.last, {after, lock.seenAt}});
}

// Reads of several locks overlap: the act that certainly came last counts, not the one that was read last.
void Clients::noteAct(Client& client, const Act& act) {
    if (!client.lastAct || client.lastAct->seen.after <= act.seen.after)
        client.lastAct = act;
    if (!client.overdue || client.overdue->act || act.seen.after <= client.overdue->due)
        return;
    client.overdue->act = act;
    want(client, act.seen.at + settleTime(client.row.watchdogTimeout));
}

void Clients::noteLosses(const LockSnapshot& before, const LockSnapshot& after) {
    for (const ClientId& id : holdersOf(before) - holdersOf(after)) {
        if (Client* client = find(id)) {
            ++client->row.losses;
            touch(*client);
        }
    }
}

// ---- renewals ----

void Clients::followWatchdog(const LockSnapshot& lock, const LockHistory& history, const QList<Diagnosis>& found,
                             WatchdogShare& share) {
    const std::optional<ClientId> id = onlyClient(lock);
    Client* client = id ? find(*id) : nullptr;
    if (!client)
        return;
    const quint32 renewals = history.hold.watchdogLike;
    const bool isRenewed = renewals > 0 && history.areRenewalsProven() && lock.kind != LockKind::Unknown &&
                           lock.kind != LockKind::FasterMulti;
    const WatchdogStopped* stopped = isRenewed ? stoppedIn(found) : nullptr;
    const quint32 more = renewals > share.counted ? renewals - share.counted : 0;
    share.counted = renewals;
    if (isRenewed && more > 0)
        noteRenewals(*client, lock, history, more);
    const State now = stopped ? State::Stopped : isRenewed ? State::Renewing : State::None;
    client->renewing += int{now != State::None} - int{share.state != State::None};
    share.state = now;
    noteStopped(*client, lock.name, stopped ? std::optional(stopped->endsAt) : std::nullopt);
    judge(*client, lock);
}

void Clients::endShare(const ClientId& id, const LockSnapshot& lock) {
    Client* client = find(id);
    if (!client)
        return;
    --client->renewing;
    noteStopped(*client, lock.name, std::nullopt);
    judge(*client, lock);
}

void Clients::noteStopped(Client& client, const LockName& lock, const std::optional<WallTime>& ends) {
    if (const auto known = client.stopped.find(lock); known != client.stopped.end()) {
        client.ends.erase(client.ends.find(*known));
        client.stopped.erase(known);
    }
    if (ends) {
        client.stopped.insert(lock, *ends);
        client.ends.insert(*ends);
    } else {
        client.heldBack.remove(lock);
    }
}

void Clients::noteRenewals(Client& client, const LockSnapshot& lock, const LockHistory& history, quint32 more) {
    ClientRow& row = client.row;
    row.renewals += more;
    const std::optional<Milliseconds> learned = m_watchdogs.of(row.id);
    row.watchdogTimeout = roundedLease(learned ? *learned : std::max(row.watchdogTimeout, history.hold.renewedTo));
    client.lastRenewal = std::max(client.lastRenewal, history.hold.unbroken.lastRenewal);
    client.lastRenewalWall = history.wallTime(client.lastRenewal);
    client.windowRenewals += more;
    const auto begins = std::exchange(client.windowBegan, client.windowBegan.value_or(lock.seenAt));
    if (const auto window = lock.seenAt - begins.value_or(lock.seenAt); !begins || window >= rateWindow) {
        if (begins)
            row.renewalsPerSecond =
                client.windowRenewals / std::chrono::duration_cast<std::chrono::duration<double>>(window).count();
        client.windowBegan = lock.seenAt;
        client.windowRenewals = 0;
    }
    touch(client);
    confirmOthers({row.id, {m_unchangedUntil, lock.seenAt}, lock.seenAtWall});
}

// This client goes on: of clients that are overdue it shows that the server takes renewals, and that they are seen.
void Clients::confirmOthers(const Renewal& renewal) {
    if (renewal.seen.after >= m_newest.seen.after) {
        if (m_newest.client != renewal.client)
            m_newestOfAnother = m_newest;
        m_newest = renewal;
    }
    for (const ClientId& id : QSet<ClientId>(m_unconfirmed)) {
        Client* client = find(id);
        const bool isOverdue = client && client->overdue;
        if (id == renewal.client || (isOverdue && renewal.seen.after < client->overdue->due))
            continue;
        m_unconfirmed.remove(id);
        if (!isOverdue)
            continue;
        client->overdue->othersAt = renewal.seen.at;
        client->overdue->othersWall = renewal.wall;
        want(*client, renewal.seen.at + settleTime(client->row.watchdogTimeout));
    }
}

const Clients::Renewal& Clients::newestOther(const ClientId& client) const {
    return m_newest.client == client ? m_newestOfAnother : m_newest;
}

// ---- verdicts ----

void Clients::judge(Client& client, const LockSnapshot& read) {
    client.readAt = std::max(client.readAt, read.seenAt);  // another lock may have been read later
    const bool areAllStopped = client.renewing > 0 && client.stopped.size() == client.renewing;
    const SteadyTime due =
        std::max(client.lastRenewal, client.gapAt) + (areAllStopped ? overdueAfter(client.row.watchdogTimeout) : 0ms);
    if (areAllStopped && client.readAt >= due) {
        if (!client.overdue || client.overdue->due < due)
            client.overdue = overdueSince(client, due);
        judgeOverdue(client, read);
    } else {
        if (std::exchange(client.overdue, std::nullopt))
            m_unconfirmed.remove(client.row.id);
        settle(client, std::nullopt, read.name);
        if (areAllStopped)
            want(client, due);
    }
    if (!client.heldBack.isEmpty())
        judgeHeldBack(client);
}

// If it has renewed other locks, only these have stopped: what comes at once after a pause has come by then. Or nobody
// else renews, and the client is not to blame.
void Clients::judgeHeldBack(Client& client) {
    const SteadyTime renewed = client.lastRenewal + settleTime(client.row.watchdogTimeout);
    const SteadyTime end =
        client.lastRenewal > client.heldBackSince ? std::min(renewed, endOfHolding(client)) : endOfHolding(client);
    if (client.readAt >= end)
        releaseHeldBack(client);
    else
        want(client, end);
}

// By then every other client has renewed that goes on, and the locks have not expired yet.
SteadyTime Clients::endOfHolding(const Client& client) {
    const Milliseconds lease = client.row.watchdogTimeout;
    return client.heldBackSince + lease / 3 + settleTime(lease);
}

Clients::Overdue Clients::overdueSince(const Client& client, SteadyTime due) {
    Overdue overdue;
    overdue.due = due;
    if (client.lastAct && client.lastAct->seen.after > due)
        overdue.act = client.lastAct;
    const Renewal& other = newestOther(client.row.id);
    if (other.seen.after >= due) {
        overdue.othersAt = other.seen.at;
        overdue.othersWall = other.wall;
    } else {
        m_unconfirmed.insert(client.row.id);
    }
    return overdue;
}

void Clients::judgeOverdue(Client& client, const LockSnapshot& read) {
    const Overdue& overdue = *client.overdue;
    const Certainty certainty = client.row.renewals > 1 ? Certainty::Likely : Certainty::Suspected;
    const Milliseconds pause = settleTime(client.row.watchdogTimeout);
    const auto isSettled = [&](SteadyTime since) {
        if (client.readAt >= since + pause)
            return true;
        want(client, since + pause);
        return false;
    };
    if (overdue.act && isSettled(overdue.act->seen.at))
        settle(client, Diagnosis{certainty, RenewalBroken{stoppedOf(client), overdue.act->sign}}, read.name);
    else if (overdue.othersAt && isSettled(*overdue.othersAt))
        settle(client, Diagnosis{certainty, ClientRenewsNothing{stoppedOf(client), overdue.othersWall}}, read.name);
}

StoppedLocks Clients::stoppedOf(const Client& client) {
    StoppedLocks stopped;
    stopped.client = client.row.id;
    stopped.count = client.stopped.size();
    for (auto one = client.stopped.keyBegin(); one != client.stopped.keyEnd(); ++one) {
        if (stopped.locks.size() == StoppedLocks::namedAtMost)
            break;
        stopped.locks += *one;
    }
    stopped.lastRenewal = client.lastRenewalWall;
    stopped.lease = client.row.watchdogTimeout;
    stopped.firstEnds = *client.ends.begin();
    return stopped;
}

void Clients::settle(Client& client, const std::optional<Diagnosis>& found, const LockName& decidedBy) {
    const QList<Diagnosis> now = found ? QList<Diagnosis>{*found} : QList<Diagnosis>();
    if (client.row.diagnoses == now)
        return;
    const QList<Diagnosis> before = std::exchange(client.row.diagnoses, now);
    touch(client);
    if (found && !before.isEmpty() && before.first().kind() == found->kind())
        return;
    if (found)
        client.row.renewalsPerSecond = 0;
    if (client.isTold)
        m_news.changes.push_back({before.first(), DiagnosisPhase::Ended, client.toldOf});
    const bool wasTold = client.isTold;
    // Of a single lock the lock's own diagnosis has said it.
    client.isTold = found && (found->kind() == DiagnosisKind::RenewalBroken || client.stopped.size() > 1);
    if (client.isTold) {
        client.toldOf = decidedBy;
        m_news.changes.push_back({*found, DiagnosisPhase::Begun, decidedBy});
        m_news.covered += QList<LockName>(client.heldBack.begin(), client.heldBack.end());
        client.heldBack.clear();
    } else if (wasTold) {
        m_news.toTell += client.stopped.keys();  // the client goes on, and these do not
    }
    m_hasNews = true;
}

bool Clients::holdsBack(const LockSnapshot& lock) {
    Client* client = find(lock.holders.first().id.client());
    if (!client || client->renewing < 2)
        return false;
    const Renewal& other = newestOther(client->row.id);
    if (client->isTold) {
        m_news.covered += lock.name;
        m_hasNews = true;
        return true;
    }
    // While nobody else renews, nothing can be said of the client.
    if (other.seen.at == SteadyTime::min() || other.seen.at + client->row.watchdogTimeout < lock.seenAt)
        return false;
    if (client->heldBack.isEmpty())
        client->heldBackSince = lock.seenAt;
    client->heldBack.insert(lock.name);
    want(*client, endOfHolding(*client));
    return true;
}

void Clients::releaseHeldBack(Client& client) {
    m_news.toTell += QList<LockName>(client.heldBack.begin(), client.heldBack.end());
    client.heldBack.clear();
    m_hasNews = true;
}

// Any of its locks will do: each read of one judges the client.
void Clients::want(const Client& client, SteadyTime when) {
    if (client.stopped.isEmpty())
        return;
    m_news.wanted.push_back({client.stopped.constBegin().key(), when});
    m_hasNews = true;
}

}  // namespace lockkeeper::monitor
