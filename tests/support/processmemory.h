// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QFile>

#include <optional>

namespace lockkeeper::test {

// Megabytes of a process as the kernel counts them: "VmRSS" now, "VmHWM" the most ever. Nothing if it has ended.
inline std::optional<double> memoryOf(qint64 processId, const QByteArray& figure) {
    QFile file(QStringLiteral("/proc/%1/status").arg(processId));
    if (!file.open(QIODevice::ReadOnly))
        return std::nullopt;
    for (const QByteArray& line : file.readAll().split('\n')) {
        if (line.startsWith(figure + ':'))
            return line.mid(figure.size() + 1).simplified().split(' ').first().toDouble() / 1024;
    }
    return std::nullopt;
}

}  // namespace lockkeeper::test
