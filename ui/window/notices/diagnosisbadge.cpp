// SPDX-License-Identifier: Apache-2.0
#include "ui/window/notices/diagnosisbadge.h"

#include "ui/base/icons.h"
#include "ui/base/retranslating.h"
#include "ui/base/storedvalues.h"
#include "ui/window/notices/badgedicon.h"

#include <QAction>
#include <QMenu>
#include <QSettings>
#include <QSystemTrayIcon>

namespace lockkeeper::ui {

namespace {

const auto trayKey = QStringLiteral("tray/shown");

}  // namespace

DiagnosisBadge::Tray DiagnosisBadge::trayOfDesktop() {
    return QSystemTrayIcon::isSystemTrayAvailable() ? Tray::Available : Tray::Missing;
}

DiagnosisBadge::DiagnosisBadge(QSettings& settings, Tray tray, QAction& noticeHistory, QWidget& window)
    : QObject(&window),
      m_settings(settings),
      m_tray(tray),
      m_window(window),
      m_menu(new QMenu(&window)),
      m_show(new QAction(this)),
      m_quit(new QAction(this)),
      m_trayIcon(new QSystemTrayIcon(this)) {
    m_trayIcon->setObjectName(QStringLiteral("trayIcon"));
    makeMenu(noticeHistory);
    connect(m_trayIcon, &QSystemTrayIcon::activated, this, [this](QSystemTrayIcon::ActivationReason reason) {
        if (reason == QSystemTrayIcon::Trigger)
            showWindow();
    });
    showCount();
    showTray();
    keepTranslated(window, [this] { retranslate(); });
}

DiagnosisBadge::~DiagnosisBadge() = default;

void DiagnosisBadge::makeMenu(QAction& noticeHistory) {
    m_menu->setObjectName(QStringLiteral("trayMenu"));
    m_show->setObjectName(QStringLiteral("trayShow"));
    m_quit->setObjectName(QStringLiteral("trayQuit"));
    m_menu->addActions({m_show, &noticeHistory});
    m_menu->addSeparator();
    m_menu->addAction(m_quit);
    m_trayIcon->setContextMenu(m_menu);
    connect(m_show, &QAction::triggered, this, &DiagnosisBadge::showWindow);
    // The window may ask what becomes of own locks, so it must be visible.
    connect(m_quit, &QAction::triggered, this, [this] {
        showWindow();
        m_window.close();
    });
}

void DiagnosisBadge::showWindow() {
    m_window.setWindowState(m_window.windowState() & ~Qt::WindowMinimized);
    m_window.show();
    m_window.raise();
    m_window.activateWindow();
}

void DiagnosisBadge::setCount(int count) {
    if (count == m_count)
        return;
    m_count = count;
    showCount();
    retranslate();
}

void DiagnosisBadge::showCount() {
    const QIcon badged = badgedIcon(applicationIcon(), m_count);
    m_window.setWindowIcon(badged);
    m_trayIcon->setIcon(badged);
}

bool DiagnosisBadge::isTrayWanted() const {
    return storedSwitch(m_settings, trayKey).value_or(hasTray());
}

void DiagnosisBadge::setTrayWanted(bool wanted) {
    m_settings.setValue(trayKey, wanted);
    showTray();
}

void DiagnosisBadge::resetTrayWanted() {
    m_settings.remove(trayKey);
    showTray();
}

void DiagnosisBadge::showTray() {
    m_trayIcon->setVisible(hasTray() && isTrayWanted());
}

void DiagnosisBadge::retranslate() {
    m_show->setText(tr("&Show the window"));
    m_quit->setText(tr("&Quit Lockkeeper"));
    m_trayIcon->setToolTip(m_count > 0 ? tr("Lockkeeper: %Ln lock(s) with a diagnosis", nullptr, m_count)
                                       : tr("Lockkeeper: no lock with a diagnosis"));
}

}  // namespace lockkeeper::ui

#include "moc_diagnosisbadge.cpp"
