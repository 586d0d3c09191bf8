// SPDX-License-Identifier: Apache-2.0
#include "redis/sockettransport.h"

#include "platform/socketstream.h"
#include "redis/tlspolicy.h"

#include <QLocalSocket>
#include <QScopedPointer>
#include <QSslCertificate>
#include <QSslSocket>

#include <system_error>

namespace lockkeeper::redis {

namespace {

ErrorCode codeOf(QAbstractSocket::SocketError error) {
    switch (error) {
        case QAbstractSocket::HostNotFoundError:
            return ErrorCode::HostNotFound;
        case QAbstractSocket::ConnectionRefusedError:
            return ErrorCode::ConnectionRefused;
        case QAbstractSocket::SslHandshakeFailedError:
        case QAbstractSocket::SslInternalError:
        case QAbstractSocket::SslInvalidUserDataError:
            return ErrorCode::Tls;
        default:
            return ErrorCode::ConnectionLost;
    }
}

// The system's words. Qt's own words begin with the name of its function, and call a missing file an invalid name.
QString textOf(QLocalSocket::LocalSocketError error, const QString& qtText) {
    const auto words = [](std::errc code) { return QString::fromStdString(std::make_error_code(code).message()); };
    switch (error) {
        case QLocalSocket::ServerNotFoundError:
            return words(std::errc::no_such_file_or_directory);
        case QLocalSocket::ConnectionRefusedError:
            return words(std::errc::connection_refused);
        case QLocalSocket::SocketAccessError:
            return words(std::errc::permission_denied);
        default: {
            const qsizetype function = qtText.indexOf(QLatin1String(": "));
            return function < 0 ? qtText : qtText.mid(function + 2);
        }
    }
}

// Deleted by the event loop: a slot may delete the transport while the socket is emitting.
template <typename Socket>
using OwnSocket = QScopedPointer<Socket, QScopedPointerDeleteLater>;

// Qt connects the socket; then a stream of the platform carries its bytes.
template <typename Socket>
class StreamTransport : public Transport {
public:
    explicit StreamTransport(platform::StreamKind kind) : m_kind(kind) {}
    ~StreamTransport() override {
        m_socket->disconnect();
        m_socket->abort();
    }

    void write(const QByteArray& bytes) override {
        if (m_stream)
            m_stream->write(bytes);
    }
    [[nodiscard]] QByteArray readAll() override { return m_stream ? m_stream->readAll() : QByteArray(); }
    void close() override {
        if (m_stream)
            m_stream->close();
        m_socket->abort();
    }

protected:
    void carry() {
        m_socket->disconnect(this);  // from now on the stream reports errors
        m_stream = platform::makeStream(*m_socket, m_kind);
        connect(m_stream.get(), &platform::SocketStream::readyRead, this, &Transport::readyRead);
        connect(m_stream.get(), &platform::SocketStream::closedByPeer, this,
                [this] { Q_EMIT failed(Error(ErrorCode::ConnectionLost, Cause::ClosedByServer)); });
        connect(m_stream.get(), &platform::SocketStream::failed, this,
                [this](const QString& reason) { Q_EMIT failed(Error(ErrorCode::ConnectionLost, reason)); });
        Q_EMIT opened();
    }

    const OwnSocket<Socket> m_socket{new Socket};

private:
    const platform::StreamKind m_kind;
    std::unique_ptr<platform::SocketStream> m_stream;
};

class TcpTransport final : public StreamTransport<QTcpSocket> {
public:
    TcpTransport(Endpoint endpoint, platform::StreamKind kind)
        : StreamTransport(kind), m_endpoint(std::move(endpoint)) {
        connect(m_socket.get(), &QTcpSocket::connected, this, &TcpTransport::onConnected);
        connect(m_socket.get(), &QTcpSocket::errorOccurred, this, [this](QAbstractSocket::SocketError error) {
            Q_EMIT failed(Error(codeOf(error), m_socket->errorString()));
        });
    }

    void open() override { m_socket->connectToHost(m_endpoint.host, m_endpoint.port); }

private:
    void onConnected() {
        m_socket->setSocketOption(QAbstractSocket::LowDelayOption, 1);
        m_socket->setSocketOption(QAbstractSocket::KeepAliveOption, 1);
        carry();
    }

    const Endpoint m_endpoint;
};

class TlsTransport final : public Transport {
public:
    // connected: a socket that is already connected to the endpoint.
    explicit TlsTransport(Endpoint endpoint, std::optional<qintptr> connected = {})
        : m_endpoint(std::move(endpoint)), m_connected(connected) {
        m_socket->setReadBufferSize(platform::mostUnread);
        connect(m_socket.get(), &QSslSocket::encrypted, this, &TlsTransport::onEncrypted);
        connect(m_socket.get(), &QSslSocket::readyRead, this, &Transport::readyRead);
        connect(m_socket.get(), &QSslSocket::sslErrors, this, &TlsTransport::onSslErrors);
        connect(m_socket.get(), &QSslSocket::alertReceived, this, &TlsTransport::onAlert);
        connect(m_socket.get(), &QSslSocket::errorOccurred, this, &TlsTransport::onError);
    }

    ~TlsTransport() override {
        m_socket->disconnect();
        m_socket->abort();
    }

    void open() override {
        // Done first, so that the socket closes the descriptor in any case.
        if (m_connected && !m_socket->setSocketDescriptor(*m_connected)) {
            Q_EMIT failed(Error(ErrorCode::ConnectionLost, m_socket->errorString()));
            return;
        }
        const Result<QSslConfiguration> configuration = tlsConfiguration(m_endpoint);
        if (!configuration) {
            Q_EMIT failed(configuration.error());
            return;
        }
        m_socket->setSslConfiguration(*configuration);
        if (m_connected) {
            m_socket->setPeerVerifyName(tlsPeerName(m_endpoint));
            m_socket->startClientEncryption();
        } else {
            m_socket->connectToHostEncrypted(m_endpoint.host, m_endpoint.port, tlsPeerName(m_endpoint));
        }
    }
    [[nodiscard]] Cause waitingFor() const override {
        const bool isConnected = m_socket->state() == QAbstractSocket::ConnectedState;
        return isConnected && !m_socket->isEncrypted() ? Cause::NoTlsAnswer : Cause::None;
    }
    void write(const QByteArray& bytes) override {
        m_socket->write(bytes);
        m_socket->flush();
    }
    [[nodiscard]] QByteArray readAll() override { return m_socket->readAll(); }
    void close() override { m_socket->abort(); }

private:
    // A certificate without errors is still refused if it is not the pinned one.
    void onEncrypted() {
        if (const std::optional<Error> refusal = tlsRefusal(m_endpoint, m_socket->peerCertificate(), {})) {
            m_socket->disconnect(this);
            m_socket->abort();
            Q_EMIT failed(*refusal);
            return;
        }
        m_socket->setSocketOption(QAbstractSocket::LowDelayOption, 1);
        m_socket->setSocketOption(QAbstractSocket::KeepAliveOption, 1);
        Q_EMIT opened();
    }

    void onSslErrors(const QList<QSslError>& errors) {
        m_refusal = tlsRefusal(m_endpoint, m_socket->peerCertificate(), errors);
        if (!m_refusal)
            m_socket->ignoreSslErrors(errors);
    }

    void onAlert(QSsl::AlertLevel, QSsl::AlertType alert) { m_alert = tlsAlertCause(alert); }

    void onError(QAbstractSocket::SocketError error) {
        if (m_refusal)
            Q_EMIT failed(*m_refusal);
        else if (m_alert != Cause::None)
            Q_EMIT failed(Error(ErrorCode::Tls, m_alert));
        else
            Q_EMIT failed(Error(codeOf(error), m_socket->errorString()));
    }

    const Endpoint m_endpoint;
    const std::optional<qintptr> m_connected;
    const OwnSocket<QSslSocket> m_socket{new QSslSocket};
    std::optional<Error> m_refusal;  // of the server's certificate
    Cause m_alert = Cause::None;     // the last alert of the server
};

class UnixTransport final : public StreamTransport<QLocalSocket> {
public:
    UnixTransport(QString path, platform::StreamKind kind) : StreamTransport(kind), m_path(std::move(path)) {
        // Queued: a QLocalSocket that is aborted while it emits connected() closes its descriptor twice. Another thread
        // may have opened that number in between.
        connect(m_socket.get(), &QLocalSocket::connected, this, &UnixTransport::onConnected, Qt::QueuedConnection);
        connect(m_socket.get(), &QLocalSocket::errorOccurred, this, [this](QLocalSocket::LocalSocketError error) {
            const bool refused =
                error == QLocalSocket::ConnectionRefusedError || error == QLocalSocket::ServerNotFoundError;
            Q_EMIT failed(Error(refused ? ErrorCode::ConnectionRefused : ErrorCode::ConnectionLost,
                                textOf(error, m_socket->errorString())));
        });
    }

    void open() override { m_socket->connectToServer(m_path); }

private:
    void onConnected() {
        if (m_socket->state() == QLocalSocket::ConnectedState)
            carry();
    }

    const QString m_path;
};

class ConnectedTransport final : public StreamTransport<QLocalSocket> {
public:
    explicit ConnectedTransport(qintptr socket)
        : StreamTransport(platform::streamKinds().first()), m_connected(socket) {}

    void open() override {
        if (m_socket->setSocketDescriptor(m_connected))
            carry();
        else
            Q_EMIT failed(Error(ErrorCode::ConnectionLost, textOf(m_socket->error(), m_socket->errorString())));
    }

private:
    const qintptr m_connected;
};

}  // namespace

std::unique_ptr<Transport> makeSocketTransport(const Endpoint& endpoint, platform::StreamKind kind) {
    if (!endpoint.unixPath.isEmpty())
        return std::make_unique<UnixTransport>(endpoint.unixPath, kind);
    if (endpoint.security == Security::Tls)
        return std::make_unique<TlsTransport>(endpoint);
    return std::make_unique<TcpTransport>(endpoint, kind);
}

std::unique_ptr<Transport> makeConnectedTransport(qintptr socket, const Endpoint& endpoint) {
    if (endpoint.security == Security::Tls)
        return std::make_unique<TlsTransport>(endpoint, socket);
    return std::make_unique<ConnectedTransport>(socket);
}

}  // namespace lockkeeper::redis
