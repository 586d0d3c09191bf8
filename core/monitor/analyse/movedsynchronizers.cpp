// SPDX-License-Identifier: Apache-2.0
#include "monitor/analyse/movedsynchronizers.h"

#include <algorithm>

namespace lockkeeper::monitor {

namespace {

bool isAmong(const LockName& name, const std::vector<Synchronizer>& sorted) {
    return std::ranges::binary_search(sorted, name, {}, &Synchronizer::name);
}

}  // namespace

MovedSynchronizers::MovedSynchronizers(topology::Shards& shards, Clock& clock) : m_shards(shards), m_clock(clock) {
    connect(&m_shards, &topology::Shards::changed, this, &MovedSynchronizers::findMoves);
}

MovedSynchronizers::~MovedSynchronizers() {
    clear();
}

void MovedSynchronizers::clear() {
    m_left.clear();
    m_timer.stop();
}

void MovedSynchronizers::follow(topology::ShardId node, const SynchronizerReading& before,
                                const SynchronizerReading& now) {
    if (!m_shards.isCluster() || now.sight == SynchronizerReading::Sight::Refused || now.isCutOff())
        return;
    bool isNew = false;
    for (const Synchronizer& last : before.seen) {
        if (isAmong(last.name, now.seen) || m_left.contains(last.name))
            continue;
        isNew = true;
        m_left[last.name] =
            Left{last, node, m_shards.masterOf(node).toUtf8(), m_clock.now(), m_clock.wallNow(), QByteArray()};
    }
    for (const Synchronizer& waitedFor : now.seen)
        m_left.remove(waitedFor.name);
    if (isNew)
        m_shards.refresh();  // the end of a subscription may be the first sign of a move
    findMoves();
}

void MovedSynchronizers::findMoves() {
    bool isLate = false;
    for (auto [name, left] : m_left.asKeyValueRange()) {
        const std::optional<topology::ShardId> keeper = m_shards.shardOfKey(name.bytes());
        if (!left.newAddress.isEmpty() || !keeper || *keeper == left.node)
            continue;
        left.newAddress = m_shards.masterOf(*keeper).toUtf8();
        isLate = isLate || m_clock.now() >= left.at + deafTime;
    }
    schedule();
    if (isLate)
        Q_EMIT changed();
}

void MovedSynchronizers::schedule() {
    m_timer.stop();
    std::optional<SteadyTime> next;
    for (const Left& left : std::as_const(m_left)) {
        const bool isAwaited = !left.newAddress.isEmpty() && m_clock.now() < left.at + deafTime;
        const SteadyTime when = isAwaited ? left.at + deafTime : left.forgottenAt();
        next = std::min(when, next.value_or(when));
    }
    if (next)
        m_timer.start(*next);
}

void MovedSynchronizers::onTime() {
    m_left.removeIf([now = m_clock.now()](const auto& entry) { return now >= entry.value().forgottenAt(); });
    schedule();
    Q_EMIT changed();
}

SynchronizerReading MovedSynchronizers::addedTo(SynchronizerReading reading) const {
    std::vector<Synchronizer> deaf;
    for (const Left& left : m_left) {
        if (left.newAddress.isEmpty() || m_clock.now() < left.at + deafTime || isAmong(left.last.name, reading.seen))
            continue;
        Synchronizer& added = deaf.emplace_back(left.last);
        added.clients = 0;
        added.deaf = DeafWaiters{left.last.clients, left.address, left.newAddress, left.atWall};
    }
    reading.seen.insert(reading.seen.end(), deaf.begin(), deaf.end());
    reading.inAll += static_cast<int>(deaf.size());
    std::ranges::sort(reading.seen, {}, &Synchronizer::name);
    return reading;
}

}  // namespace lockkeeper::monitor

#include "moc_movedsynchronizers.cpp"
