// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/ids.h"

#include <QProcess>
#include <QTemporaryDir>

namespace lockkeeper::test {

// A real JVM that runs tests/java: its threads hold locks of a real server, each in another state. Ends with this
// object.
class HeldLocksJvm {
public:
    HeldLocksJvm() = default;
    HeldLocksJvm(const HeldLocksJvm&) = delete;
    HeldLocksJvm& operator=(const HeldLocksJvm&) = delete;
    ~HeldLocksJvm();

    // Compiles the program, and waits until it has its locks; otherwise false with a qWarning.
    [[nodiscard]] bool start(quint16 redisPort, const ClientId& client);
    [[nodiscard]] qint64 processId() const { return m_process.processId(); }
    // What a program of the JDK prints about it: `jstack PID`, `jcmd PID Thread.print -l`.
    [[nodiscard]] QByteArray printedBy(const QString& program, const QStringList& after = {}) const;

private:
    QTemporaryDir m_classes;
    QProcess m_process;
};

}  // namespace lockkeeper::test
