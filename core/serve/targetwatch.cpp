// SPDX-License-Identifier: Apache-2.0
#include "serve/targetwatch.h"

#include "monitor/monitoroptions.h"

#include <algorithm>

namespace lockkeeper::serve {

namespace {

const QString wholeTarget;

}  // namespace

// New watches for all rules: a case that two rules cover must not end with one of them.
void TargetWatch::setRules(const std::vector<monitor::NoticeRules>& rules) {
    m_watches.clear();
    for (const monitor::NoticeRules& one : rules) {
        monitor::NoticeWatch watch;
        if (watch.setRules(one)) {
            for (const monitor::SharedRow& row : std::as_const(m_rows))
                watch.follow(*row);
            for (const monitor::SharedClient& client : std::as_const(m_diagnosed))
                watch.follow(*client);
        }
        m_watches.push_back(std::move(watch));
    }
    m_isReset = true;
}

void TargetWatch::setStatus(const ConnectionStatus& status, SteadyTime now, WallTime wall) {
    m_status = status;
    followWhole(now, status.lastHeard == WallTime() ? wall : status.lastHeard);
    if (isLive())
        return;
    for (monitor::NoticeWatch& watch : m_watches)
        watch.interrupt();
}

void TargetWatch::followWhole(SteadyTime now, WallTime since) {
    if (isLive() && !m_isSearchRefused)
        setSeen(wholeTarget);
    else
        setBlind(wholeTarget, since, now);
}

void TargetWatch::apply(const monitor::MonitorBatch& batch, SteadyTime now, WallTime wall) {
    keep(batch);
    for (monitor::NoticeWatch& watch : m_watches)
        watch.apply(batch);
    for (const monitor::LockEvent& event : batch.events)
        m_sweeps += event.type == monitor::EventType::Swept ? 1 : 0;
    if (batch.stats)
        followNodes(*batch.stats, now, wall);
}

void TargetWatch::keep(const monitor::MonitorBatch& batch) {
    if (batch.reset) {
        m_rows.clear();
        m_diagnosed.clear();
        m_sweeps = 0;
        m_isReset = true;
    }
    for (const monitor::SharedRow& row : batch.changed)
        m_rows.insert(row->lock.name, row);
    for (const LockName& name : batch.removed)
        m_rows.remove(name);
    for (const monitor::SharedClient& client : batch.clients) {
        if (client->diagnoses.isEmpty())
            m_diagnosed.remove(client->id);
        else
            m_diagnosed.insert(client->id, client);
    }
    for (const ClientId& client : batch.removedClients)
        m_diagnosed.remove(client);
}

void TargetWatch::followNodes(const monitor::MonitorStats& stats, SteadyTime now, WallTime wall) {
    QSet<QString> away;
    for (const monitor::NodeStatus& node : stats.nodes) {
        if (node.phase == monitor::NodePhase::Watching || node.address.isEmpty())
            continue;
        away.insert(node.address);
        setBlind(node.address, node.lastHeard == WallTime() ? wall : node.lastHeard, now);
    }
    for (const QString& node : m_blind.keys()) {
        if (node != wholeTarget && !away.contains(node))
            setSeen(node);
    }
    m_areSlotsServed = stats.unservedSlots.isEmpty();
    m_isSearchRefused = stats.discovery == monitor::DiscoveryState::Refused;
    followWhole(now, wall);
    if (away.isEmpty())
        return;
    for (monitor::NoticeWatch& watch : m_watches)
        watch.interrupt(away);
}

void TargetWatch::setBlind(const QString& node, WallTime since, SteadyTime now) {
    if (!m_blind.contains(node))
        m_blind.insert(node, {since, now + blindGrace, false});
}

void TargetWatch::setSeen(const QString& node) {
    const Blind blind = m_blind.take(node);
    if (blind.isReported)
        m_changes.push_back({NoticeChange::Phase::Ended, notWatched(node, blind.since)});
}

Case TargetWatch::notWatched(const QString& node, WallTime since) const {
    return {m_name, std::nullopt, node, since};
}

bool TargetWatch::isWhole() const {
    return isLive() && m_sweeps >= monitor::sweepsForAll && m_blind.isEmpty() && m_areSlotsServed;
}

TargetWatch::Standing TargetWatch::standingOf(const Case& subject) {
    if (!subject.notice)
        return Standing::Ended;
    if (subject.notice->client)
        return Standing::NotClear;
    const monitor::SharedRow row = m_rows.value(subject.notice->lock);
    if (!row || (!row->lock.isHeld() && !row->lock.isWaitedFor()))
        return Standing::Ended;
    switch (subject.notice->kind) {
        case monitor::NoticeKind::HeldLonger:
            return adopt(*subject.notice, *row) ? Standing::GoesOn : Standing::Ended;
        case monitor::NoticeKind::Diagnosed:
        case monitor::NoticeKind::ManyWaiters:
            return Standing::NotClear;
        case monitor::NoticeKind::TtlUnder:
        case monitor::NoticeKind::Lost:
            break;
    }
    return Standing::Ended;
}

// With the same holder it is the same hold, as far as anybody can know.
bool TargetWatch::adopt(const monitor::NoticeFacts& held, const monitor::LockRow& row) {
    if (held.holder && !row.lock.isHeldBy(*held.holder))
        return false;
    bool isAdopted = false;
    for (monitor::NoticeWatch& watch : m_watches)
        isAdopted = watch.adopt(held) || isAdopted;
    return isAdopted;
}

// While the target is away, that its nodes are is no case of its own.
bool TargetWatch::isDue(const QString& node, const Blind& blind, SteadyTime now) const {
    return !blind.isReported && blind.due <= now && (node == wholeTarget || !m_blind.contains(wholeTarget));
}

std::optional<SteadyTime> TargetWatch::nextDue() const {
    std::optional<SteadyTime> next;
    const auto consider = [&next](std::optional<SteadyTime> when) {
        if (when)
            next = std::min(*when, next.value_or(*when));
    };
    for (auto blind = m_blind.cbegin(); blind != m_blind.cend(); ++blind) {
        if (isDue(blind.key(), *blind, SteadyTime::max()))
            consider(blind->due);
    }
    if (isLive()) {
        for (const monitor::NoticeWatch& watch : m_watches)
            consider(watch.nextDue());
    }
    return next;
}

std::vector<TargetChange> TargetWatch::take(SteadyTime now, WallTime wall) {
    for (auto blind = m_blind.begin(); blind != m_blind.end(); ++blind) {
        if (!isDue(blind.key(), *blind, now))
            continue;
        blind->isReported = true;
        m_changes.push_back({NoticeChange::Phase::Begun, notWatched(blind.key(), blind->since)});
    }
    std::vector<TargetChange> changes = std::exchange(m_changes, {});
    if (!isLive())
        return changes;
    for (monitor::NoticeWatch& watch : m_watches) {
        const auto ofOthers = static_cast<std::ptrdiff_t>(changes.size());
        for (const NoticeChange& change : watch.take(now)) {
            const TargetChange one{change.phase, {m_name, change.notice.facts(), {}, wall}};
            // Several rules may cover the same loss.
            const auto end = changes.begin() + ofOthers;
            if (change.phase != NoticeChange::Phase::Happened || std::find(changes.begin(), end, one) == end)
                changes.push_back(one);
        }
    }
    return changes;
}

}  // namespace lockkeeper::serve
