// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/error.h"
#include "lockkeeper_monitor_export.h"
#include "redis/connectionoptions.h"

#include <QObject>
#include <QProcess>
#include <QTemporaryDir>

namespace lockkeeper::lab {

// A private redis-server: on a Unix socket in its own directory that only this user may enter, without a TCP port and
// without persistence. It ends with this object; if the program crashes, the kernel ends it (PR_SET_PDEATHSIG). Thread:
// one.
class LOCKKEEPER_MONITOR_EXPORT DemoServer : public QObject {
    Q_OBJECT
public:
    explicit DemoServer(QObject* parent = nullptr);
    ~DemoServer() override;

    // started() or failed() follows.
    void start();
    // stopped() follows, at once if it is not running.
    void stop();

    [[nodiscard]] redis::ConnectionOptions options() const;
    [[nodiscard]] qint64 processId() const { return m_process.processId(); }

Q_SIGNALS:
    void started();
    void failed(const lockkeeper::Error& error);
    void stopped();

private:
    void onOutput();

    QTemporaryDir m_directory;
    QProcess m_process;
    QByteArray m_output;
    bool m_ready = false;
};

}  // namespace lockkeeper::lab
