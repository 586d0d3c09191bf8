// SPDX-License-Identifier: Apache-2.0
#include "ui/events/log/eventcolumns.h"

#include "ui/base/rowview.h"
#include "ui/events/log/eventlogmodel.h"
#include "ui/words/eventtext.h"
#include "ui/words/locktext.h"

#include <QEvent>
#include <QHeaderView>
#include <QScopedValueRollback>
#include <QTableView>

#include <algorithm>

namespace lockkeeper::ui {

EventColumns::EventColumns(QTableView& view) : QObject(&view), m_view(view) {
    for (int column = 0; column < EventLogModel::Detail; ++column)
        m_view.setColumnWidth(column, 0);
    connect(m_view.horizontalHeader(), &QHeaderView::sectionResized, this,
            [this](int column) { m_areChosen = m_areChosen || (!m_isFitting && column != EventLogModel::Detail); });
    m_view.viewport()->installEventFilter(this);
}

void EventColumns::widen() {
    constexpr int iconRoom = 20;
    const QScopedValueRollback fitting(m_isFitting, true);
    for (int column = 0; column < EventLogModel::Detail; ++column)
        widenColumn(m_view, column, m_view.model()->headerData(column, Qt::Horizontal, Qt::DisplayRole).toString());
    widenColumn(m_view, EventLogModel::Time, QStringLiteral("23:59:59.999"), iconRoom);
    for (int type = 0; type <= static_cast<int>(monitor::EventType::ExpirySet); ++type)
        widenColumn(m_view, EventLogModel::Event, eventText(static_cast<monitor::EventType>(type)), iconRoom);
    widenColumn(m_view, EventLogModel::Lock, QStringLiteral("orders:{customer-12345}:payment"));
    widenColumn(m_view, EventLogModel::HolderColumn, QStringLiteral("8f14e45f-ceea-467…2b1c8f14e45f:1024"), iconRoom);
    m_lockWidth = m_view.columnWidth(EventLogModel::Lock);
    m_holderWidth = m_view.columnWidth(EventLogModel::HolderColumn);
    fit();
}

void EventColumns::fit() {
    constexpr int leastDetail = 10;  // heights of a line
    if (m_areChosen)
        return;
    const int taken = m_view.columnWidth(EventLogModel::Time) + m_view.columnWidth(EventLogModel::Event) +
                      m_view.fontMetrics().height() * leastDetail;
    const double share =
        std::clamp(double(m_view.viewport()->width() - taken) / (m_lockWidth + m_holderWidth), 0.4, 1.0);
    const QScopedValueRollback fitting(m_isFitting, true);
    m_view.setColumnWidth(EventLogModel::Lock, static_cast<int>(m_lockWidth * share));
    m_view.setColumnWidth(EventLogModel::HolderColumn, static_cast<int>(m_holderWidth * share));
}

bool EventColumns::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::Resize)  // of its viewport
        fit();
    return QObject::eventFilter(watched, event);
}

}  // namespace lockkeeper::ui

#include "moc_eventcolumns.cpp"
