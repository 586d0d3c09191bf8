// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/window/settings/settingscontroller.h"
#include "ui/window/windowactions.h"

#include <QObject>
#include <QPointer>

class QAction;
class QSettings;

namespace lockkeeper::ui {

class Appearance;
class AuditDialog;
class ClientNames;
class DiagnosisBadge;
class KnownConnections;
class MainWindow;
class NoticeChoice;
class NoticeController;
class NoticeHistory;
class NoticeHistoryDialog;
class PaletteController;
class ProfileExchange;
class RetentionController;
class SessionPage;
class SessionTabs;
class ShortcutsDialog;

// What the window's tools work with. All of it outlives them.
struct ShellContext {
    Engine& engine;  // of the live sessions
    WindowActions& actions;
    Appearance& appearance;
    KnownConnections& known;
    SessionTabs& tabs;
    ClientNames& names;
    Clock& clock;
    QSettings& settings;
};

// What the window offers beyond a session, each with an action in its menus.
class ShellTools final : public QObject {
    Q_OBJECT
public:
    ShellTools(const ShellContext& context, MainWindow& window);

    // What this page reports is used by the whole program.
    void follow(SessionPage& page);
    // Buttons in the details of a lock.
    [[nodiscard]] QList<QAction*> lockActions() const { return {m_openAuditOfLock}; }
    [[nodiscard]] const QString& auditFolder() const noexcept { return m_auditFolder; }
    void setAuditFolder(const QString& folder) { m_auditFolder = folder; }
    // Names clients in the audit as in the session in front. To be called after another session has come to the
    // front.
    void nameClients();

private:
    void makeActions();
    void addToMenus(WindowActions& actions) const;
    void followHolders(SessionPage& page);
    // Begins to notify of what happens in this session.
    void addNotices(SessionPage& page);
    void followSettings();
    void openSettings(SettingsController::Subject subject);
    void openShortcuts();
    void openAudit();
    void openNotices();
    // Shows the lock in the open session of that server.
    void goToLock(const QString& server, const LockName& name);
    // Opens the audit of the selected lock.
    void openAuditOfLock();
    void countDiagnoses();
    // Does this to every session.
    void withPages(const std::function<void(SessionPage&)>& work) const;
    void resetArrangement();
    void retranslate();
    // run: a member of this class or of one of its parts.
    template <typename Receiver, typename Slot>
    [[nodiscard]] QAction* make(const char* objectName, const QKeySequence& key, Receiver* receiver, Slot run);

    MainWindow& m_window;
    SessionTabs& m_tabs;
    FileThread& m_files;
    Clock& m_clock;
    DiagnosisBadge* m_badge = nullptr;
    SettingsController* m_settings = nullptr;
    PaletteController* m_palette;
    ProfileExchange* m_exchange;
    NoticeChoice* m_noticeChoice;
    NoticeHistory* m_notices;
    QHash<const SessionPage*, NoticeController*> m_noticesOf;
    RetentionController* m_retention;
    QString m_auditFolder;
    QPointer<ShortcutsDialog> m_shortcuts;
    QPointer<AuditDialog> m_audit;
    QPointer<NoticeHistoryDialog> m_noticeDialog;
    QAction* m_openNotices = nullptr;
    QAction* m_resetArrangement = nullptr;
    QAction* m_exportProfiles = nullptr;
    QAction* m_importProfiles = nullptr;
    QAction* m_openAudit = nullptr;
    QAction* m_openAuditOfLock = nullptr;
    QAction* m_openSettings = nullptr;
    QAction* m_openPalette = nullptr;
    QAction* m_openShortcuts = nullptr;
    QAction* m_nextPane = nullptr;
    QAction* m_previousPane = nullptr;
    QAction* m_contextMenu = nullptr;
};

}  // namespace lockkeeper::ui
