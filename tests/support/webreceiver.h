// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QByteArray>
#include <QList>
#include <QSslConfiguration>
#include <QTcpServer>

#include <functional>
#include <memory>

namespace lockkeeper::test {

// A receiver of webhooks on a free port, which may behave badly. It stays in the thread of the test.
class WebReceiver : public QTcpServer {
    Q_OBJECT
public:
    enum class Behaviour {
        Takes,           // 200
        NoContent,       // 204, without a body
        Hangs,           // reads, and never answers
        CloseAtOnce,     // before it has read anything
        CloseAfterRead,  // takes the message, and closes before the answer
        CloseInHead,     // in the middle of its answer
        EndlessHead,
        EndlessBody,  // of a 200
        Chunked,      // 200, with the body in chunks
        ServerError,  // 500
        BadRequest,   // 400
        Redirect,     // 302, to itself
        NotHttp
    };
    struct Received {
        QByteArray head;
        QByteArray body;
    };

    // tls: a certificate file and its key in PEM; empty: plain HTTP.
    explicit WebReceiver(const QString& certificate = {}, const QString& key = {});

    // Starts again at the same port after stop(); the first time at a free one.
    [[nodiscard]] bool start();
    // Refuses connections from now on, and ends those that there are.
    void stop();
    void behave(Behaviour behaviour, const QByteArray& body = "ok") {
        m_behaviour = behaviour;
        m_body = body;
    }
    [[nodiscard]] QString url(const QString& path = QStringLiteral("/hook/secret-path")) const;
    // What has arrived as a whole.
    [[nodiscard]] const QList<Received>& received() const noexcept { return m_received; }
    void forget() { m_received.clear(); }
    [[nodiscard]] int connections() const noexcept { return m_connections; }

protected:
    void incomingConnection(qintptr descriptor) override;

private:
    void read(QTcpSocket* socket, const std::shared_ptr<QByteArray>& bytes);
    void answer(QTcpSocket* socket);
    void writeWithoutEnd(QTcpSocket* socket, const QByteArray& begin);

    QSslConfiguration m_tls;
    bool m_isTls = false;
    quint16 m_port = 0;
    Behaviour m_behaviour = Behaviour::Takes;
    QByteArray m_body = "ok";
    QList<Received> m_received;
    int m_connections = 0;
};

}  // namespace lockkeeper::test
