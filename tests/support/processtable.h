// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QDir>
#include "platform/socketstream.h"

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

// The value of this line of its status, such as "State".
inline QByteArray statusOfProcess(qint64 process, const QByteArray& name) {
    for (const QByteArray& line : procFile(process, "status").split('\n')) {
        if (line.startsWith(name + ':'))
            return line.mid(name.size() + 1).trimmed();
    }
    return {};
}

// How often the process has begun to wait for something.
inline qint64 sleepsOfProcess(qint64 process) {
    return statusOfProcess(process, "voluntary_ctxt_switches").toLongLong();
}

// Whether a signal that it was sent has not reached it yet.
inline bool isSignalPending(qint64 process) {
    return statusOfProcess(process, "SigPnd").toULongLong(nullptr, 16) != 0 ||
           statusOfProcess(process, "ShdPnd").toULongLong(nullptr, 16) != 0;
}

// Whether one of our programs has handled a signal that it was sent when it had begun to wait this often: its event
// loop waits again. With streams of Qt alone, the program looks for signals each time that a timer ends.
inline bool hasHandledSignal(qint64 process, qint64 sleepsBefore) {
    const bool looksInTurns = !platform::streamKinds().contains(platform::StreamKind::Descriptor);
    const bool hasSlept = sleepsOfProcess(process) >= sleepsBefore + (looksInTurns ? 3 : 1);
    return hasSlept && !isSignalPending(process) && stateOfProcess(process) == 'S';
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
