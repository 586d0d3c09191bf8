// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "support/tool.h"

#include <QFile>
#include <QProcess>
#include <QTemporaryDir>

#include <sys/prctl.h>
#include <csignal>

namespace lockkeeper::test {

// A D-Bus session bus of the test, which ends with it. It has no service files, so it starts no services. This process
// and its child processes find it in the environment.
class SessionBus {
public:
    SessionBus() {
        m_bus.setChildProcessModifier([] { prctl(PR_SET_PDEATHSIG, SIGKILL); });
    }
    ~SessionBus() { stop(); }

    [[nodiscard]] bool start() {
        m_bus.start(tool(QStringLiteral("dbus-daemon"), QStringLiteral("dbus")),
                    {QStringLiteral("--nofork"), QStringLiteral("--print-address=1"),
                     QStringLiteral("--config-file=") + writeConfiguration()});
        if (!m_bus.waitForReadyRead(10000))
            return false;
        return qputenv("DBUS_SESSION_BUS_ADDRESS", m_bus.readLine().trimmed());
    }
    void stop() {
        m_bus.kill();
        m_bus.waitForFinished();
    }

private:
    QString writeConfiguration() const {
        const QString path = m_directory.filePath(QStringLiteral("bus.conf"));
        QFile file(path);
        if (!file.open(QIODevice::WriteOnly))
            return {};
        file.write(
            "<busconfig><type>session</type><listen>unix:tmpdir=/tmp</listen><policy context=\"default\">"
            "<allow send_destination=\"*\" eavesdrop=\"true\"/><allow eavesdrop=\"true\"/><allow "
            "own=\"*\"/></policy></busconfig>");
        return path;
    }

    QTemporaryDir m_directory;
    QProcess m_bus;
};

}  // namespace lockkeeper::test
