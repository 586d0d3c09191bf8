// SPDX-License-Identifier: Apache-2.0
#include "ui/locks/model/lockorder.h"

#include "ui/words/locktext.h"
#include "ui/words/timetext.h"

#include <algorithm>
#include <limits>

namespace lockkeeper::ui {

namespace {

// Whether the character is shown without an escape.
bool isPlain(char letter) {
    return letter >= ' ' && letter <= '~' && letter != '\\';
}

char folded(char letter) {
    return letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter - 'A' + 'a') : letter;
}

// Bytes of a name. Longer names are ordered by their bytes: comparing them as shown would take too long at each change.
constexpr qsizetype comparedAsShown = 1024;

// For two names with the same beginning: the shorter one comes first; beyond the compared part, bytes decide.
int compareRest(const QByteArray& a, const QByteArray& b) {
    const bool isLong = a.size() > comparedAsShown;
    if (isLong != (b.size() > comparedAsShown))
        return isLong ? 1 : -1;
    return isLong ? a.compare(b) : 0;
}

int compareHeads(const LockName& one, const LockName& other) {
    const int order = QString::compare(headOf(one, comparedAsShown).display(), headOf(other, comparedAsShown).display(),
                                       Qt::CaseInsensitive);
    return order != 0 ? order : compareRest(one.bytes(), other.bytes());
}

}  // namespace

int compareAsShown(const LockName& one, const LockName& other) {
    const QByteArray& a = one.bytes();
    const QByteArray& b = other.bytes();
    const qsizetype common = std::min({a.size(), b.size(), comparedAsShown});
    for (qsizetype i = 0; i < common; ++i) {
        if (!isPlain(a[i]) || !isPlain(b[i]))
            return compareHeads(one, other);
        if (folded(a[i]) != folded(b[i]))
            return folded(a[i]) < folded(b[i]) ? -1 : 1;
    }
    if (common == comparedAsShown)
        return compareRest(a, b);
    // One name is the beginning of the other; the shorter one comes first.
    return a.size() == b.size() ? 0 : a.size() < b.size() ? -1 : 1;
}

int urgencyOf(const monitor::LockRow& row) {
    constexpr int afterFaults = 1000;
    if (monitor::hasFault(row.diagnoses))
        return static_cast<int>(row.diagnoses.first().kind());
    if (row.lock.neverExpires())
        return afterFaults;
    if (row.lock.isWaitedFor())
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
            return kindTextOf(row.lock);
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
        case LockTableModel::WaitingSinceColumn:
            return row.waits->present.isEmpty()
                       ? last
                       : qint64{toMilliseconds(row.waits->present.first().latest.time_since_epoch()).count()};
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
