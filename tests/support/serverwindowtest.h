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
    // Null if it is not open.
    [[nodiscard]] QDialog* dialog(const char* name) const;
    template <typename Widget>
    [[nodiscard]] Widget& inForce(const char* name) const {
        return *dialog("forceReleaseDialog")->findChild<Widget*>(QString::fromLatin1(name));
    }
    [[nodiscard]] QAbstractButton& force() const { return inForce<QAbstractButton>("forceButton"); }
    [[nodiscard]] QString facts() const;
    // Of a message of the dialog.
    [[nodiscard]] QString textOf(const char* message) const;
    // All messages of the page.
    [[nodiscard]] QString said() const;
    // Connected and armed, by the actions of the window.
    [[nodiscard]] bool open(profile::Environment environment);
    // The dialog that breaks or changes the lock. action: the one that opens it.
    [[nodiscard]] bool openForce(const char* by = "actionForceRelease");
    // The first choice that begins so.
    [[nodiscard]] bool choose(const char* beginning);
    void giveReason();

    // ---- the server ----
    void hold(const QString& holder, int milliseconds);
    // To another worker, in one step.
    void handOver();
    [[nodiscard]] bool hasWritingConnection();
    // Its command has arrived, and the server does not execute it yet.
    [[nodiscard]] bool isHeldUp();
    void killWritingConnection();
    // As a client that waits for a release.
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
