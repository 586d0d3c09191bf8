// SPDX-License-Identifier: Apache-2.0
#include "support/heldlocksjvm.h"

#include "platform/childprocess.h"
#include "support/places.h"
#include "support/tool.h"

#include <QDeadlineTimer>

namespace lockkeeper::test {

namespace {

const QString jdk = QStringLiteral("openjdk-17-jdk-headless or default-jdk-headless");

}  // namespace

HeldLocksJvm::~HeldLocksJvm() {
    if (m_process.state() == QProcess::NotRunning)
        return;
    m_process.kill();
    m_process.waitForFinished();
}

bool HeldLocksJvm::start(quint16 redisPort, const ClientId& client) {
    const QString sources = places::data() + QStringLiteral("/../java/");
    QProcess compiler;
    compiler.start(tool(QStringLiteral("javac"), jdk),
                   {QStringLiteral("-d"), m_classes.path(), sources + QStringLiteral("com/example/HeldLocks.java"),
                    sources + QStringLiteral("org/redisson/RedissonLock.java")});
    if (!compiler.waitForFinished(60000) || compiler.exitCode() != 0) {
        qWarning("javac: %s", compiler.readAllStandardError().constData());
        return false;
    }
    platform::endWithParent(m_process);
    m_process.start(
        tool(QStringLiteral("java"), jdk),
        {QStringLiteral("-Xmx64m"), QStringLiteral("-cp"), m_classes.path(), QStringLiteral("com.example.HeldLocks"),
         QString::number(redisPort), QString::fromLatin1(client.bytes())});
    QByteArray out;
    const QDeadlineTimer deadline(30000);
    while (!out.contains("ready") && m_process.state() != QProcess::NotRunning && !deadline.hasExpired()) {
        m_process.waitForReadyRead(100);
        out += m_process.readAllStandardOutput();
    }
    if (out.contains("ready"))
        return true;
    qWarning("the JVM does not start: %s", m_process.readAllStandardError().constData());
    return false;
}

QByteArray HeldLocksJvm::printedBy(const QString& program, const QStringList& after) const {
    QProcess reader;
    reader.start(tool(program, jdk), QStringList{QString::number(processId())} + after);
    reader.waitForFinished(30000);
    return reader.readAllStandardOutput();
}

}  // namespace lockkeeper::test
