#pragma once

#include "engine/engine.h"
#include "ui/events/eventlogmodel.h"
#include "ui/table/locktablemodel.h"
#include "ui/theme.h"
#include "ui/time/viewtime.h"

#include <QMainWindow>
#include <QPointer>

class QSettings;

namespace lockkeeper::ui {

class ConnectionBanner;
class ConnectionDesk;
class ExitDialog;
class ForceReleaseDialog;
class HolderDesk;
class LocksPage;
class MessageBar;
class OperationDesk;
class StatusBar;
class WindowActions;
class WindowDocks;

// The program's window: shows what the engine says, and hands it what the operator wishes.
class MainWindow final : public QMainWindow {
    Q_OBJECT
public:
    // All given outlive the window. Takes the theme and its own geometry from the settings, and leaves them there when
    // it closes.
    MainWindow(Engine& engine, Clock& clock, QSettings& settings, QWidget* parent = nullptr);
    ~MainWindow() override;

    // As from the command line: no dialog, unless it fails and the user wants to edit.
    void connectTo(const profile::ConnectionProfile& profile);
    void connectToDemo(redis::AccessMode access);
    void openConnectDialog();
    // Takes a picture once the first sweep is done, or the connection has failed, and ends the program: with exit code
    // 1 when the file could not be written.
    void saveScreenshotAndQuit(const QString& path);
    // Without questions, as a signal of the system wants it: own locks are released.
    void quitAtOnce();

protected:
    // The window closes once the engine has shut down, and asks first when this console holds locks.
    void closeEvent(QCloseEvent* event) override;

private:
    enum class Closing { No, ShuttingDown, Done };

    void makeCentralWidget();
    void makeDocks();
    void makeActions();
    void makeHolderDesk();
    void followEngine();
    void restoreSettings();
    void saveSettings();

    void showStatus(const ConnectionStatus& status);
    void showTitle();
    void applyBatch(const monitor::MonitorBatch& batch);
    void showHistory(const std::vector<monitor::LockEvent>& events);
    void followHistory();
    void showOwnLocks(const QList<control::OwnLock>& locks);
    void showCurrentLock();
    void showKnowledge();
    void updateDialogs();
    void updateActions();

    void openAcquireDialog();
    void openForceReleaseDialog();
    void openExitDialog();
    void releaseCurrentLock();
    void copyCurrentName();
    void setTheme(Theme theme);
    void shutDown(control::OwnLocksAtExit ownLocks);

    Engine& m_engine;
    Clock& m_clock;
    QSettings& m_settings;
    ViewTime m_time;
    LockTableModel m_locks;
    EventLogModel m_log;
    ConnectionStatus m_status;
    QList<control::OwnLock> m_ownLocks;
    Closing m_closing = Closing::No;
    int m_exitCode = 0;

    WindowActions* m_actions = nullptr;
    ConnectionBanner* m_banner = nullptr;
    LocksPage* m_page = nullptr;
    MessageBar* m_messages = nullptr;
    OperationDesk* m_desk = nullptr;
    ConnectionDesk* m_connection = nullptr;
    HolderDesk* m_holders = nullptr;
    WindowDocks* m_docks = nullptr;
    StatusBar* m_statusBar = nullptr;
    QPointer<ForceReleaseDialog> m_forceDialog;
    QPointer<ExitDialog> m_exitDialog;
};

}  // namespace lockkeeper::ui
