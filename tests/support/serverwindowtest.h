// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/systemclock.h"
#include "control/audit/auditrecord.h"
#include "engine/threadedengine.h"
#include "support/redisserver.h"
#include "ui/window/mainwindow.h"

#include <QAbstractButton>
#include <QDialog>
#include <QLocalSocket>
#include <QSettings>
#include <QTemporaryDir>

#include <memory>

class QAction;

namespace lockkeeper::ui {
class SessionPage;
}

namespace lockkeeper::test {

// Base of tests that drive the real window, with its engine, on a real server: an operator who works on the lock "orders".
class ServerWindowTest : public QObject {
protected:
    static const QString worker;   // holders
    static const QString second;
    static const QString channel;  // of the lock's releases

    ServerWindowTest();
    ~ServerWindowTest() override;

    // False if the server does not start.
    [[nodiscard]] bool begin();
    void end();

    // ---- the window ----
    [[nodiscard]] ui::SessionPage& page() const { return m_window->currentPage(); }
    [[nodiscard]] QAction& action(const char* name) const;
    // Null if the dialog is not open.
    [[nodiscard]] QDialog* dialog(const char* name) const;
    template <typename Widget>
    [[nodiscard]] Widget& inForce(const char* name) const {
        return *dialog("forceReleaseDialog")->findChild<Widget*>(QString::fromLatin1(name));
    }
    [[nodiscard]] QAbstractButton& force() const { return inForce<QAbstractButton>("forceButton"); }
    [[nodiscard]] QString facts() const;
    // The text of a message of the dialog.
    [[nodiscard]] QString textOf(const char* message) const;
    // The texts of all messages of the page.
    [[nodiscard]] QString said() const;
    // Connects and arms, by the actions of the window.
    [[nodiscard]] bool open(profile::Environment environment);
    // Opens the dialog that breaks or changes the lock. by: the action that opens it.
    [[nodiscard]] bool openForce(const char* by = "actionForceRelease");
    // Chooses the first choice whose text begins so.
    [[nodiscard]] bool choose(const char* beginning);
    void giveReason();

    // ---- the server ----
    void hold(const QString& holder, int milliseconds);
    // Gives the lock to another worker, in one step.
    void handOver();
    [[nodiscard]] bool hasWritingConnection();
    // Whether the command of the program has arrived, and the server does not execute it yet.
    [[nodiscard]] bool isHeldUp();
    void killWritingConnection();
    // Waits for a release, as a client does.
    [[nodiscard]] bool listen(const QString& to);
    [[nodiscard]] bool isWoken();

    // ---- the audit ----
    [[nodiscard]] QString auditFolder() const { return m_directory.filePath(QStringLiteral("audit")); }
    [[nodiscard]] QList<control::AuditRecord> audit() const;

    RedisServer m_server;
    QLocalSocket m_listener;
    std::unique_ptr<ui::MainWindow> m_window;

private:
    QTemporaryDir m_directory;
    SystemClock m_clock;
    std::unique_ptr<QSettings> m_settings;
    std::unique_ptr<profile::ProfileStore> m_profiles;
    std::unique_ptr<ThreadedEngine> m_engine;
};

}  // namespace lockkeeper::test
