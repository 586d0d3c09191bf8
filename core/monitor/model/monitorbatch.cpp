// SPDX-License-Identifier: Apache-2.0
#include "monitor/model/monitorbatch.h"

#include "monitor/model/nameweight.h"

#include <QHash>
#include <QSet>

#include <algorithm>
#include <iterator>

namespace lockkeeper::monitor {

namespace {

// Only `next` is hashed, because it is small, and `batch` may hold a row of every lock.
void appendRows(MonitorBatch& batch, const MonitorBatch& next) {
    QHash<LockName, SharedRow> newest;
    for (const SharedRow& row : next.changed)
        newest.insert(row->lock.name, row);
    if (!batch.removed.empty())
        std::erase_if(batch.removed, [&newest](const LockName& name) { return newest.contains(name); });
    for (auto row = batch.changed.begin(); row != batch.changed.end() && !newest.isEmpty(); ++row) {
        if (SharedRow newer = newest.take((*row)->lock.name))
            *row = std::move(newer);
    }
    std::copy_if(next.changed.begin(), next.changed.end(), std::back_inserter(batch.changed),
                 [&newest](const SharedRow& row) { return newest.contains(row->lock.name); });
    // A lock may have been added and removed, or removed and added: the last change counts.
    if (next.removed.empty())
        return;
    const QSet<LockName> gone(next.removed.begin(), next.removed.end());
    std::erase_if(batch.changed, [&gone](const SharedRow& row) { return gone.contains(row->lock.name); });
    batch.removed.insert(batch.removed.end(), next.removed.begin(), next.removed.end());
}

// As appendRows().
void appendClients(MonitorBatch& batch, const MonitorBatch& next) {
    if (next.clients.empty() && next.removedClients.empty())
        return;
    QHash<ClientId, SharedClient> newest;
    for (const SharedClient& client : next.clients)
        newest.insert(client->id, client);
    const QSet<ClientId> gone(next.removedClients.begin(), next.removedClients.end());
    std::erase_if(batch.clients,
                  [&](const SharedClient& client) { return newest.contains(client->id) || gone.contains(client->id); });
    std::erase_if(batch.removedClients, [&newest](const ClientId& client) { return newest.contains(client); });
    batch.clients.insert(batch.clients.end(), next.clients.begin(), next.clients.end());
    batch.removedClients.insert(batch.removedClients.end(), next.removedClients.begin(), next.removedClients.end());
}

void appendWaits(MonitorBatch& batch, const MonitorBatch& next) {
    const size_t room = mostWaitingEvents - std::min(mostWaitingEvents, batch.endedWaits.size());
    const auto taken = static_cast<qsizetype>(std::min(room, next.endedWaits.size()));
    batch.endedWaits.insert(batch.endedWaits.end(), next.endedWaits.begin(), next.endedWaits.begin() + taken);
}

quint64 appendEvents(MonitorBatch& batch, const MonitorBatch& next) {
    batch.events.insert(batch.events.end(), next.events.begin(), next.events.end());
    size_t kept = 0;
    qsizetype weight = 0;
    while (kept < batch.events.size() &&
           (weight += weightOf(batch.events[batch.events.size() - 1 - kept].lock.name)) <= qsizetype{mostWaitingEvents})
        ++kept;
    const size_t tooMany = batch.events.size() - kept;
    batch.events.erase(batch.events.begin(), batch.events.begin() + static_cast<qsizetype>(tooMany));
    return tooMany;
}

}  // namespace

QList<BlindSpot> blindSpotsOf(const MonitorStats& stats) {
    if (stats.observation == ObservationMode::None)
        return {};
    QList<BlindSpot> spots;
    const bool polls = stats.observation == ObservationMode::Polling;
    spots += polls ? BlindSpot::BetweenPolls : BlindSpot::FastChanges;
    if (!polls && !stats.noticesFairQueues)
        spots += BlindSpot::FairQueues;
    const bool noticesNewNames = stats.noticesNewNames || stats.writeReports == WriteReports::On;
    spots += noticesNewNames ? BlindSpot::ShortNewLocks : BlindSpot::UnknownNames;
    return spots;
}

quint64 append(MonitorBatch& batch, const MonitorBatch& next) {
    batch.at = next.at;
    if (next.reset) {
        // Another server: the old batch is about the earlier server and is not needed any more.
        batch = next;
        return 0;
    }
    appendRows(batch, next);
    appendClients(batch, next);
    appendWaits(batch, next);
    batch.forgetStats = batch.forgetStats || next.forgetStats;
    if (next.changesStats())
        batch.stats = next.stats;
    if (next.synchronizers)
        batch.synchronizers = next.synchronizers;
    return appendEvents(batch, next);
}

}  // namespace lockkeeper::monitor
