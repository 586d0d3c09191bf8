// SPDX-License-Identifier: Apache-2.0
#include "ui/locks/synchronizers/synchronizerpanel.h"

#include "ui/base/helptip.h"
#include "ui/base/retranslating.h"
#include "ui/base/rowview.h"
#include "ui/help/helptexts.h"
#include "ui/words/diagnosistext.h"
#include "ui/words/locktext.h"
#include "ui/words/synchronizertext.h"
#include "ui/words/timetext.h"

#include <QAction>
#include <QItemSelectionModel>
#include <QTableView>

#include <algorithm>

namespace lockkeeper::ui {

SynchronizerPanel::SynchronizerPanel(const ViewTime& time, QWidget* parent)
    : TablePanel(QStringLiteral("synchronizer"), parent), m_giveBack(new QAction(this)), m_time(time), m_model(time) {
    m_giveBack->setObjectName(QStringLiteral("synchronizerGiveBack"));
    setUp(m_model, SynchronizerModel::Name, {SynchronizerModel::Name, QStringLiteral("permits:{12345}")});
    view().addAction(m_giveBack);
    connect(m_giveBack, &QAction::triggered, this, [this] {
        if (const monitor::Synchronizer* semaphore = current())
            Q_EMIT giveBackWanted(*semaphore);
    });
    connect(view().selectionModel(), &QItemSelectionModel::currentRowChanged, this, &SynchronizerPanel::updateActions);
    keepTranslated(*this, [this] {
        m_giveBack->setText(tr("&Return a permit…"));
        updateActions();
    });
}

const monitor::Synchronizer* SynchronizerPanel::current() const {
    const QModelIndex index = view().currentIndex();
    return index.isValid() ? &m_model.at(shown().mapToSource(index).row()) : nullptr;
}

void SynchronizerPanel::updateActions() {
    const monitor::Synchronizer* semaphore = current();
    const bool isOver = semaphore && !semaphore->isLeftOver() && !overLeases(*semaphore, m_time).empty();
    m_giveBack->setEnabled(isOver);
    m_giveBack->setToolTip(isOver ? QString() : helpTip(tr("No lease of its permits is over.")));
}

void SynchronizerPanel::widenColumns() {
    for (const auto kind : {monitor::SynchronizerKind::Semaphore, monitor::SynchronizerKind::CountDownLatch,
                            monitor::SynchronizerKind::Unknown})
        widenColumn(view(), SynchronizerModel::Kind, kindText(kind));
    widenColumn(view(), SynchronizerModel::Leased, longestLeasedText());
    widenColumn(view(), SynchronizerModel::DiagnosisColumn, diagnosisTitle(monitor::DiagnosisKind::PermitLeaseOver));
}

void SynchronizerPanel::apply(const monitor::MonitorBatch& batch) {
    if (batch.reset)
        clear();
    if (!batch.synchronizers)
        return;
    m_reading = *batch.synchronizers;
    m_model.apply(m_reading.seen);
    refresh();
    updateActions();
}

void SynchronizerPanel::clear() {
    m_reading = {};
    m_model.apply({});
    refresh();
}

std::vector<monitor::Synchronizer> SynchronizerPanel::shownSynchronizers() const {
    std::vector<monitor::Synchronizer> synchronizers;
    const QSortFilterProxyModel& rows = shown();
    for (int row = 0; row < rows.rowCount(); ++row)
        synchronizers.push_back(m_model.at(rows.mapToSource(rows.index(row, 0)).row()));
    return synchronizers;
}

QString SynchronizerPanel::accessibleTitle() const {
    return tr("Semaphores and latches");
}

QString SynchronizerPanel::help() const {
    return synchronizersHelp();
}

QString SynchronizerPanel::emptyText() const {
    if (m_reading.sight == monitor::SynchronizerReading::Sight::Refused)
        return tr(
            "The server does not let this user see who waits for a semaphore or a latch. The status bar shows "
            "what was refused.");
    const QString headline = isConnected() ? tr("No semaphore and no latch is known.") : tr("Not connected.");
    return headline + QStringLiteral("\n\n") + synchronizersHelp();
}

Message SynchronizerPanel::note() const {
    if (!m_time.isLive())
        return {Tone::Warning, oldText(m_time)};
    QStringList notes;
    if (m_reading.isCutOff())
        notes << tr("Read: %1 of %2.")
                     .arg(numberText(static_cast<qint64>(m_reading.seen.size())), numberText(m_reading.inAll));
    if (const auto leftOver = std::ranges::count_if(m_reading.seen, &monitor::Synchronizer::isLeftOver); leftOver > 0)
        notes << tr("%Ln set(s) of leases left over: the semaphore was deleted, and its leases were not.", nullptr,
                    static_cast<int>(leftOver));
    return notes.isEmpty() ? Message() : Message{Tone::Info, sentencesText(notes)};
}

}  // namespace lockkeeper::ui

#include "moc_synchronizerpanel.cpp"
