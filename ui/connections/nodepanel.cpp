// SPDX-License-Identifier: Apache-2.0
#include "ui/connections/nodepanel.h"

#include "ui/base/rowview.h"
#include "ui/connections/nodemodel.h"
#include "ui/help/helptexts.h"
#include "ui/words/nodetext.h"
#include "ui/words/timetext.h"

#include <QTableView>

namespace lockkeeper::ui {

NodePanel::NodePanel(const ViewTime& time, QWidget* parent)
    : TablePanel(QStringLiteral("node"), parent), m_time(time), m_model(time) {
    setUp(m_model, NodeModel::Address, {NodeModel::State, QStringLiteral("Not reached since 23:59:59")});
    view().setTextElideMode(Qt::ElideRight);
    connect(&view(), &QTableView::activated, this, [this](const QModelIndex& index) {
        if (m_isCluster)
            Q_EMIT locksWanted(m_model.masterOf(shown().mapToSource(index).row()));
    });
}

void NodePanel::widenColumns() {
    monitor::NodeStatus busy;
    busy.readsPerSecond = 1000;
    busy.readBudgetPerSecond = 1000;
    busy.replicas.emplace(QList<redis::Replica>(12, {QString(), 1000'000'000}));
    widenColumn(view(), NodeModel::Address, QStringLiteral("192.168.100.100:17000"));
    widenColumn(view(), NodeModel::Replicas, replicasText(busy));
    widenColumn(view(), NodeModel::Reads, readsText(busy));
}

void NodePanel::apply(const monitor::MonitorBatch& batch) {
    if (batch.reset)
        clear();
    if (!batch.changesStats())
        return;
    const monitor::MonitorStats stats = batch.stats.value_or(monitor::MonitorStats());
    m_isCluster = !stats.nodes.isEmpty();
    m_model.apply(stats.master ? QList<monitor::NodeStatus>{*stats.master} : stats.nodes);
    refresh();
}

void NodePanel::clear() {
    m_model.apply({});
    refresh();
}

QString NodePanel::accessibleTitle() const {
    return tr("Nodes");
}

QString NodePanel::help() const {
    return nodesHelp();
}

QString NodePanel::emptyText() const {
    const QString headline = isConnected() ? tr("Nothing is known of the nodes yet.") : tr("Not connected.");
    return headline + QStringLiteral("\n\n") + nodesHelp();
}

Message NodePanel::note() const {
    return {Tone::Warning, oldText(m_time)};
}

}  // namespace lockkeeper::ui

#include "moc_nodepanel.cpp"
