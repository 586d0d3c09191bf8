// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/groups/lockgroup.h"

#include <QHash>

#include <memory>
#include <optional>
#include <vector>

namespace lockkeeper::ui {

// A row of a table below headings: a lock, or the heading of its group, which has no lock.
struct GroupRow {
    std::shared_ptr<const LockGroup> group;
    std::optional<LockName> lock;

    // Of the same lock, or the heading of the same group.
    [[nodiscard]] bool isSame(const GroupRow& other) const;
};

// Where each row stands in a list of them.
struct GroupRowPlaces {
    QHash<LockName, int> locks;
    QHash<GroupKey, int> headings;

    // -1: it has none.
    [[nodiscard]] int of(const GroupRow& row) const;
};

[[nodiscard]] GroupRowPlaces placesOf(const std::vector<GroupRow>& rows);
// Which rows of `all` are not in `part`, in ascending order; nothing if not all of `part` are in `all`, in the same order.
[[nodiscard]] std::optional<std::vector<int>> surplusOf(const std::vector<GroupRow>& all, const std::vector<GroupRow>& part);

}  // namespace lockkeeper::ui
