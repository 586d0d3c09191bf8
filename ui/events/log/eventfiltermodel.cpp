// SPDX-License-Identifier: Apache-2.0
#include "ui/events/log/eventfiltermodel.h"

#include "ui/events/log/eventlogmodel.h"

#include <algorithm>

namespace lockkeeper::ui {

namespace {

bool isOfClient(const monitor::LockEvent& event, const ClientId& client) {
    if (event.holder)
        return event.holder->id.client() == client;
    return std::ranges::any_of(event.lock.holders,
                               [&](const monitor::Holder& holder) { return holder.id.client() == client; });
}

}  // namespace

void EventFilterModel::setFilterText(const QString& text) {
    const WordFilter filter(text);
    if (filter == m_filter)
        return;
    m_filter = filter;
    invalidateRowsFilter();
}

void EventFilterModel::setGroupShown(EventGroup group, bool shown) {
    if (shown != m_hidden.contains(group))
        return;
    if (shown)
        m_hidden.remove(group);
    else
        m_hidden.insert(group);
    invalidateRowsFilter();
}

void EventFilterModel::setLock(const std::optional<LockName>& name) {
    m_lock = name;
    invalidateRowsFilter();
}

void EventFilterModel::setClient(const std::optional<ClientId>& client) {
    m_client = client;
    invalidateRowsFilter();
}

bool EventFilterModel::isWanted(const monitor::LockEvent& event) const {
    return !m_hidden.contains(groupOf(event.type)) && (!m_lock || event.lock.name == *m_lock) &&
           (!m_client || isOfClient(event, *m_client));
}

bool EventFilterModel::filterAcceptsRow(int row, const QModelIndex& parent) const {
    const auto& log = static_cast<const EventLogModel&>(*sourceModel());
    return isWanted(log.eventAt(row)) &&
           (m_filter.isEmpty() ||
            m_filter.accepts(log.index(row, 0, parent).data(EventLogModel::FilterRole).toString()));
}

}  // namespace lockkeeper::ui

#include "moc_eventfiltermodel.cpp"
