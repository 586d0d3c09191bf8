// SPDX-License-Identifier: Apache-2.0
#include "ui/events/eventfiltermodel.h"

#include "ui/events/eventlogmodel.h"

namespace lockkeeper::ui {

void EventFilterModel::setFilterText(const QString& text) {
    const WordFilter filter(text);
    if (filter == m_filter)
        return;
    m_filter = filter;
    invalidateRowsFilter();
}

bool EventFilterModel::filterAcceptsRow(int row, const QModelIndex& parent) const {
    return m_filter.isEmpty() ||
           m_filter.accepts(sourceModel()->index(row, 0, parent).data(EventLogModel::FilterRole).toString());
}

}  // namespace lockkeeper::ui

#include "moc_eventfiltermodel.cpp"
