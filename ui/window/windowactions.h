#pragma once

#include "monitor/model/monitorbatch.h"
#include "ui/theme.h"
#include "ui/window/actionrefusals.h"

#include <QObject>

class QAction;
class QActionGroup;
class QMainWindow;
class QMenu;
class QWidget;

namespace lockkeeper::ui {

// The window's actions with their menus, tool bar and keys. Knows how each looks and when it may be used, not what it
// does.
class WindowActions final : public QObject {
    Q_OBJECT
public:
    explicit WindowActions(QMainWindow& window);

    // sortActions: one a column. panelActions: show or hide a dock. eventActions: what the event log offers.
    void makeMenus(const QList<QAction*>& sortActions, const QList<QAction*>& panelActions,
                   const QList<QAction*>& eventActions);
    void makeToolBar();
    // The same actions on the table itself, by right click and by keys that work there alone.
    void addTo(QWidget& table);

    void allow(const ActionRefusals& refusals);
    // lock: its name for the texts of the actions that break or release it; empty when none is selected.
    void nameLock(const QString& lock);
    void checkTheme(Theme theme);
    void checkDiscovery(monitor::DiscoveryState state);

Q_SIGNALS:
    void connectWanted();
    void demoWanted();
    void disconnectWanted();
    void discoveryWanted(lockkeeper::monitor::DiscoveryState state);
    void acquireWanted();
    void releaseWanted();
    void forceReleaseWanted();
    void copyNameWanted();
    void filterWanted();
    void waitsWanted();
    void lookupWanted();
    void locksExportWanted();
    void eventsExportWanted();
    void synchronizersExportWanted();
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
    [[nodiscard]] QAction* make(const QString& objectName, const QString& iconName, const QString& text,
                                const QString& shortText);
    void makeLockActions();
    void makeOtherActions();
    void makeToolActions();
    void makeExportActions();
    void makeToolsMenu(QMenu& tools);
    void makeHelpActions();
    void makeThemeMenu(QMenu& view);

    QMainWindow& m_window;
    QAction* m_connect = nullptr;
    QAction* m_demo = nullptr;
    QAction* m_disconnect = nullptr;
    QAction* m_pauseDiscovery = nullptr;
    QAction* m_quit = nullptr;
    QAction* m_acquire = nullptr;
    QAction* m_release = nullptr;
    QAction* m_forceRelease = nullptr;
    QAction* m_copyName = nullptr;
    QAction* m_filter = nullptr;
    QAction* m_waits = nullptr;
    QAction* m_lookup = nullptr;
    QList<QAction*> m_exports;
    QAction* m_notices = nullptr;
    QAction* m_retention = nullptr;
    QAction* m_manual = nullptr;
    QAction* m_explain = nullptr;
    QAction* m_whatsThis = nullptr;
    QAction* m_about = nullptr;
    QActionGroup* m_themes = nullptr;
};

}  // namespace lockkeeper::ui
