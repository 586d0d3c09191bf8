// SPDX-License-Identifier: Apache-2.0
#include "watchprogram.h"

#include "measuring.h"

namespace lockkeeper::bench {

using namespace std::chrono_literals;

WatchProgram::WatchProgram(OnLine onLine) : m_onLine(std::move(onLine)) {
    QObject::connect(&m_process, &QProcess::readyReadStandardOutput, &m_process, [this] { readLines(); });
}

WatchProgram::~WatchProgram() {
    m_process.terminate();
    m_process.waitForFinished();
}

void WatchProgram::start(const QString& url, int locks, int share) {
    m_process.setProcessChannelMode(QProcess::ForwardedErrorChannel);
    m_process.start(
        QCoreApplication::applicationDirPath() + QStringLiteral("/lockkeeper"),
        {QStringLiteral("watch"), url, QStringLiteral("--json"), QStringLiteral("--share"), QString::number(share)});
    if (!runUntil([&] { return m_found >= locks && m_swept; }, 2min))
        giveUp(QStringLiteral("watch does not find the locks of %1").arg(url));
    runFor(1s);  // until the second reads
}

void WatchProgram::readLines() {
    while (m_process.canReadLine()) {
        const QByteArray line = m_process.readLine();
        m_found += line.contains("\"event\":\"found\"") ? 1 : 0;
        m_swept = m_swept || line.contains("\"event\":\"swept\"");
        m_onLine(line);
    }
}

}  // namespace lockkeeper::bench
