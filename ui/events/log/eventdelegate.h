// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/clock.h"

#include <QPersistentModelIndex>
#include <QStyledItemDelegate>

#include <optional>

class QAbstractItemView;

namespace lockkeeper::ui {

class EventFilterModel;
class EventLogModel;

// Rows of the event log. A name or id that is too long is cut in the middle, a sentence at its end. The row that the
// reader was led to has an arrow and a background of its own; a dashed line between two rows stands for a time on the
// timeline.
class EventDelegate final : public QStyledItemDelegate {
    Q_OBJECT
public:
    // All outlive it; shown is the view's model, of log.
    EventDelegate(const EventLogModel& log, const EventFilterModel& shown, QAbstractItemView& view);

    // event: an index of the log.
    void setLed(const QModelIndex& event);
    // Draws the dashed line above the newest event that is not later than `at`; nothing: no line.
    void setCrosshair(const std::optional<WallTime>& at);
    // The row below the line; -1: all events are later, or there is no line.
    [[nodiscard]] int crosshairRow() const;

    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;

protected:
    void initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const override;

private:
    const EventLogModel& m_log;
    const EventFilterModel& m_shown;
    QAbstractItemView& m_view;
    QPersistentModelIndex m_led;
    std::optional<WallTime> m_crosshair;
};

}  // namespace lockkeeper::ui
