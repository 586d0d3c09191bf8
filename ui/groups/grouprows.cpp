// SPDX-License-Identifier: Apache-2.0
#include "ui/groups/grouprows.h"

#include <utility>

namespace lockkeeper::ui {

namespace {

// Most names are copies of one another and share their bytes, which need not be fetched then: of 100,000 locks that takes
// longer than all the rest.
bool isSameName(const LockName& one, const LockName& other) {
    const QByteArray& a = one.bytes();
    const QByteArray& b = other.bytes();
    return (a.constData() == b.constData() && a.size() == b.size()) || a == b;
}

}  // namespace

bool GroupRow::isSame(const GroupRow& other) const {
    if (lock && other.lock)
        return isSameName(*lock, *other.lock);
    return !lock && !other.lock && group->key == other.group->key;
}

int GroupRowPlaces::of(const GroupRow& row) const {
    return row.lock ? locks.value(*row.lock, -1) : headings.value(row.group->key, -1);
}

GroupRowPlaces placesOf(const std::vector<GroupRow>& rows) {
    GroupRowPlaces places;
    for (size_t i = 0; i < rows.size(); ++i) {
        if (rows[i].lock)
            places.locks.insert(*rows[i].lock, static_cast<int>(i));
        else
            places.headings.insert(rows[i].group->key, static_cast<int>(i));
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
