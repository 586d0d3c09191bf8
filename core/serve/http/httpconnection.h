// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/clocktimer.h"
#include "serve/http/httpserver.h"
#include "serve/http/requestreader.h"

#include <QTcpSocket>

namespace lockkeeper::serve {

// One connection of a client: reads one request, has it answered, writes the response, and ends. Deletes itself behind
// ended(). Thread: the clock's.
class HttpConnection final : public QObject {
    Q_OBJECT
public:
    // socket: connected, or in its TLS handshake.
    HttpConnection(std::unique_ptr<QTcpSocket> socket, const HttpServer::Handler& handler, Clock& clock,
                   const HttpLimits& limits, QObject* parent);
    ~HttpConnection() override;

Q_SIGNALS:
    void answered(lockkeeper::serve::HttpStatus status);
    // Once.
    void ended();

private:
    void read();
    void handle();
    void send(const HttpResponse& response);
    void write();
    void onTimeout();
    void end();

    const HttpServer::Handler m_handler;
    const HttpLimits m_limits;
    std::unique_ptr<QTcpSocket> m_socket;
    RequestReader m_reader;
    ClockTimer m_deadline;
    QByteArray m_output;      // what is to be written
    qsizetype m_written = 0;  // of it, passed to the socket
    qint64 m_dropped = 0;     // bytes behind the request
    bool m_isAnswered = false;
    bool m_hasEnded = false;
};

}  // namespace lockkeeper::serve
