// SPDX-License-Identifier: Apache-2.0
#include "serverlines.h"

#include "measuring.h"

namespace lockkeeper::bench {

ServerLines::ServerLines(const QStringList& arguments, OnLine onLine) : m_onLine(std::move(onLine)) {
    QObject::connect(&m_process, &QProcess::readyReadStandardOutput, &m_process, [this] { readLines(); });
    m_process.start(QStringLiteral("redis-cli"), arguments);
    if (!runUntil([this] { return m_runs; }, std::chrono::seconds(5)))
        giveUp(QStringLiteral("redis-cli %1 does not answer").arg(arguments.join(u' ')));
}

ServerLines::~ServerLines() {
    m_process.kill();
    m_process.waitForFinished();
}

void ServerLines::readLines() {
    while (m_process.canReadLine()) {
        m_runs = true;
        m_onLine(QString::fromUtf8(m_process.readLine()));
    }
}

}  // namespace lockkeeper::bench
