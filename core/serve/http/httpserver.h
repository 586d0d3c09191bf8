// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/clock.h"
#include "base/result.h"
#include "serve/http/httpmessage.h"

#include <QHostAddress>
#include <QObject>
#include <QSslConfiguration>

#include <functional>
#include <map>
#include <memory>
#include <optional>

namespace lockkeeper::serve {

class HttpConnection;

// What a client may take of the server. Whatever clients do, it is not more than these for each connection.
struct HttpLimits {
    int connections = 64;
    qsizetype head = 8192;         // bytes of a request
    Milliseconds request{5000};    // from the connection to the end of the request, TLS included
    Milliseconds response{10000};  // from there to the last byte of the response
};

// A server for pages that are only read: GET and HEAD, one request for each connection.
//
// Not QHttpServer, which was tried with Qt 6.4 behind a QTcpServer of ours: it keeps the body of a request as a whole
// before anything of ours is called (300 MB sent, 590 MB of memory), answers all requests of a connection at once
// although nothing is read (300 requests, 150 MB), waits for the end of a half request without a limit, and takes a
// head of 70 kB. To bound that, we would have to read HTTP in front of it. It also has other calls in Qt 6.8.
//
// Thread: the clock's, which must outlive it.
class HttpServer : public QObject {
    Q_OBJECT
public:
    using Answer = std::function<void(const HttpResponse& response)>;
    // Called for each whole request. It calls `answer` once, at once or later; after the connection has ended that does
    // nothing.
    using Handler = std::function<void(const HttpRequest& request, const Answer& answer)>;

    HttpServer(Handler handler, Clock& clock, const HttpLimits& limits = HttpLimits());
    ~HttpServer() override;

    // Listens there in place of the address before, which it keeps if that fails. port: 0 for a free one.
    // Errors: Storage with the system's words; the address is in use, or is none of this machine.
    [[nodiscard]] Result<Done> listen(const QHostAddress& address, quint16 port);
    void close();
    // Of connections that begin from now on; nothing: without TLS.
    void setTls(std::optional<QSslConfiguration> tls) { m_tls = std::move(tls); }

    [[nodiscard]] QHostAddress address() const;
    [[nodiscard]] quint16 port() const;
    // Answers so far, by their status.
    [[nodiscard]] const std::map<HttpStatus, quint64>& answers() const noexcept { return m_answers; }
    [[nodiscard]] quint64 refusedConnections() const noexcept { return m_refused; }
    [[nodiscard]] int openConnections() const noexcept { return m_open; }

private:
    class Listener;

    void accept(qintptr socket);
    [[nodiscard]] bool listenInPlace(Listener& listener, const QHostAddress& address, quint16 port);

    const Handler m_handler;
    Clock& m_clock;
    const HttpLimits m_limits;
    std::unique_ptr<Listener> m_listener;
    std::optional<QSslConfiguration> m_tls;
    std::map<HttpStatus, quint64> m_answers;
    quint64 m_refused = 0;
    int m_open = 0;
};

}  // namespace lockkeeper::serve
