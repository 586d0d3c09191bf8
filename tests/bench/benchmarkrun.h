// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "hiredispeer.h"

#include <QProcess>

namespace lockkeeper::bench {

// One run of redis-benchmark with one connection. It can only repeat one command. So it takes a lock N times, by
// reentry, and another run releases it N times.
class BenchmarkRun {
public:
    BenchmarkRun(const test::RedisServer& server, Socket socket, int pipelined, qint64 count,
                 const QByteArrayList& command) {
        QStringList arguments = socket == Socket::Unix
                                    ? QStringList{QStringLiteral("-s"), server.socketPath()}
                                    : QStringList{QStringLiteral("-p"), QString::number(server.port())};
        arguments += {QStringLiteral("-c"), QStringLiteral("1"),    QStringLiteral("-P"),   QString::number(pipelined),
                      QStringLiteral("-n"), QString::number(count), QStringLiteral("--csv")};
        for (const QByteArray& part : command)
            arguments += QString::fromUtf8(part);
        m_process.start(QStringLiteral("redis-benchmark"), arguments);
    }

    // Commands a second. Waits for the end of the run.
    double rate() {
        if (!m_process.waitForFinished(60000))
            giveUp(QStringLiteral("redis-benchmark does not end"));
        // "test","rps",... and then the command's line; its name may hold quoted commas, so count from the end.
        const QByteArrayList columns = m_process.readAllStandardOutput().trimmed().split('\n').last().split(',');
        constexpr qsizetype columnsBehindRate = 6;
        bool ok = false;
        const double rate = columns.value(columns.size() - 1 - columnsBehindRate).replace('"', "").toDouble(&ok);
        if (!ok)
            giveUp(QStringLiteral("redis-benchmark: its output is not understood"));
        return rate;
    }

private:
    QProcess m_process;
};

// For a run that acquires and one that releases, one after the other.
inline double pairsPerSecond(double acquires, double releases) {
    return 1 / (1 / acquires + 1 / releases);
}

}  // namespace lockkeeper::bench
