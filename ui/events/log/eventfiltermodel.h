// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/events/log/eventgroup.h"
#include "ui/words/wordfilter.h"

#include <QSortFilterProxyModel>

#include <optional>

namespace lockkeeper::ui {

// Events of the shown groups whose texts contain every word of the filter, ignoring case; if wanted, those of one lock
// or of one client only. Their order stays.
class EventFilterModel final : public QSortFilterProxyModel {
    Q_OBJECT
public:
    using QSortFilterProxyModel::QSortFilterProxyModel;

    void setFilterText(const QString& text);
    void setGroupShown(EventGroup group, bool shown);
    void setLock(const std::optional<LockName>& name);
    void setClient(const std::optional<ClientId>& client);

protected:
    [[nodiscard]] bool filterAcceptsRow(int row, const QModelIndex& parent) const override;

private:
    [[nodiscard]] bool isWanted(const monitor::LockEvent& event) const;

    WordFilter m_filter;
    QSet<EventGroup> m_hidden = groupsHiddenAtFirst();
    std::optional<LockName> m_lock;
    std::optional<ClientId> m_client;
};

}  // namespace lockkeeper::ui
