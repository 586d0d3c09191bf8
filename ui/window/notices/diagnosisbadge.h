// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QObject>

class QAction;
class QMenu;
class QSettings;
class QSystemTrayIcon;
class QWidget;

namespace lockkeeper::ui {

// How many locks something may be wrong with, in all sessions: on the icon of the window, and in the system tray where
// the desktop has one and the user wants it.
class DiagnosisBadge final : public QObject {
    Q_OBJECT
public:
    enum class Tray { Available, Missing };

    [[nodiscard]] static Tray trayOfDesktop();

    // All outlive the badge.
    DiagnosisBadge(QSettings& settings, Tray tray, QAction& noticeHistory, QWidget& window);
    ~DiagnosisBadge() override;

    void setCount(int count);
    [[nodiscard]] bool hasTray() const noexcept { return m_tray == Tray::Available; }
    // Whether the settings want the icon; if nothing was chosen, whether there is a tray.
    [[nodiscard]] bool isTrayWanted() const;
    void setTrayWanted(bool wanted);
    void resetTrayWanted();

private:
    void makeMenu(QAction& noticeHistory);
    void showTray();
    void showCount();
    void showWindow();
    void retranslate();

    QSettings& m_settings;
    Tray m_tray;
    QWidget& m_window;
    int m_count = 0;
    QMenu* m_menu;
    QAction* m_show;
    QAction* m_quit;
    QSystemTrayIcon* m_trayIcon;
};

}  // namespace lockkeeper::ui
