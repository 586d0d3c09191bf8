// SPDX-License-Identifier: Apache-2.0
#include "monitor/analyse/notice/noticewatch.h"

#include "redis/keypattern.h"

#include <algorithm>
#include <limits>

namespace lockkeeper::monitor {

namespace {

// A release or a renewal is received slightly later than it happens: without this delay some notices would be wrong.
constexpr Milliseconds grace{1000};

constexpr qint64 never = std::numeric_limits<qint64>::max();  // more clients than can wait

bool contains(const QList<Notice>& notices, const Notice& one) {
    return std::any_of(notices.begin(), notices.end(), [&one](const Notice& other) { return other.isAsOf(one); });
}

}  // namespace

bool NoticeWatch::setRules(const NoticeRules& rules) {
    if (rules == m_rules)
        return false;
    m_rules = rules;
    // A case is not reported again if its rule has not changed.
    for (Watched& watched : m_watched)
        end(watched, [&](const Notice& notice) {
            return !concerns(notice.lock) || (notice.diagnosis && !m_rules.want(*notice.diagnosis)) ||
                   (notice.kind == NoticeKind::HeldLonger && m_rules.heldLonger != notice.limit) ||
                   (notice.kind == NoticeKind::TtlUnder && m_rules.ttlUnder != notice.limit) ||
                   (notice.kind == NoticeKind::ManyWaiters && notice.waiters < m_rules.waitersAtLeast.value_or(never));
        });
    for (const LockName& name : m_watched.keys()) {
        if (!concerns(name))
            forget(name);
    }
    for (const Notice& notice : m_clients.values()) {
        if (!m_rules.want(*notice.diagnosis) || !concernsAny(*stoppedLocks(*notice.diagnosis)))
            forget(*notice.client);
    }
    return true;
}

bool NoticeWatch::concernsAny(const StoppedLocks& stopped) const {
    return std::ranges::any_of(stopped.locks, [this](const LockName& name) { return concerns(name); });
}

bool NoticeWatch::concerns(const LockName& name) const {
    const auto matches = [&name](const QByteArray& pattern) { return redis::matchesPattern(pattern, name.bytes()); };
    return m_rules.wantAnything() &&
           (m_rules.names.isEmpty() || std::any_of(m_rules.names.begin(), m_rules.names.end(), matches));
}

void NoticeWatch::apply(const MonitorBatch& batch) {
    if (batch.reset) {
        m_watched.clear();
        m_clients.clear();
        m_schedule = {};
        m_changes.clear();
    }
    for (const SharedRow& row : batch.changed)
        follow(*row);
    for (const LockName& name : batch.removed)
        forget(name);
    for (const LockEvent& event : batch.events)
        follow(event);
    for (const SharedClient& client : batch.clients)
        follow(*client);
    for (const ClientId& client : batch.removedClients)
        forget(client);
}

void NoticeWatch::interrupt() {
    m_schedule = {};
    std::erase_if(m_changes, [this](const NoticeChange& change) {
        const bool isBegin = change.phase == NoticeChange::Phase::Begun;
        if (isBegin)
            unreport(change.notice);
        return isBegin;
    });
    for (Watched& watched : m_watched) {
        watched.heldDue.reset();
        watched.ttlDue.reset();
    }
}

bool NoticeWatch::adopt(const NoticeFacts& held) {
    const auto watched = m_watched.find(held.lock);
    if (watched == m_watched.end() || !watched->heldDue || m_rules.heldLonger != held.limit)
        return false;
    const Notice notice{NoticeKind::HeldLonger, held.lock, watched->holder, std::nullopt, held.limit};
    if (!contains(watched->reported, notice))
        watched->reported.append(notice);
    schedule(held.lock, *watched);
    return true;
}

// Nobody was notified of it: it may begin again.
void NoticeWatch::unreport(const Notice& notice) {
    if (notice.client)
        m_clients.remove(*notice.client);
    else if (const auto watched = m_watched.find(notice.lock); watched != m_watched.end())
        watched->reported.removeIf([&notice](const Notice& other) { return other.isAsOf(notice); });
}

void NoticeWatch::interrupt(const QSet<QString>& nodes) {
    for (auto watched = m_watched.begin(); watched != m_watched.end(); ++watched) {
        if (!watched->node || !nodes.contains(watched->node->address))
            continue;
        watched->heldDue.reset();
        watched->ttlDue.reset();
        m_schedule.set(watched.key(), std::nullopt);
    }
}

void NoticeWatch::follow(const LockRow& row) {
    const LockName& name = row.lock.name;
    const bool isIdle = !row.lock.isHeld() && row.diagnoses.isEmpty() && !row.lock.isWaitedFor();
    if (!concerns(name) || (isIdle && !m_watched.contains(name)))
        return;
    Watched& watched = m_watched[name];
    watched.node = row.lock.node;
    followHold(watched, row);
    followDiagnoses(watched, row);
    followWaiters(watched, row);
    schedule(name, watched);
    if (!row.lock.isHeld() && watched.reported.isEmpty())
        m_watched.remove(name);
}

// The next event of the lock may be a new hold of the same holder, so each loss is a case of its own.
void NoticeWatch::follow(const LockEvent& event) {
    if (event.type != EventType::Expired || !m_rules.lost || !concerns(event.lock.name))
        return;
    m_changes.push_back(
        {NoticeChange::Phase::Happened, {NoticeKind::Lost, event.lock.name, event.holder, std::nullopt}});
}

void NoticeWatch::follow(const ClientRow& client) {
    const std::optional<Notice> now = noticeOf(client);
    const auto reported = m_clients.constFind(client.id);
    if (now && reported != m_clients.cend() && reported->isAsOf(*now))
        return;
    forget(client.id);
    if (!now)
        return;
    m_clients.insert(client.id, *now);
    m_changes.push_back({NoticeChange::Phase::Begun, *now});
}

// Of a single lock that is not renewed, its own diagnosis is enough if the rules name that, too.
std::optional<Notice> NoticeWatch::noticeOf(const ClientRow& client) const {
    for (const Diagnosis& diagnosis : client.diagnoses) {
        const StoppedLocks* stopped = stoppedLocks(diagnosis);
        const bool isSaidOfTheLock = stopped && stopped->count == 1 &&
                                     diagnosis.kind() == DiagnosisKind::ClientRenewsNothing &&
                                     m_rules.diagnoses.contains(DiagnosisKind::WatchdogStopped);
        if (stopped && !isSaidOfTheLock && m_rules.want(diagnosis) && concernsAny(*stopped)) {
            return Notice{NoticeKind::Diagnosed, stopped->locks.first(), std::nullopt, diagnosis, {}, client.id};
        }
    }
    return std::nullopt;
}

void NoticeWatch::forget(const ClientId& client) {
    if (const auto reported = m_clients.constFind(client); reported != m_clients.cend()) {
        m_changes.push_back({NoticeChange::Phase::Ended, *reported});
        m_clients.erase(reported);
    }
}

void NoticeWatch::followHold(Watched& watched, const LockRow& row) {
    if (!row.lock.isHeld() || watched.heldSince != row.hold.since)
        endHold(watched);
    if (!row.lock.isHeld())
        return;
    watched.heldSince = row.hold.since;
    watched.holder = row.lock.holders.size() == 1 ? std::optional(row.lock.holders.first()) : std::nullopt;
    watched.heldDue = heldDue(row);
    watched.ttlDue = ttlDue(row);
    // The hold was renewed, so the TTL may fall below the limit again.
    if (!watched.ttlDue || *watched.ttlDue > row.lock.seenAt)
        end(watched, [](const Notice& notice) { return notice.kind == NoticeKind::TtlUnder; });
}

std::optional<SteadyTime> NoticeWatch::heldDue(const LockRow& row) const {
    if (!m_rules.heldLonger)
        return std::nullopt;
    return row.hold.since + *m_rules.heldLonger + grace;
}

std::optional<SteadyTime> NoticeWatch::ttlDue(const LockRow& row) const {
    if (!m_rules.ttlUnder || !row.lock.expiry || row.lock.expiry->latest == SteadyTime::max() ||
        row.hold.peakTtl <= *m_rules.ttlUnder)
        return std::nullopt;
    return row.lock.expiry->latest - *m_rules.ttlUnder + grace;
}

void NoticeWatch::followDiagnoses(Watched& watched, const LockRow& row) {
    end(watched, [&row](const Notice& notice) {
        return notice.diagnosis && std::none_of(row.diagnoses.begin(), row.diagnoses.end(), [&](const Diagnosis& one) {
                   return one.kind() == notice.diagnosis->kind();
               });
    });
    for (const Diagnosis& diagnosis : row.diagnoses) {
        if (m_rules.want(diagnosis))
            begin(watched, {NoticeKind::Diagnosed, row.lock.name, std::nullopt, diagnosis});
    }
}

// A number that is not known neither begins nor ends anything.
void NoticeWatch::followWaiters(Watched& watched, const LockRow& row) {
    const qint64 waiters = std::max<qint64>(row.lock.fairQueue.size(), row.lock.certainWaiters());
    const bool isKnown = row.lock.waiters || !row.lock.fairQueue.isEmpty();
    if (!m_rules.waitersAtLeast || !isKnown)
        return;
    if (waiters < *m_rules.waitersAtLeast) {
        end(watched, [](const Notice& notice) { return notice.kind == NoticeKind::ManyWaiters; });
        return;
    }
    Notice notice{NoticeKind::ManyWaiters, row.lock.name, watched.holder, std::nullopt};
    notice.waiters = waiters;
    begin(watched, notice);
}

void NoticeWatch::forget(const LockName& name) {
    const auto watched = m_watched.find(name);
    if (watched == m_watched.end())
        return;
    end(*watched, [](const Notice&) { return true; });
    m_watched.erase(watched);
    m_schedule.set(name, std::nullopt);
}

void NoticeWatch::begin(Watched& watched, const Notice& notice) {
    if (contains(watched.reported, notice))
        return;
    watched.reported.append(notice);
    m_changes.push_back({NoticeChange::Phase::Begun, notice});
}

void NoticeWatch::end(Watched& watched, const std::function<bool(const Notice&)>& which) {
    for (const Notice& notice : std::as_const(watched.reported)) {
        if (which(notice))
            m_changes.push_back({NoticeChange::Phase::Ended, notice});
    }
    watched.reported.removeIf(which);
}

void NoticeWatch::endHold(Watched& watched) {
    end(watched, [](const Notice& notice) {
        return notice.kind == NoticeKind::HeldLonger || notice.kind == NoticeKind::TtlUnder;
    });
    watched.holder.reset();
    watched.heldDue.reset();
    watched.ttlDue.reset();
}

void NoticeWatch::schedule(const LockName& name, const Watched& watched) {
    const auto isReported = [&watched](NoticeKind kind) {
        return std::any_of(watched.reported.begin(), watched.reported.end(),
                           [kind](const Notice& notice) { return notice.kind == kind; });
    };
    std::optional<SteadyTime> next;
    if (watched.heldDue && !isReported(NoticeKind::HeldLonger))
        next = watched.heldDue;
    if (watched.ttlDue && !isReported(NoticeKind::TtlUnder))
        next = std::min(*watched.ttlDue, next.value_or(*watched.ttlDue));
    m_schedule.set(name, next);
}

std::vector<NoticeChange> NoticeWatch::take(SteadyTime now) {
    for (const LockName& name : m_schedule.takeDue(now)) {
        Watched& watched = m_watched[name];
        beginDue(name, watched, now);
        schedule(name, watched);
    }
    return std::exchange(m_changes, {});
}

void NoticeWatch::beginDue(const LockName& name, Watched& watched, SteadyTime now) {
    if (watched.heldDue && *watched.heldDue <= now)
        begin(watched, {NoticeKind::HeldLonger, name, watched.holder, std::nullopt, *m_rules.heldLonger});
    if (watched.ttlDue && *watched.ttlDue <= now)
        begin(watched, {NoticeKind::TtlUnder, name, watched.holder, std::nullopt, *m_rules.ttlUnder});
}

}  // namespace lockkeeper::monitor
