// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/engine.h"
#include "profile/profilelabel.h"
#include "ui/base/theme.h"
#include "ui/operate/actionrefusals.h"
#include "ui/session/pageactions.h"

#include <QObject>

class QAction;
class QActionGroup;
class QMainWindow;
class QMenu;
class QWidget;

namespace lockkeeper::ui {

class WindowToolBar;

// The window's actions with their menus, tool bar and keys: their texts, icons and when they may be used, not what they
// do.
class WindowActions final : public QObject {
    Q_OBJECT
public:
    explicit WindowActions(QMainWindow& window);

    // Sets all texts in the present language, as if no lock were selected.
    void retranslate();
    // Adds what the page in front offers to the menus.
    void showPageActions(const PageActions& page);
    // Adds the actions about the selected lock to a view of locks: its context menu, and keys that work there alone.
    void addTo(QWidget& view);
    // What can be done to the selected lock, for buttons beside its details.
    [[nodiscard]] QList<QAction*> lockActions() const { return {m_release, m_forceRelease, m_copyReport}; }

    enum class Menu { Connection, Lock, View, Tools, Help };
    // Adds actions of the window's other parts, which set their texts themselves; before what ends the menu.
    void add(Menu menu, const QList<QAction*>& actions);

    void allow(const ActionRefusals& refusals);
    // lock: its name for the texts of the actions that break or release it; empty when none is selected.
    void nameLock(const QString& lock);
    // Shows the connection of the page in front on the tool bar.
    void showConnection(const profile::ProfileLabel& label);
    [[nodiscard]] WindowToolBar& toolBar() noexcept { return *m_toolBar; }
    // Shows the arming of the page in front on the tool bar.
    void showArming(const ConnectionStatus& status, const Arming& arming, Clock& clock);
    void checkTheme(Theme theme);
    void checkDiscovery(monitor::DiscoveryState state);

Q_SIGNALS:
    void connectWanted();
    void demoWanted();
    void labWanted();
    void disconnectWanted();
    void newTabWanted();
    void closePageWanted();
    void discoveryWanted(lockkeeper::monitor::DiscoveryState state);
    void armWanted();
    void disarmWanted();
    void rightsWanted();
    void checkWanted();
    void acquireWanted();
    void releaseWanted();
    void forceReleaseWanted();
    void wakeWaitersWanted();
    void copyNameWanted();
    void copyReportWanted();
    void filterWanted();
    void waitsWanted();
    void lookupWanted();
    void threadDumpWanted();
    void locksExportWanted();
    void eventsExportWanted();
    void synchronizersExportWanted();
    void reportExportWanted();
    void timelineExportWanted();
    void windowExportWanted();
    void noticesWanted();
    void retentionWanted();
    void themeWanted(lockkeeper::ui::Theme theme);
    void manualWanted();
    void explainWanted();
    void aboutWanted();
    void quitWanted();

private:
    [[nodiscard]] QAction* make(const QString& objectName, const QString& iconName = QString());
    void makeLockActions();
    void makeArmActions();
    void makeOtherActions();
    void makeToolActions();
    void makeExportActions();
    void makeHelpActions();
    void makeMenus();
    void makeThemeMenu();
    void makeToolBar();
    void nameMenus();
    void nameConnectionActions();
    void nameViewActions();
    void nameToolActions();
    void nameHelpActions();

    QMainWindow& m_window;
    QAction* m_connect = nullptr;
    QAction* m_demo = nullptr;
    QAction* m_lab = nullptr;
    QAction* m_disconnect = nullptr;
    QAction* m_newTab = nullptr;
    QAction* m_closePage = nullptr;
    QAction* m_pauseDiscovery = nullptr;
    QAction* m_quit = nullptr;
    QAction* m_arm = nullptr;
    QAction* m_disarm = nullptr;
    QAction* m_rights = nullptr;
    QAction* m_check = nullptr;
    QAction* m_acquire = nullptr;
    QAction* m_release = nullptr;
    QAction* m_forceRelease = nullptr;
    QAction* m_wakeWaiters = nullptr;
    QAction* m_copyName = nullptr;
    QAction* m_copyReport = nullptr;
    QAction* m_filter = nullptr;
    QAction* m_waits = nullptr;
    QAction* m_lookup = nullptr;
    QAction* m_threadDump = nullptr;
    QAction* m_exportLocks = nullptr;
    QAction* m_exportEvents = nullptr;
    QAction* m_exportSynchronizers = nullptr;
    QAction* m_exportReport = nullptr;
    QAction* m_exportTimeline = nullptr;
    QAction* m_exportWindow = nullptr;
    QAction* m_notices = nullptr;
    QAction* m_retention = nullptr;
    QAction* m_manual = nullptr;
    QAction* m_explain = nullptr;
    QAction* m_whatsThis = nullptr;
    QAction* m_about = nullptr;
    QActionGroup* m_themes = nullptr;
    WindowToolBar* m_toolBar = nullptr;
    QMenu* m_connectionMenu = nullptr;
    QMenu* m_lockMenu = nullptr;
    QMenu* m_viewMenu = nullptr;
    QMenu* m_sortMenu = nullptr;
    QMenu* m_columnMenu = nullptr;
    QMenu* m_themeMenu = nullptr;
    QMenu* m_toolsMenu = nullptr;
    QMenu* m_exportMenu = nullptr;
    QMenu* m_helpMenu = nullptr;
    QAction* m_afterPanels = nullptr;  // separators of the view menu: what the page offers stands before them
    QAction* m_afterEvents = nullptr;
    QAction* m_afterHolder = nullptr;  // likewise, of the lock menu
    QList<QAction*> m_pageActions;
    QList<QAction*> m_holderActions;
};

}  // namespace lockkeeper::ui
