// SPDX-License-Identifier: Apache-2.0
#include "ui/base/tablepanel.h"

#include "ui/base/helptip.h"
#include "ui/base/icons.h"
#include "ui/base/plainlabel.h"
#include "ui/base/retranslating.h"
#include "ui/base/rowview.h"

#include <QAction>
#include <QEvent>
#include <QHeaderView>
#include <QLabel>
#include <QStackedWidget>
#include <QTableView>
#include <QVBoxLayout>

#include <algorithm>

namespace lockkeeper::ui {

TablePanel::TablePanel(const QString& name, QWidget* parent)
    : QWidget(parent),
      m_note(new InlineMessage(this)),
      m_stack(new QStackedWidget(this)),
      m_view(new QTableView(this)),
      m_empty(emptyPanelLabel(this)),
      m_copy(new QAction(icon(QStringLiteral("copy")), QString(), this)) {
    m_view->setObjectName(name + QStringLiteral("Table"));
    m_empty->setObjectName(name + QStringLiteral("Empty"));
    m_note->setObjectName(name + QStringLiteral("Note"));
    m_copy->setObjectName(name + QStringLiteral("Copy"));
    m_copy->setShortcut(QKeySequence::Copy);
    m_copy->setShortcutContext(Qt::WidgetShortcut);
    m_stack->addWidget(m_view);
    m_stack->addWidget(m_empty);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(m_note);
    layout->addWidget(m_stack, 1);
    connect(m_copy, &QAction::triggered, m_view, [this] { copySelectedRows(*m_view); });
}

void TablePanel::setUp(TimedTableModel& model, int sorted, const WidestColumn& widest) {
    m_model = &model;
    m_widest = widest;
    m_shown.setSourceModel(m_model);
    m_shown.setSortRole(TimedTableModel::SortRole);
    m_shown.setSortCaseSensitivity(Qt::CaseInsensitive);
    m_shown.setFilterKeyColumn(-1);
    m_shown.setFilterCaseSensitivity(Qt::CaseInsensitive);
    m_view->setModel(&m_shown);
    showAsRows(*m_view);
    m_view->horizontalHeader()->setSortIndicator(sorted, Qt::AscendingOrder);
    m_view->setSortingEnabled(true);
    connect(m_view->horizontalHeader(), &QHeaderView::sectionResized, this, [this](int column) {
        if (column != m_widest.column)
            fitWidest();
    });
    m_view->viewport()->installEventFilter(this);
    m_view->addAction(m_copy);
    m_view->setContextMenuPolicy(Qt::ActionsContextMenu);
    for (int column = 0; column < m_model->columnCount(); ++column)
        m_view->setColumnWidth(column, 0);
    keepTranslated(*this, [this] { retranslate(); });
}

void TablePanel::retranslate() {
    constexpr int arrowRoom = 16;
    m_model->retranslate();
    m_view->setAccessibleName(accessibleTitle());
    m_view->setWhatsThis(helpTip(help()));
    m_empty->setWhatsThis(helpTip(help()));
    m_copy->setText(tr("&Copy rows"));
    for (int column = 0; column < m_model->columnCount(); ++column)
        widenColumn(*m_view, column, m_model->headerData(column, Qt::Horizontal, Qt::DisplayRole).toString(),
                    arrowRoom);
    widenColumns();
    refresh();
}

void TablePanel::fitWidest() {
    constexpr int iconRoom = 44;
    const int others = m_view->horizontalHeader()->length() - m_view->columnWidth(m_widest.column);
    const int least = m_view->fontMetrics().horizontalAdvance(m_widest.least) + iconRoom;
    m_view->setColumnWidth(m_widest.column, std::max(m_view->viewport()->width() - others, least));
}

bool TablePanel::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::Resize)
        fitWidest();
    return QWidget::eventFilter(watched, event);
}

void TablePanel::follow(const ConnectionStatus& status) {
    m_phase = status.phase;
    m_model->refreshAll();
    refresh();
}

bool TablePanel::isConnected() const {
    return m_phase == ConnectionPhase::Connected || m_phase == ConnectionPhase::Reconnecting;
}

void TablePanel::refresh() {
    const bool isEmpty = m_model->rowCount() == 0;
    m_empty->setText(emptyText());
    m_stack->setCurrentWidget(isEmpty ? static_cast<QWidget*>(m_empty) : m_view);
    m_note->setMessage(isEmpty ? Message() : note());
}

}  // namespace lockkeeper::ui

#include "moc_tablepanel.cpp"
