// SPDX-License-Identifier: Apache-2.0
#include "ui/locks/groups/grouprows.h"

#include <utility>

namespace lockkeeper::ui {

int GroupRowPlaces::of(const GroupRow& row) const {
    return row.heading ? headings.value(row.heading->key, -1) : locks.value(static_cast<quint64>(row.lock), -1);
}

GroupRowPlaces placesOf(const std::vector<GroupRow>& rows) {
    GroupRowPlaces places;
    places.locks.reserve(static_cast<qsizetype>(rows.size()));
    for (size_t i = 0; i < rows.size(); ++i) {
        if (rows[i].heading)
            places.headings.insert(rows[i].heading->key, static_cast<int>(i));
        else
            places.locks.insert(static_cast<quint64>(rows[i].lock), static_cast<int>(i));
    }
    return places;
}

std::optional<std::vector<int>> surplusOf(const std::vector<GroupRow>& all, const std::vector<GroupRow>& part) {
    if (part.size() > all.size())
        return std::nullopt;
    std::vector<int> surplus;
    size_t found = 0;
    for (size_t i = 0; i < all.size(); ++i) {
        if (found < part.size() && part[found].isSame(all[i]))
            ++found;
        else
            surplus.push_back(static_cast<int>(i));
    }
    return found == part.size() ? std::optional(std::move(surplus)) : std::nullopt;
}

}  // namespace lockkeeper::ui
