// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "support/files.h"

#include <QSslCertificate>
#include <QSslConfiguration>
#include <QSslKey>
#include <QSslServer>
#include <QTcpServer>
#include <QTcpSocket>

#include <memory>

namespace lockkeeper::test {

// A small HTTP server on 127.0.0.1 that answers every request with the same bytes, as an Actuator does or should not.
class HttpServer {
public:
    enum class After { Closes, Waits, GoesOn };  // GoesOn: sends the last kilobyte of its answer for ever

    HttpServer() : m_server(std::make_unique<QTcpServer>()) { begin(); }
    // With TLS.
    HttpServer(const QString& certificate, const QString& key) {
        QSslConfiguration configuration = QSslConfiguration::defaultConfiguration();
        configuration.setLocalCertificate(QSslCertificate(contentOf(certificate)));
        configuration.setPrivateKey(QSslKey(contentOf(key), QSsl::Ec));
        auto server = std::make_unique<QSslServer>();
        server->setSslConfiguration(configuration);
        m_server = std::move(server);
        begin();
    }

    void answer(const QByteArray& bytes, After after = After::Closes) {
        m_answer = bytes;
        m_after = after;
    }
    void answerOk(const QByteArray& body) {
        answer("HTTP/1.1 200 OK\r\nContent-Length: " + QByteArray::number(body.size()) + "\r\n\r\n" + body);
    }
    [[nodiscard]] quint16 port() const { return m_server->serverPort(); }
    [[nodiscard]] QString url(const QString& path = QStringLiteral("/actuator/threaddump")) const {
        return QStringLiteral("http://127.0.0.1:%1%2").arg(port()).arg(path);
    }
    [[nodiscard]] const QByteArrayList& requests() const { return m_requests; }

private:
    void begin() {
        QObject::connect(m_server.get(), &QTcpServer::pendingConnectionAvailable, m_server.get(), [this] {
            while (QTcpSocket* socket = m_server->nextPendingConnection())
                take(socket);
        });
        if (!m_server->listen(QHostAddress::LocalHost))
            qFatal("no port for HTTP: %s", qPrintable(m_server->errorString()));
    }
    void take(QTcpSocket* socket) {
        QObject::connect(socket, &QTcpSocket::disconnected, socket, &QObject::deleteLater);
        const auto read = [this, socket, request = std::make_shared<QByteArray>()] {
            *request += socket->readAll();
            if (!request->endsWith("\r\n\r\n"))
                return;
            m_requests << *request;
            socket->write(m_answer);
            if (m_after == After::Closes)
                socket->disconnectFromHost();
            else if (m_after == After::GoesOn)
                QObject::connect(socket, &QTcpSocket::bytesWritten, socket,
                                 [this, socket] { socket->write(m_answer.right(1024)); });
        };
        QObject::connect(socket, &QTcpSocket::readyRead, socket, read);
        read();
    }

    std::unique_ptr<QTcpServer> m_server;
    QByteArray m_answer;
    After m_after = After::Closes;
    QByteArrayList m_requests;
};

}  // namespace lockkeeper::test
