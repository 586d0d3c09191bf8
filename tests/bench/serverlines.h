// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QProcess>

#include <functional>

namespace lockkeeper::bench {

// The lines of a `redis-cli` that listens, by MONITOR or SUBSCRIBE. It ends with this object.
class ServerLines {
public:
    using OnLine = std::function<void(const QString&)>;
    // arguments: of redis-cli. Returns when the first line has come.
    ServerLines(const QStringList& arguments, OnLine onLine);
    ServerLines(const ServerLines&) = delete;
    ServerLines& operator=(const ServerLines&) = delete;
    ~ServerLines();

private:
    void readLines();

    const OnLine m_onLine;
    QProcess m_process;
    bool m_runs = false;
};

}  // namespace lockkeeper::bench
