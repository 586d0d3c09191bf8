// SPDX-License-Identifier: Apache-2.0
#include "ui/locks/synchronizers/synchronizerpanel.h"

#include "ui/base/rowview.h"
#include "ui/help/helptexts.h"
#include "ui/words/locktext.h"
#include "ui/words/synchronizertext.h"
#include "ui/words/timetext.h"

#include <QTableView>

namespace lockkeeper::ui {

SynchronizerPanel::SynchronizerPanel(const ViewTime& time, QWidget* parent)
    : TablePanel(QStringLiteral("synchronizer"), parent), m_time(time), m_model(time) {
    setUp(m_model, SynchronizerModel::Name, {SynchronizerModel::Name, QStringLiteral("permits:{12345}")});
}

void SynchronizerPanel::widenColumns() {
    for (const auto kind : {monitor::SynchronizerKind::Semaphore, monitor::SynchronizerKind::CountDownLatch,
                            monitor::SynchronizerKind::Unknown})
        widenColumn(view(), SynchronizerModel::Kind, kindText(kind));
    widenColumn(view(), SynchronizerModel::Leased, longestLeasedText());
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
    return tr("Semaphores and latches that somebody waits for");
}

QString SynchronizerPanel::help() const {
    return synchronizersHelp();
}

QString SynchronizerPanel::emptyText() const {
    if (m_reading.sight == monitor::SynchronizerReading::Sight::Refused)
        return tr(
            "The server does not let this user see who waits for a semaphore or a latch. The status bar shows "
            "what was refused.");
    const QString headline = isConnected() ? tr("Nobody waits for a semaphore or a latch.") : tr("Not connected.");
    return headline + QStringLiteral("\n\n") + synchronizersHelp();
}

Message SynchronizerPanel::note() const {
    if (!m_time.isLive())
        return {Tone::Warning, oldText(m_time)};
    if (!m_reading.isCutOff())
        return {};
    return {Tone::Info,
            tr("Read: %1 of %2 that somebody waits for")
                .arg(numberText(static_cast<qint64>(m_reading.seen.size())), numberText(m_reading.waitedFor))};
}

}  // namespace lockkeeper::ui

#include "moc_synchronizerpanel.cpp"
