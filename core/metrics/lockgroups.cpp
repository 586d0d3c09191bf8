// SPDX-License-Identifier: Apache-2.0
#include "metrics/lockgroups.h"

#include <algorithm>

namespace lockkeeper::metrics {

LockGroups::LockGroups(QByteArray separator, int most)
    : m_separator(std::move(separator)), m_most(static_cast<size_t>(most)) {
    m_groups.push_back({QByteArray(), isGrouping() ? QByteArray(restWord) : QByteArray(), 0});
}

std::optional<QByteArray> LockGroups::prefixOf(const LockName& name) const {
    if (!isGrouping())
        return std::nullopt;
    const qsizetype end = name.bytes().indexOf(m_separator);
    if (end <= 0 || end > longestPrefix)
        return std::nullopt;
    return name.bytes().first(end);
}

LockGroups::Place LockGroups::placeOf(const LockName& name) {
    const std::optional<QByteArray> prefix = prefixOf(name);
    if (!prefix || *prefix == restWord)
        return {};
    if (const auto known = m_byPrefix.constFind(*prefix); known != m_byPrefix.cend())
        return {*known};
    Group group{*prefix, LockName(*prefix).display().toUtf8(), 0};
    if (m_groups.size() <= m_most) {
        m_groups.push_back(std::move(group));
        const int made = count() - 1;
        m_byPrefix.insert(*prefix, made);
        return {made, false, true};
    }
    const auto empty =
        std::find_if(m_groups.begin() + 1, m_groups.end(), [](const Group& one) { return one.known == 0; });
    if (empty == m_groups.end())
        return {rest, true};
    m_byPrefix.remove(empty->prefix);
    *empty = std::move(group);
    const int reused = static_cast<int>(empty - m_groups.begin());
    m_byPrefix.insert(*prefix, reused);
    return {reused, false, true};
}

int LockGroups::groupOf(const LockName& name) const {
    const std::optional<QByteArray> prefix = prefixOf(name);
    return prefix ? m_byPrefix.value(*prefix, rest) : rest;
}

}  // namespace lockkeeper::metrics
