// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QDir>
#include <QFile>

// Processes as the system shows them, see proc(5).
namespace lockkeeper::test {

inline QByteArray procFile(qint64 process, const char* name) {
    QFile file(QStringLiteral("/proc/%1/%2").arg(process).arg(QLatin1StringView(name)));
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

// The fields of its line behind its name, which may contain anything: the state, the parent, the process group.
inline QByteArrayList fieldsOfProcess(qint64 process) {
    const QByteArray line = procFile(process, "stat");
    return line.mid(line.lastIndexOf(')') + 1).trimmed().split(' ');
}

// 'S': sleeps, 'T': stopped, '?': there is no such process.
inline char stateOfProcess(qint64 process) {
    return fieldsOfProcess(process).first().append('?').at(0);
}

inline qint64 groupOfProcess(qint64 process) {
    constexpr qsizetype group = 2;
    return fieldsOfProcess(process).value(group).toLongLong();
}

inline QList<qint64> childrenOf(qint64 process) {
    const QByteArray task = "task/" + QByteArray::number(process) + "/children";
    QList<qint64> children;
    for (const QByteArray& child : procFile(process, task.constData()).split(' ')) {
        if (!child.isEmpty())
            children += child.toLongLong();
    }
    return children;
}

// All processes with this command line.
inline QList<qint64> processesOf(const QByteArrayList& words) {
    QList<qint64> found;
    for (const QString& entry : QDir(QStringLiteral("/proc")).entryList(QDir::Dirs)) {
        const qint64 process = entry.toLongLong();
        if (process > 0 && procFile(process, "cmdline") == words.join('\0') + '\0')
            found += process;
    }
    return found;
}

// 0: the process has no child.
inline qint64 childOf(qint64 process) {
    return childrenOf(process).value(0);
}

}  // namespace lockkeeper::test
