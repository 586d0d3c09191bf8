// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/engine.h"
#include "profile/configuration/redissonconfig.h"
#include "profile/profilestore.h"

#include <QMainWindow>

class QSettings;

namespace lockkeeper::recording {
struct RecordingSource;
}

namespace lockkeeper::ui {

class Appearance;
class ClientNames;
class ConnectionController;
class ExitController;
class MessageBar;
class Recordable;
class RecordingController;
class SessionPage;
class SessionTab;
class SessionTabs;
class ShellTools;
class WindowActions;

// The program's window: a shell of session pages in tabs. Its menus and its tool bar act on the page in front;
// everything about one session is in its SessionPage.
class MainWindow final : public QMainWindow {
    Q_OBJECT
public:
    // All given outlive the window. Takes the theme and its own geometry from the settings, and leaves them there when
    // it closes.
    MainWindow(Engine& engine, Clock& clock, QSettings& settings, profile::ProfileStore& profiles,
               QWidget* parent = nullptr);
    ~MainWindow() override;

    // Connects as the command line asks: without the dialog, unless connecting fails and the user wants to edit. In a
    // tab of its own, unless the tab in front is free.
    void connectTo(const profile::ConnectionProfile& profile);
    void connectToDemo(redis::AccessMode access);
    // Opens the lab in a tab of its own. If it is open, its tab comes to the front.
    void openLab();
    // Opens the experiment in the lab.
    void openExperiment(const QByteArray& id);
    // Opens a saved connection, or a recent one. If it is open, its tab comes to the front.
    void open(const profile::StoredProfile& stored);
    // Where the audit is read from; nothing is read until the user asks.
    void setAuditFolder(const QString& folder);
    void openConnectDialog();
    void openRedissonFile(const QString& path);
    // Opens a recorded session in a tab of its own; if it cannot be opened, the tab in front says why.
    void openRecording(const QString& path);
    // A text of MONITOR or redis-cli.
    void openPastedText(const QByteArray& text);
    void openReplay(const recording::RecordingSource& source);
    // What was left out of the file that the present page's connection comes from.
    void showNotes(const QList<profile::RedissonNote>& notes);
    // Takes a picture once the first sweep is done, or the connection has failed, and ends the program: with exit code
    // 1 when the file could not be written.
    void saveScreenshotAndQuit(const QString& path);
    // Ends the program without questions, as a signal of the system wants it: own locks are released.
    void quitAtOnce();

    // The page in front; there is always one.
    [[nodiscard]] SessionPage& currentPage() const;
    // What of the page in front can be recorded: its session, or the lab.
    [[nodiscard]] Recordable& recordable() const;
    // The parts of the page in front that take the keyboard, in reading order.
    [[nodiscard]] QList<QWidget*> panes() const;
    // The message bar that is in sight.
    [[nodiscard]] MessageBar& messages() const;
    // From left to right.
    [[nodiscard]] QList<SessionPage*> pages() const;
    // Where a new connection goes: the page in front if it is free, or a new one.
    [[nodiscard]] SessionPage& pageForConnection();
    // Asks about the locks that its console holds; the last page is replaced by an empty one.
    void closePage(SessionPage& page);
    // Opens the start page in a tab of its own, if no tab shows it.
    void openStartPage();

protected:
    // The window closes once the engine has shut down, and asks first when a console holds locks.
    void closeEvent(QCloseEvent* event) override;
    bool event(QEvent* event) override;

private:
    void retranslate();
    void makeTabs();
    void makeActions();
    // Opens another view of what the page shows, with the page's color.
    void openOther(const profile::ConnectionProfile& other, const SessionPage& page);
    SessionPage& addPage();
    // The page in front if a connection may take its place; null if not.
    [[nodiscard]] SessionPage* freePage() const;
    SessionPage& addPage(SessionPage& page);
    void followStart(SessionTab& tab);
    void showConnection();
    void showArming();
    void followPage(SessionPage& page);
    void removePage(SessionPage& page, control::OwnLocksAtExit ownLocks);
    void restoreSettings();
    void saveSettings();

    void showPage();
    void showTitle();
    void showTab(const SessionPage& page);
    void updateActions();

    Engine& m_engine;
    Clock& m_clock;
    QSettings& m_settings;
    Appearance* m_appearance = nullptr;
    ClientNames* m_names = nullptr;
    SessionTabs* m_tabs = nullptr;
    WindowActions* m_actions = nullptr;
    ShellTools* m_tools = nullptr;
    ConnectionController* m_connections = nullptr;
    RecordingController* m_recordings = nullptr;
    ExitController* m_exit = nullptr;
};

}  // namespace lockkeeper::ui
