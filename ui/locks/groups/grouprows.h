// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/locks/groups/lockgroup.h"
#include "ui/locks/model/locktablemodel.h"

#include <QHash>

#include <memory>
#include <optional>
#include <vector>

namespace lockkeeper::ui {

// A row of a table below headings: the heading of a group, or a lock. Without the lock's name: of 100,000 locks it
// takes long to fetch, to copy and to free the names.
struct GroupRow {
    std::shared_ptr<const LockGroup> heading;  // null: a lock
    LockTableModel::Arrival lock{};            // valid for a lock

    // Whether both rows are of the same lock, or headings of the same group.
    [[nodiscard]] bool isSame(const GroupRow& other) const {
        if (!heading && !other.heading)
            return lock == other.lock;
        return heading && other.heading && heading->key == other.heading->key;
    }
};

// Where each row stands in a list of them.
struct GroupRowPlaces {
    QHash<quint64, int> locks;  // by their arrivals
    QHash<GroupKey, int> headings;

    // -1: it has none.
    [[nodiscard]] int of(const GroupRow& row) const;
};

[[nodiscard]] GroupRowPlaces placesOf(const std::vector<GroupRow>& rows);
// Which rows of `all` are not in `part`, in ascending order; nothing if not all of `part` are in `all`, in the same
// order.
[[nodiscard]] std::optional<std::vector<int>> surplusOf(const std::vector<GroupRow>& all,
                                                        const std::vector<GroupRow>& part);

}  // namespace lockkeeper::ui
