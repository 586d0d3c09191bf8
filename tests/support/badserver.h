// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "redis/connectionoptions.h"

#include <QTcpServer>

namespace lockkeeper::test {

// A TCP server on a free port that is not a Redis server, or a broken one. It sends its greeting on each connection,
// its answer to the first bytes that arrive, and then stays silent or closes.
class BadServer {
public:
    enum class Afterwards { KeepSilent, Close };
    struct Script {
        QByteArray greeting;
        QByteArray answer;
        Afterwards afterwards = Afterwards::KeepSilent;
    };

    explicit BadServer(Script script);
    BadServer(const BadServer&) = delete;
    BadServer& operator=(const BadServer&) = delete;

    [[nodiscard]] redis::ConnectionOptions options() const;
    [[nodiscard]] quint16 port() const { return m_server.serverPort(); }
    [[nodiscard]] int connections() const { return m_connections; }

private:
    void accept();

    Script m_script;
    QTcpServer m_server;
    int m_connections = 0;
};

}  // namespace lockkeeper::test
