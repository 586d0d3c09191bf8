// SPDX-License-Identifier: Apache-2.0
#include "topology/ssh/sshcommand.h"

#include "base/safetext.h"

namespace lockkeeper::topology {

namespace {

QStringList destination(const JumpHost& jump) {
    QStringList words;
    if (jump.port != 0)
        words << QStringLiteral("-p") << QString::number(jump.port);
    if (!jump.user.isEmpty())
        words << QStringLiteral("-l") << jump.user;
    return words << QStringLiteral("--") << jump.host;
}

QString option(const char* text) {
    return QLatin1String("-o") + QLatin1String(text);
}

// Without its master ssh would log in again, and ask the user again. Without a configuration, and with a proxy command
// that fails, ssh ends instead.
QStringList throughMaster(const QString& controlPath) {
    return {QStringLiteral("-S"), controlPath, QStringLiteral("-F"), QStringLiteral("none"),
            option("ProxyCommand=false")};
}

QString withoutFrame(QString line) {
    while (line.startsWith(QLatin1Char('@')))
        line.remove(0, 1);
    while (line.endsWith(QLatin1Char('@')))
        line.chop(1);
    return line.trimmed();
}

}  // namespace

QString sshProgram() {
    return QStringLiteral("ssh");
}

QStringList sshMasterArguments(const JumpHost& jump, const QString& controlPath) {
    QStringList arguments{QStringLiteral("-M"), QStringLiteral("-N"), QStringLiteral("-T"), QStringLiteral("-S"),
                          controlPath};
    // These options of the user's configuration are meant for work in a shell. Here they would open ports, run a
    // command, or detach the process.
    arguments << option("ControlPersist=no") << option("ClearAllForwardings=yes") << option("RemoteCommand=none")
              << option("ExitOnForwardFailure=yes");
    // Ends the connection to a machine that does not answer for 15 s.
    arguments << option("ServerAliveInterval=5") << option("ServerAliveCountMax=3");
    return arguments + destination(jump);
}

QStringList sshConnectionArguments(const JumpHost& jump, const QString& controlPath, const redis::Endpoint& server) {
    return throughMaster(controlPath) + QStringList{QStringLiteral("-W"), server.display()} + destination(jump);
}

QStringList sshSessionArguments(const JumpHost& jump, const QString& controlPath) {
    return throughMaster(controlPath) + QStringList{QStringLiteral("-T")} + destination(jump) +
           QStringList{QStringLiteral("exit")};
}

QString sshWords(const QByteArray& written) {
    QString words;
    for (const QString& line : QString::fromUtf8(written).split(QLatin1Char('\n'))) {
        const QString said = safeText(withoutFrame(line.trimmed()));
        if (said.isEmpty())
            continue;
        const bool sentenceEnded = words.isEmpty() || QStringView(u".!?:,").contains(words.back());
        words += (sentenceEnded ? QLatin1String(" ") : QLatin1String("; ")) + said;
    }
    return words.mid(1);
}

}  // namespace lockkeeper::topology
