#pragma once

#include "ui/words/wordfilter.h"

#include <QSortFilterProxyModel>

namespace lockkeeper::ui {

// Events whose texts contain every word of the filter, ignoring case; their order stays.
class EventFilterModel final : public QSortFilterProxyModel {
    Q_OBJECT
public:
    using QSortFilterProxyModel::QSortFilterProxyModel;

    void setFilterText(const QString& text);

protected:
    [[nodiscard]] bool filterAcceptsRow(int row, const QModelIndex& parent) const override;

private:
    WordFilter m_filter;
};

}  // namespace lockkeeper::ui
