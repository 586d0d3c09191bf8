// SPDX-License-Identifier: Apache-2.0
#include "ui/synchronizers/synchronizerpanel.h"

#include "ui/help/helptexts.h"
#include "ui/help/helptip.h"
#include "ui/look/icons.h"
#include "ui/look/plainlabel.h"
#include "ui/look/retranslating.h"
#include "ui/look/rowview.h"
#include "ui/message/inlinemessage.h"
#include "ui/words/locktext.h"
#include "ui/words/synchronizertext.h"
#include "ui/words/timetext.h"

#include <QAction>
#include <QHeaderView>
#include <QLabel>
#include <QStackedWidget>
#include <QTableView>
#include <QVBoxLayout>

namespace lockkeeper::ui {

SynchronizerPanel::SynchronizerPanel(const ViewTime& time, QWidget* parent)
    : QWidget(parent),
      m_time(time),
      m_model(time),
      m_note(new InlineMessage(this)),
      m_stack(new QStackedWidget(this)),
      m_view(new QTableView(this)),
      m_empty(emptyPanelLabel(this)),
      m_copy(new QAction(icon(QStringLiteral("copy")), QString(), this)) {
    m_shown.setSourceModel(&m_model);
    m_shown.setSortRole(SynchronizerModel::SortRole);
    m_shown.setSortCaseSensitivity(Qt::CaseInsensitive);
    makeView();
    m_empty->setObjectName(QStringLiteral("synchronizersEmpty"));
    m_note->setObjectName(QStringLiteral("synchronizerNote"));
    m_stack->addWidget(m_view);
    m_stack->addWidget(m_empty);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(m_note);
    layout->addWidget(m_stack, 1);
    for (int column = 0; column < SynchronizerModel::ColumnCount; ++column)
        m_view->setColumnWidth(column, 0);
    keepTranslated(*this, [this] { retranslate(); });
}

void SynchronizerPanel::retranslate() {
    m_model.retranslate();
    m_view->setAccessibleName(tr("Semaphores and latches that somebody waits for"));
    m_view->setWhatsThis(helpTip(synchronizersHelp()));
    m_empty->setWhatsThis(helpTip(synchronizersHelp()));
    m_copy->setText(tr("&Copy rows"));
    widenColumns();
    refresh();
}

void SynchronizerPanel::widenColumns() {
    constexpr int arrowRoom = 16;
    for (int column = 0; column < SynchronizerModel::ColumnCount; ++column)
        widenColumn(*m_view, column, m_model.headerData(column, Qt::Horizontal, Qt::DisplayRole).toString(), arrowRoom);
    for (const auto kind : {monitor::SynchronizerKind::Semaphore, monitor::SynchronizerKind::CountDownLatch,
                            monitor::SynchronizerKind::Unknown})
        widenColumn(*m_view, SynchronizerModel::Kind, kindText(kind));
    widenColumn(*m_view, SynchronizerModel::Leased, longestLeasedText());
}

void SynchronizerPanel::makeView() {
    m_view->setObjectName(QStringLiteral("synchronizerTable"));
    m_view->setModel(&m_shown);
    showAsRows(*m_view);
    QHeaderView& header = *m_view->horizontalHeader();
    header.setSortIndicator(SynchronizerModel::Name, Qt::AscendingOrder);
    m_view->setSortingEnabled(true);
    header.setSectionResizeMode(SynchronizerModel::Name, QHeaderView::Stretch);
    // So much of a name stays in sight; beyond that the table scrolls sideways.
    header.setMinimumSectionSize(m_view->fontMetrics().horizontalAdvance(QStringLiteral("permits:{12345}")));
    m_copy->setObjectName(QStringLiteral("copySynchronizers"));
    m_copy->setShortcut(QKeySequence::Copy);
    m_copy->setShortcutContext(Qt::WidgetShortcut);
    m_view->addAction(m_copy);
    m_view->setContextMenuPolicy(Qt::ActionsContextMenu);
    connect(m_copy, &QAction::triggered, m_view, [this] { copySelectedRows(*m_view); });
}

void SynchronizerPanel::apply(const monitor::MonitorBatch& batch) {
    if (batch.reset)
        clear();
    if (!batch.synchronizers)
        return;
    m_reading = *batch.synchronizers;
    m_model.apply(m_reading.seen);
    refresh();
}

void SynchronizerPanel::follow(const ConnectionStatus& status) {
    m_phase = status.phase;
    m_model.refreshAll();
    refresh();
}

void SynchronizerPanel::clear() {
    m_reading = {};
    m_model.apply({});
    refresh();
}

std::vector<monitor::Synchronizer> SynchronizerPanel::shownSynchronizers() const {
    std::vector<monitor::Synchronizer> shown;
    for (int row = 0; row < m_shown.rowCount(); ++row)
        shown.push_back(m_model.at(m_shown.mapToSource(m_shown.index(row, 0)).row()));
    return shown;
}

void SynchronizerPanel::refresh() {
    m_empty->setText(emptyText());
    m_stack->setCurrentWidget(m_model.rowCount() == 0 ? static_cast<QWidget*>(m_empty) : m_view);
    m_note->setMessage({m_time.isLive() ? Tone::Info : Tone::Warning, noteText()});
}

QString SynchronizerPanel::emptyText() const {
    if (m_reading.sight == monitor::SynchronizerReading::Sight::Refused)
        return tr(
            "The server does not let this user see who waits for a semaphore or a latch. The status bar shows "
            "what was refused.");
    const bool connected = m_phase == ConnectionPhase::Connected || m_phase == ConnectionPhase::Reconnecting;
    const QString headline = connected ? tr("Nobody waits for a semaphore or a latch.") : tr("Not connected.");
    return headline + QStringLiteral("\n\n") + synchronizersHelp();
}

QString SynchronizerPanel::noteText() const {
    if (m_model.rowCount() == 0)
        return {};
    if (!m_time.isLive())
        return oldText(m_time);
    if (!m_reading.isCutOff())
        return {};
    return tr("Read: %1 of %2 that somebody waits for")
        .arg(numberText(static_cast<qint64>(m_reading.seen.size())), numberText(m_reading.waitedFor));
}

}  // namespace lockkeeper::ui

#include "moc_synchronizerpanel.cpp"
