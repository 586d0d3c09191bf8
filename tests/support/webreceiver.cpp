// SPDX-License-Identifier: Apache-2.0
#include "support/webreceiver.h"

#include <QFile>
#include <QSslCertificate>
#include <QSslKey>
#include <QSslSocket>

namespace lockkeeper::test {

WebReceiver::WebReceiver(const QString& certificate, const QString& key) : m_isTls(!certificate.isEmpty()) {
    if (!m_isTls)
        return;
    QFile keyFile(key);
    if (!keyFile.open(QIODevice::ReadOnly))
        qWarning("no key of the receiver");
    m_tls.setLocalCertificateChain(QSslCertificate::fromPath(certificate));
    m_tls.setPrivateKey(QSslKey(keyFile.readAll(), QSsl::Rsa));
    if (m_tls.privateKey().isNull()) {
        keyFile.seek(0);
        m_tls.setPrivateKey(QSslKey(keyFile.readAll(), QSsl::Ec));
    }
    m_tls.setPeerVerifyMode(QSslSocket::VerifyNone);
}

bool WebReceiver::start() {
    if (!listen(QHostAddress::LocalHost, m_port))
        return false;
    m_port = serverPort();
    return true;
}

void WebReceiver::stop() {
    close();
    for (QTcpSocket* socket : findChildren<QTcpSocket*>())
        socket->abort();
}

QString WebReceiver::url(const QString& path) const {
    return QStringLiteral("%1://127.0.0.1:%2%3")
        .arg(m_isTls ? QStringLiteral("https") : QStringLiteral("http"))
        .arg(m_port)
        .arg(path);
}

void WebReceiver::incomingConnection(qintptr descriptor) {
    ++m_connections;
    auto* socket = new QSslSocket(this);
    socket->setSocketDescriptor(descriptor);
    connect(socket, &QTcpSocket::disconnected, socket, &QObject::deleteLater);
    if (m_behaviour == Behaviour::CloseAtOnce)
        return socket->abort();
    const auto bytes = std::make_shared<QByteArray>();
    connect(socket, &QTcpSocket::readyRead, this, [this, socket, bytes] { read(socket, bytes); });
    if (!m_isTls)
        return;
    socket->setSslConfiguration(m_tls);
    socket->startServerEncryption();
}

void WebReceiver::read(QTcpSocket* socket, const std::shared_ptr<QByteArray>& bytes) {
    *bytes += socket->readAll();
    const qsizetype end = bytes->indexOf("\r\n\r\n");
    if (end < 0)
        return;
    const QByteArray head = bytes->first(end);
    const qsizetype place = head.toLower().indexOf("content-length:");
    const qsizetype length = head.sliced(place + 15).split('\r').first().trimmed().toLongLong();
    if (bytes->size() < end + 4 + length)
        return;
    m_received.append({head, bytes->sliced(end + 4)});
    bytes->clear();
    answer(socket);
}

void WebReceiver::answer(QTcpSocket* socket) {
    const auto write = [&](const QByteArray& status, const QByteArray& more = {}) {
        socket->write("HTTP/1.1 " + status + "\r\nContent-Length: " + QByteArray::number(m_body.size()) + "\r\n" +
                      more + "\r\n" + m_body);
        socket->disconnectFromHost();
    };
    switch (m_behaviour) {
        case Behaviour::Takes:
            return write("200 OK");
        case Behaviour::NoContent:
            socket->write("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 204 No Content\r\n\r\n");
            return socket->disconnectFromHost();
        case Behaviour::Hangs:
        case Behaviour::CloseAtOnce:
            return;
        case Behaviour::CloseAfterRead:
            return socket->abort();
        case Behaviour::CloseInHead:
            socket->write("HTTP/1.1 200 OK\r\nContent-Le");
            return socket->disconnectFromHost();
        case Behaviour::EndlessHead:
            return writeWithoutEnd(socket, "HTTP/1.1 200 OK\r\nX: ");
        case Behaviour::EndlessBody:
            return writeWithoutEnd(socket, "HTTP/1.1 200 OK\r\n\r\n");
        case Behaviour::Chunked:
            socket->write("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n" +
                          QByteArray::number(m_body.size(), 16) + ";x=y\r\n" + m_body + "\r\n0\r\n\r\n");
            return;  // the connection stays open
        case Behaviour::ServerError:
            return write("500 Internal Server Error");
        case Behaviour::BadRequest:
            return write("400 Bad Request");
        case Behaviour::Redirect:
            return write("302 Found", "Location: " + url().toLatin1() + "\r\n");
        case Behaviour::NotHttp:
            socket->write("SSH-2.0-OpenSSH_9.2\r\n\r\n");
            return;
    }
}

void WebReceiver::writeWithoutEnd(QTcpSocket* socket, const QByteArray& begin) {
    static const QByteArray part(65'536, 'x');
    connect(socket, &QIODevice::bytesWritten, socket, [socket] {
        if (socket->bytesToWrite() < part.size())
            socket->write(part);
    });
    socket->write(begin + part);
}

}  // namespace lockkeeper::test
