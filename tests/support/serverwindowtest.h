// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "control/audit/auditrecord.h"
#include "support/enginewindowtest.h"
#include "support/redisserver.h"

#include <QAbstractButton>
#include <QLocalSocket>

namespace lockkeeper::ui {
class SessionPage;
}

namespace lockkeeper::test {

// Base of tests that drive the real window, with its engine, on a real server: an operator who works on the lock
// "orders".
class ServerWindowTest : public EngineWindowTest {
protected:
    static const QString worker;  // holders
    static const QString second;
    static const QString channel;  // of the lock's releases

    ServerWindowTest();
    ~ServerWindowTest() override;

    // False if the server does not start.
    [[nodiscard]] bool begin();
    void end();

    // ---- the window ----
    [[nodiscard]] ui::SessionPage& page() const { return m_window->currentPage(); }
    template <typename Widget>
    [[nodiscard]] Widget& inForce(const char* name) const {
        return child<Widget>(*dialog("forceReleaseDialog"), name);
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
    [[nodiscard]] QList<control::AuditRecord> audit() const;

    RedisServer m_server;
    QLocalSocket m_listener;
};

}  // namespace lockkeeper::test
