// SPDX-License-Identifier: Apache-2.0
#include "ui/window/exitcontroller.h"

#include "ui/session/sessionpage.h"
#include "ui/window/exitdialog.h"
#include "ui/window/mainwindow.h"

#include <QApplication>
#include <QSessionManager>
#include <QStatusBar>

#include <algorithm>

namespace lockkeeper::ui {

ExitController::ExitController(Engine& engine, MainWindow& window)
    : QObject(&window), m_engine(engine), m_window(window) {
    connect(&m_engine, &Engine::shutDownFinished, this, &ExitController::onShutDown);
    connect(
        qApp, &QGuiApplication::commitDataRequest, this,
        [this](QSessionManager& session) {
            if (holdsUpLogout(session.allowsInteraction()))
                session.cancel();
        },
        Qt::DirectConnection);
}

bool ExitController::holdsUpLogout(bool mayAsk) {
    if (m_phase != Phase::No || !hasOwnLocks())
        return false;
    if (!mayAsk) {
        quitAtOnce();
        return false;
    }
    if (!m_dialog)
        ask(nullptr);
    return true;
}

bool ExitController::mayClose() {
    if (m_phase == Phase::Done)
        return true;
    if (m_phase == Phase::ShuttingDown || m_dialog)
        return false;
    if (hasOwnLocks())
        ask(nullptr);
    else
        shutDown(control::OwnLocksAtExit::Release);
    return false;
}

void ExitController::quitAtOnce() {
    if (m_phase == Phase::No)
        shutDown(control::OwnLocksAtExit::Release);
}

void ExitController::askAboutLocksOf(SessionPage& page) {
    if (!m_dialog)
        ask(&page);
}

void ExitController::ask(SessionPage* page) {
    m_page = page;
    m_dialog = new ExitDialog(page ? ExitDialog::Leaving::Connection : ExitDialog::Leaving::Program, &m_window);
    m_dialog->setObjectName(QStringLiteral("exitDialog"));
    m_dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(m_dialog, &ExitDialog::chosen, this, [this, page](control::OwnLocksAtExit ownLocks) {
        if (page)
            Q_EMIT answered(page, ownLocks);
        else
            shutDown(ownLocks);
    });
    update();
    m_dialog->open();
}

void ExitController::update() {
    if (!m_dialog)
        return;
    const QList<SessionPage*> asked = m_page ? QList<SessionPage*>{m_page} : m_window.pages();
    QList<ExitDialog::HeldAt> held;
    bool isLive = true;
    for (const SessionPage* page : asked) {
        if (page->ownLocks().isEmpty())
            continue;
        held << ExitDialog::HeldAt{page->label(), page->server(), page->ownLocks()};
        isLive = isLive && page->isLive();
    }
    m_dialog->setLocks(held, isLive ? ExitDialog::Connection::Live : ExitDialog::Connection::Lost);
}

void ExitController::retranslate() {
    if (m_phase == Phase::ShuttingDown)
        showClosing();
}

bool ExitController::hasOwnLocks() const {
    return std::ranges::any_of(m_window.pages(), [](const SessionPage* page) { return !page->ownLocks().isEmpty(); });
}

void ExitController::shutDown(control::OwnLocksAtExit ownLocks) {
    m_phase = Phase::ShuttingDown;
    m_window.setEnabled(false);
    m_releasing = ownLocks == control::OwnLocksAtExit::Release && hasOwnLocks();
    showClosing();
    m_engine.shutDown(ownLocks);
}

void ExitController::onShutDown() {
    m_phase = Phase::Done;
    if (m_exitCode != 0)
        QApplication::exit(m_exitCode);
    m_window.close();
}

void ExitController::showClosing() {
    m_window.currentPage().statusBar()->showMessage(m_releasing ? tr("Releasing locks and closing …")
                                                                : tr("Closing …"));
}

}  // namespace lockkeeper::ui

#include "moc_exitcontroller.cpp"
