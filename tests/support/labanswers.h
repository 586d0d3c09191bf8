// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QDir>
#include <QDirIterator>
#include <QFile>
#include <QProcess>
#include <QStringList>

namespace lockkeeper::test {

namespace detail {
// Empty: a server without a password.
inline QString passwordIn(const QDir& folder) {
    QFile file(folder.filePath(QStringLiteral("redis.conf")));
    const QString first = file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readLine()) : QString();
    return first.section(u' ', 1).trimmed();
}
}  // namespace detail

// What the servers of laboratories below this folder answer, asked without the laboratory. A server that is frozen does
// not answer.
[[nodiscard]] inline QStringList answersBelow(const QString& folder, const QStringList& command) {
    constexpr int limit = 1000;
    QStringList answers;
    QDirIterator sockets(folder, {QStringLiteral("*.sock")}, QDir::System, QDirIterator::Subdirectories);
    while (sockets.hasNext()) {
        const QFileInfo socket(sockets.next());
        const QString password = detail::passwordIn(socket.dir());
        const QStringList login = password.isEmpty() ? QStringList() : QStringList{"--no-auth-warning", "-a", password};
        QProcess cli;
        cli.start(QStringLiteral("redis-cli"), login + QStringList{"-s", socket.filePath()} + command);
        if (cli.waitForFinished(limit))
            answers += QString::fromUtf8(cli.readAllStandardOutput()).trimmed();
    }
    return answers;
}

}  // namespace lockkeeper::test
