// SPDX-License-Identifier: Apache-2.0
#include "ui/table/lockorder.h"

#include "ui/words/timetext.h"

#include <limits>

namespace lockkeeper::ui {

int urgencyOf(const monitor::LockRow& row) {
    constexpr int afterFaults = 1000;
    if (monitor::hasFault(row.diagnoses))
        return static_cast<int>(row.diagnoses.first().kind());
    if (row.lock.neverExpires())
        return afterFaults;
    if (isWaitedFor(row.lock))
        return afterFaults + 1;
    return afterFaults + (row.lock.isHeld() ? 2 : 3);
}

QVariant sortValueOf(const monitor::LockRow& row, LockTableModel::Column column, const HolderAliases& aliases) {
    constexpr qint64 last = std::numeric_limits<qint64>::max();
    const bool held = row.lock.isHeld();
    switch (column) {
        case LockTableModel::State:
            return urgencyOf(row);
        case LockTableModel::Name:
            return plainName(row.lock.name);
        case LockTableModel::Kind:
            return kindText(row.lock.kind);
        case LockTableModel::HolderColumn:
            return holdersText(row.lock, aliases);
        case LockTableModel::Count:
            return totalCount(row.lock);
        case LockTableModel::Ttl:
            if (row.lock.neverExpires())
                return last - 1;
            return row.lock.expiry ? qint64{toMilliseconds(row.lock.expiry->earliest.time_since_epoch()).count()}
                                   : last;
        case LockTableModel::HeldSince:
            return held ? qint64{toMilliseconds(row.hold.since.time_since_epoch()).count()} : last;
        case LockTableModel::Renewals:
            return held ? qint64{row.hold.renewals} : qint64{-1};
        case LockTableModel::Waiters:
            return row.lock.waiters.value_or(-1);
        case LockTableModel::Rate:
            return row.throughput ? row.throughput->perSecond(row.throughput->acquisitions) : -1.0;
        case LockTableModel::DiagnosisColumn:
            return row.diagnoses.isEmpty() ? last : static_cast<qint64>(row.diagnoses.first().kind());
        case LockTableModel::NodeColumn:
            return nodeText(row.lock);
        case LockTableModel::ColumnCount:
            break;
    }
    return {};
}

}  // namespace lockkeeper::ui
