#include "monitor/monitorbatch.h"

#include <QHash>
#include <QSet>

namespace lockkeeper::monitor {

namespace {

void appendRows(MonitorBatch& batch, const MonitorBatch& next) {
    QHash<LockName, size_t> places;
    for (size_t i = 0; i < batch.changed.size(); ++i)
        places.insert(batch.changed[i].lock.name, i);
    for (const LockRow& row : next.changed) {
        const auto place = places.constFind(row.lock.name);
        if (place != places.cend())
            batch.changed[*place] = row;
        else
            batch.changed.push_back(row);
    }
    // A row that came and went, or went and came: what happened last counts.
    const QSet<LockName> gone(next.removed.begin(), next.removed.end());
    std::erase_if(batch.changed, [&gone](const LockRow& row) { return gone.contains(row.lock.name); });
    QSet<LockName> back;
    for (const LockRow& row : next.changed)
        back.insert(row.lock.name);
    std::erase_if(batch.removed, [&back](const LockName& name) { return back.contains(name); });
    batch.removed.insert(batch.removed.end(), next.removed.begin(), next.removed.end());
}

quint64 appendEvents(MonitorBatch& batch, const MonitorBatch& next) {
    batch.events.insert(batch.events.end(), next.events.begin(), next.events.end());
    if (batch.events.size() <= mostWaitingEvents)
        return 0;
    const size_t tooMany = batch.events.size() - mostWaitingEvents;
    batch.events.erase(batch.events.begin(), batch.events.begin() + static_cast<qsizetype>(tooMany));
    return tooMany;
}

}  // namespace

quint64 append(MonitorBatch& batch, const MonitorBatch& next) {
    if (next.reset) {
        // Another server: what waited was about the one before, and nobody misses it.
        batch = next;
        return 0;
    }
    appendRows(batch, next);
    if (next.stats)
        batch.stats = next.stats;
    return appendEvents(batch, next);
}

}  // namespace lockkeeper::monitor
