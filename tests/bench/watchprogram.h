// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QProcess>

#include <functional>

namespace lockkeeper::bench {

// `lockkeeper watch URL --json`, which ends with this object.
class WatchProgram {
public:
    using OnLine = std::function<void(const QByteArray&)>;
    explicit WatchProgram(OnLine onLine);
    WatchProgram(const WatchProgram&) = delete;
    WatchProgram& operator=(const WatchProgram&) = delete;
    ~WatchProgram();

    // Returns when the program has found so many locks, swept once and read each lock twice, which starts their
    // tracking. share: of one core of the server, in percent.
    void start(const QString& url, int locks, int share = 5);
    [[nodiscard]] qint64 processId() const { return m_process.processId(); }

private:
    void readLines();

    const OnLine m_onLine;
    QProcess m_process;
    int m_found = 0;
    bool m_swept = false;
};

}  // namespace lockkeeper::bench
