// SPDX-License-Identifier: Apache-2.0
#include "ui/nodes/nodepanel.h"

#include "ui/help/helptexts.h"
#include "ui/help/helptip.h"
#include "ui/look/icons.h"
#include "ui/look/plainlabel.h"
#include "ui/look/retranslating.h"
#include "ui/look/rowview.h"
#include "ui/message/inlinemessage.h"
#include "ui/words/nodetext.h"
#include "ui/words/timetext.h"

#include <QAction>
#include <QHeaderView>
#include <QLabel>
#include <QStackedWidget>
#include <QTableView>
#include <QVBoxLayout>

namespace lockkeeper::ui {

NodePanel::NodePanel(const ViewTime& time, QWidget* parent)
    : QWidget(parent),
      m_time(time),
      m_model(time),
      m_note(new InlineMessage(this)),
      m_stack(new QStackedWidget(this)),
      m_view(new QTableView(this)),
      m_empty(emptyPanelLabel(this)),
      m_copy(new QAction(icon(QStringLiteral("copy")), QString(), this)) {
    m_shown.setSourceModel(&m_model);
    m_shown.setSortRole(NodeModel::SortRole);
    makeView();
    m_note->setObjectName(QStringLiteral("nodeNote"));
    m_empty->setObjectName(QStringLiteral("nodesEmpty"));
    m_stack->addWidget(m_view);
    m_stack->addWidget(m_empty);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(m_note);
    layout->addWidget(m_stack, 1);
    for (int column = 0; column < NodeModel::ColumnCount; ++column)
        m_view->setColumnWidth(column, 0);
    keepTranslated(*this, [this] { retranslate(); });
}

void NodePanel::makeView() {
    m_view->setObjectName(QStringLiteral("nodeTable"));
    m_view->setModel(&m_shown);
    showAsRows(*m_view);
    m_view->setTextElideMode(Qt::ElideRight);
    QHeaderView& header = *m_view->horizontalHeader();
    header.setSortIndicator(NodeModel::Address, Qt::AscendingOrder);
    m_view->setSortingEnabled(true);
    header.setSectionResizeMode(NodeModel::State, QHeaderView::Stretch);
    m_copy->setObjectName(QStringLiteral("copyNodes"));
    m_copy->setShortcut(QKeySequence::Copy);
    m_copy->setShortcutContext(Qt::WidgetShortcut);
    m_view->addAction(m_copy);
    m_view->setContextMenuPolicy(Qt::ActionsContextMenu);
    connect(m_copy, &QAction::triggered, m_view, [this] { copySelectedRows(*m_view); });
    connect(m_view, &QTableView::activated, this, &NodePanel::chooseNode);
}

void NodePanel::retranslate() {
    m_model.retranslate();
    m_view->setAccessibleName(tr("Nodes of the Cluster"));
    m_view->setWhatsThis(helpTip(nodesHelp()));
    m_empty->setWhatsThis(helpTip(nodesHelp()));
    m_copy->setText(tr("&Copy rows"));
    widenColumns();
    refresh();
}

void NodePanel::widenColumns() {
    constexpr int arrowRoom = 16;
    for (int column = 0; column < NodeModel::ColumnCount; ++column)
        widenColumn(*m_view, column, m_model.headerData(column, Qt::Horizontal, Qt::DisplayRole).toString(), arrowRoom);
    widenColumn(*m_view, NodeModel::Address, QStringLiteral("192.168.100.100:17000"));
    monitor::NodeStatus busy;
    busy.readsPerSecond = 1000;
    busy.readBudgetPerSecond = 1000;
    busy.replicas.emplace(QList<redis::Replica>(12, {QString(), 1000'000'000}));
    widenColumn(*m_view, NodeModel::Role, roleText(busy));
    widenColumn(*m_view, NodeModel::Lag, lagText(busy));
    widenColumn(*m_view, NodeModel::Reads, readsText(busy));
}

void NodePanel::apply(const monitor::MonitorBatch& batch) {
    if (batch.reset)
        clear();
    if (!batch.stats)
        return;
    m_model.apply(batch.stats->nodes);
    refresh();
}

void NodePanel::follow(const ConnectionStatus& status) {
    m_phase = status.phase;
    m_model.refreshAll();
    refresh();
}

void NodePanel::clear() {
    m_model.apply({});
    refresh();
}

void NodePanel::refresh() {
    const bool connected = m_phase == ConnectionPhase::Connected || m_phase == ConnectionPhase::Reconnecting;
    const QString headline = connected ? tr("This server is not part of a Cluster.") : tr("Not connected.");
    m_empty->setText(headline + QStringLiteral("\n\n") + nodesHelp());
    const bool isEmpty = m_model.rowCount() == 0;
    m_stack->setCurrentWidget(isEmpty ? static_cast<QWidget*>(m_empty) : m_view);
    m_note->setMessage({Tone::Warning, isEmpty ? QString() : oldText(m_time)});
}

void NodePanel::chooseNode(const QModelIndex& index) {
    Q_EMIT locksWanted(index.siblingAtColumn(NodeModel::Address).data().toString());
}

}  // namespace lockkeeper::ui

#include "moc_nodepanel.cpp"
