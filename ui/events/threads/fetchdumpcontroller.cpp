// SPDX-License-Identifier: Apache-2.0
#include "ui/events/threads/fetchdumpcontroller.h"

namespace lockkeeper::ui {

FetchDumpController::FetchDumpController(SessionLink& link, const Clock& clock, QWidget& window)
    : QObject(&window), m_link(link), m_clock(clock), m_window(window) {
    m_link.onReport<ProcessesFound>(this, &FetchDumpController::onProcesses);
    m_link.onReport<DumpsTaken>(this, &FetchDumpController::onDumps);
    m_link.onReport<FirstDumpTaken>(this, [this](FirstDumpTaken taken) {
        if (m_dialog && m_running == taken.operation)
            m_dialog->showFirstTaken();
    });
    m_link.onReport<SessionClosed>(this, [this](SessionClosed) {
        if (m_dialog && std::exchange(m_running, std::nullopt))
            m_dialog->showFailure(notConnected());
    });
}

void FetchDumpController::open(const FetchSubject& subject) {
    if (m_dialog) {
        m_dialog->raise();
        return m_dialog->activateWindow();
    }
    m_client = subject.client;
    m_dialog = new FetchDumpDialog(subject, &m_window);
    m_dialog->setObjectName(QStringLiteral("fetchDumpDialog"));
    m_dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(m_dialog, &FetchDumpDialog::searchWanted, this,
            [this](const jvm::ProcessSearch& search) { request(search); });
    connect(m_dialog, &FetchDumpDialog::dumpWanted, this, [this](const jvm::DumpOrder& order) { request(order); });
    connect(m_dialog, &FetchDumpDialog::cancelWanted, this, [this] {
        if (m_running)
            m_link.request(CancelOperation{*m_running});
    });
    connect(m_dialog, &FetchDumpDialog::fileWanted, this, [this] {
        m_dialog->close();
        Q_EMIT fileWanted();
    });
    m_dialog->open();
}

void FetchDumpController::request(const SessionRequest& wanted) {
    const auto* order = std::get_if<jvm::DumpOrder>(&wanted);
    const bool isDemo = order && std::holds_alternative<jvm::DemoDump>(order->way);
    m_by = isDemo ? jvm::ClientBy::User : jvm::ClientBy::Asked;
    m_askedAt = m_clock.wallNow();
    m_running = m_link.request(wanted);
}

void FetchDumpController::onProcesses(const ProcessesFound& found) {
    if (m_running != found.operation)
        return;
    m_running.reset();
    if (!m_dialog)
        return;
    if (found.processes)
        m_dialog->showProcesses(*found.processes);
    else
        m_dialog->showFailure(found.processes.error());
}

void FetchDumpController::onDumps(const DumpsTaken& taken) {
    if (m_running != taken.operation)
        return;
    m_running.reset();
    if (!m_dialog)
        return;
    if (!taken.dumps)
        return m_dialog->showFailure(taken.dumps.error());
    m_dialog->accept();
    Q_EMIT dumpsTaken({*taken.dumps, m_client, m_askedAt, m_clock.wallNow(), m_by});
}

}  // namespace lockkeeper::ui

#include "moc_fetchdumpcontroller.cpp"
