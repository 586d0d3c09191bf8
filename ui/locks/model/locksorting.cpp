// SPDX-License-Identifier: Apache-2.0
#include "ui/locks/model/locksorting.h"

#include "ui/locks/model/lockorder.h"

#include <algorithm>
#include <utility>

namespace lockkeeper::ui {

namespace {

int compareValues(const QVariant& one, const QVariant& other) {
    if (one.typeId() == QMetaType::QString)
        return QString::compare(one.toString(), other.toString(), Qt::CaseInsensitive);
    const QPartialOrdering order = QVariant::compare(one, other);
    return order == QPartialOrdering::Less ? -1 : order == QPartialOrdering::Greater ? 1 : 0;
}

}  // namespace

QVariant LockSorting::valueOf(int lock) const {
    return m_table.index(lock, m_column).data(LockTableModel::SortRole);
}

bool LockSorting::isOrderedByValues() const {
    return m_column != LockTableModel::State && m_column != LockTableModel::Name;
}

int LockSorting::compare(int one, int other) const {
    int order = 0;
    if (m_column == LockTableModel::State)
        order = m_table.urgencyAt(one) - m_table.urgencyAt(other);
    else if (isOrderedByValues())
        order = compareValues(valueOf(one), valueOf(other));
    return order != 0 ? order : compareNames(one, other);
}

int LockSorting::compareNames(int one, int other) const {
    const int order = compareAsShown(m_table.nameAt(one), m_table.nameAt(other));
    return order != 0 ? order : m_table.nameAt(one).bytes().compare(m_table.nameAt(other).bytes());
}

bool LockSorting::isFirst(int order) const {
    return m_order == Qt::AscendingOrder ? order < 0 : order > 0;
}

bool LockSorting::standsBefore(int one, int other) const {
    return isFirst(compare(one, other));
}

std::vector<int> LockSorting::sorted(std::vector<int> locks) const {
    if (isOrderedByValues())
        return sortedByValues(locks);
    std::ranges::sort(locks, [this](int one, int other) { return standsBefore(one, other); });
    return locks;
}

// Makes each value once: making one takes far longer than comparing two.
std::vector<int> LockSorting::sortedByValues(const std::vector<int>& locks) const {
    struct Valued {
        int lock;
        QVariant value;
    };
    std::vector<Valued> all;
    all.reserve(locks.size());
    for (const int lock : locks)
        all.push_back({lock, valueOf(lock)});
    std::ranges::sort(all, [this](const Valued& one, const Valued& other) {
        const int order = compareValues(one.value, other.value);
        return isFirst(order != 0 ? order : compareNames(one.lock, other.lock));
    });
    std::vector<int> inOrder;
    inOrder.reserve(all.size());
    std::ranges::transform(all, std::back_inserter(inOrder), &Valued::lock);
    return inOrder;
}

std::vector<int> LockSorting::placesOf(const std::vector<int>& locks, const std::vector<int>& among) const {
    const auto before = [this](int one, int other) { return standsBefore(one, other); };
    std::vector<int> places;
    places.reserve(locks.size());
    for (const int lock : locks) {
        const auto othersBefore = static_cast<int>(std::ranges::lower_bound(among, lock, before) - among.begin());
        places.push_back(othersBefore + static_cast<int>(places.size()));
    }
    return places;
}

}  // namespace lockkeeper::ui
