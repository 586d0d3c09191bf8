// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QHostAddress>
#include <QSslConfiguration>
#include <QSslSocket>
#include <QTest>

#include <memory>

namespace lockkeeper::test {

// A client that sends bytes and collects what comes, so that a test decides how it behaves.
class HttpClient {
public:
    explicit HttpClient(quint16 port) : m_socket(std::make_unique<QTcpSocket>()) {
        m_socket->connectToHost(QHostAddress(QHostAddress::LocalHost), port);
    }
    // With TLS, verified by this authority.
    HttpClient(quint16 port, const QSslConfiguration& tls) : m_socket(std::make_unique<QSslSocket>()) {
        auto* secure = static_cast<QSslSocket*>(m_socket.get());
        secure->setSslConfiguration(tls);
        secure->connectToHostEncrypted(QStringLiteral("127.0.0.1"), port);
    }

    [[nodiscard]] static QByteArray request(const QByteArray& path, const QByteArray& headers = {},
                                            const QByteArray& method = "GET") {
        return method + ' ' + path + " HTTP/1.1\r\nHost: 127.0.0.1\r\n" + headers + "\r\n";
    }

    void send(const QByteArray& bytes) { m_socket->write(bytes); }
    [[nodiscard]] bool isOpen() const { return m_socket->state() != QAbstractSocket::UnconnectedState; }
    [[nodiscard]] bool isConnected() const { return m_socket->state() == QAbstractSocket::ConnectedState; }
    // Whether the server ends the connection soon.
    [[nodiscard]] bool ends() {
        return QTest::qWaitFor([this] { return !isOpen(); }, 30000);
    }
    // All that came until the end of the connection.
    [[nodiscard]] QByteArray answer() {
        (void)ends();
        return m_socket->readAll();
    }
    [[nodiscard]] QTcpSocket& socket() { return *m_socket; }

private:
    std::unique_ptr<QTcpSocket> m_socket;
};

[[nodiscard]] inline int statusOf(const QByteArray& answer) {
    return answer.startsWith("HTTP/1.1 ") ? answer.sliced(9, 3).toInt() : 0;
}
[[nodiscard]] inline QByteArray bodyOf(const QByteArray& answer) {
    const qsizetype end = answer.indexOf("\r\n\r\n");
    return end < 0 ? QByteArray() : answer.sliced(end + 4);
}

}  // namespace lockkeeper::test
