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
    for (const QString& name : folder.entryList({QStringLiteral("*.conf")}, QDir::Files)) {
        QFile file(folder.filePath(name));
        const QStringList lines =
            file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()).split(u'\n') : QStringList();
        for (const QString& line : lines) {
            if (line.startsWith(u"requirepass "))
                return line.section(u' ', 1).remove(u'"').trimmed();
        }
    }
    return {};
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
