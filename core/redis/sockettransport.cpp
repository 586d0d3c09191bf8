// SPDX-License-Identifier: Apache-2.0
#include "redis/sockettransport.h"

#include "platform/socketstream.h"

#include <QFile>
#include <QLocalSocket>
#include <QSslCertificate>
#include <QSslConfiguration>
#include <QSslKey>
#include <QSslSocket>

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

// Qt connects the socket; then a stream of the platform carries its bytes.
template <typename Socket>
class StreamTransport : public Transport {
public:
    explicit StreamTransport(platform::StreamKind kind) : m_kind(kind) {}

    void write(const QByteArray& bytes) override {
        if (m_stream)
            m_stream->write(bytes);
    }
    [[nodiscard]] QByteArray readAll() override { return m_stream ? m_stream->readAll() : QByteArray(); }
    void close() override {
        if (m_stream)
            m_stream->close();
        m_socket.abort();
    }

protected:
    void carry() {
        m_socket.disconnect(this);  // from now on the stream reports errors
        m_stream = platform::makeStream(m_socket, m_kind);
        connect(m_stream.get(), &platform::SocketStream::readyRead, this, &Transport::readyRead);
        connect(m_stream.get(), &platform::SocketStream::closedByPeer, this,
                [this] { Q_EMIT failed(Error(ErrorCode::ConnectionLost, Cause::ClosedByServer)); });
        connect(m_stream.get(), &platform::SocketStream::failed, this,
                [this](const QString& reason) { Q_EMIT failed(Error(ErrorCode::ConnectionLost, reason)); });
        Q_EMIT opened();
    }

    Socket m_socket;

private:
    const platform::StreamKind m_kind;
    std::unique_ptr<platform::SocketStream> m_stream;
};

class TcpTransport final : public StreamTransport<QTcpSocket> {
public:
    TcpTransport(Endpoint endpoint, platform::StreamKind kind)
        : StreamTransport(kind), m_endpoint(std::move(endpoint)) {
        connect(&m_socket, &QTcpSocket::connected, this, &TcpTransport::onConnected);
        connect(&m_socket, &QTcpSocket::errorOccurred, this, [this](QAbstractSocket::SocketError error) {
            Q_EMIT failed(Error(codeOf(error), m_socket.errorString()));
        });
    }

    void open() override { m_socket.connectToHost(m_endpoint.host, m_endpoint.port); }

private:
    void onConnected() {
        m_socket.setSocketOption(QAbstractSocket::LowDelayOption, 1);
        m_socket.setSocketOption(QAbstractSocket::KeepAliveOption, 1);
        carry();
    }

    const Endpoint m_endpoint;
};

class TlsTransport final : public Transport {
public:
    // connected: a socket that leads to the endpoint already.
    explicit TlsTransport(Endpoint endpoint, std::optional<qintptr> connected = {})
        : m_endpoint(std::move(endpoint)), m_connected(connected) {
        connect(&m_socket, &QSslSocket::encrypted, this, &TlsTransport::onEncrypted);
        connect(&m_socket, &QSslSocket::readyRead, this, &Transport::readyRead);
        connect(&m_socket, &QSslSocket::sslErrors, this, &TlsTransport::onSslErrors);
        connect(&m_socket, &QSslSocket::errorOccurred, this, &TlsTransport::onError);
    }

    void open() override {
        if (m_connected && !m_socket.setSocketDescriptor(*m_connected)) {
            Q_EMIT failed(Error(ErrorCode::ConnectionLost, m_socket.errorString()));
            return;
        }
        if (const std::optional<Error> error = configure()) {
            Q_EMIT failed(*error);
            return;
        }
        const QString name = m_endpoint.serverName.isEmpty() ? m_endpoint.host : m_endpoint.serverName;
        if (m_connected) {
            m_socket.setPeerVerifyName(name);
            m_socket.startClientEncryption();
        } else {
            m_socket.connectToHostEncrypted(m_endpoint.host, m_endpoint.port, name);
        }
    }
    void write(const QByteArray& bytes) override {
        m_socket.write(bytes);
        m_socket.flush();
    }
    [[nodiscard]] QByteArray readAll() override { return m_socket.readAll(); }
    void close() override { m_socket.abort(); }

private:
    // There is deliberately no option to switch verification off.
    std::optional<Error> configure() {
        QSslConfiguration configuration = QSslConfiguration::defaultConfiguration();
        configuration.setPeerVerifyMode(QSslSocket::VerifyPeer);
        if (!m_endpoint.caFile.isEmpty()) {
            const QList<QSslCertificate> authorities = QSslCertificate::fromPath(m_endpoint.caFile, QSsl::Pem);
            if (authorities.isEmpty())
                return Error(ErrorCode::Tls, Cause::NoCertificateAuthority, {m_endpoint.caFile});
            configuration.setCaCertificates(authorities);
        }
        if (!m_endpoint.certificateFile.isEmpty()) {
            const QList<QSslCertificate> chain = QSslCertificate::fromPath(m_endpoint.certificateFile, QSsl::Pem);
            const QSslKey key = privateKey();
            if (chain.isEmpty() || key.isNull())
                return Error(ErrorCode::Tls, Cause::NoClientCertificate,
                             {m_endpoint.certificateFile, m_endpoint.privateKeyFile});
            configuration.setLocalCertificateChain(chain);
            configuration.setPrivateKey(key);
        }
        m_socket.setSslConfiguration(configuration);
        return std::nullopt;
    }

    [[nodiscard]] QSslKey privateKey() const {
        QFile file(m_endpoint.privateKeyFile);
        if (m_endpoint.privateKeyFile.isEmpty() || !file.open(QIODevice::ReadOnly))
            return {};
        const QByteArray pem = file.readAll();
        for (const QSsl::KeyAlgorithm algorithm : {QSsl::Rsa, QSsl::Ec}) {
            QSslKey key(pem, algorithm);
            if (!key.isNull())
                return key;
        }
        return {};
    }

    void onEncrypted() {
        m_socket.setSocketOption(QAbstractSocket::LowDelayOption, 1);
        m_socket.setSocketOption(QAbstractSocket::KeepAliveOption, 1);
        Q_EMIT opened();
    }

    void onSslErrors(const QList<QSslError>& errors) {
        QStringList reasons;
        for (const QSslError& error : errors)
            reasons += error.errorString();
        m_reasons = reasons.join(QLatin1String("; "));
    }

    void onError(QAbstractSocket::SocketError error) {
        const QString text = m_reasons.isEmpty() ? m_socket.errorString() : m_reasons;
        Q_EMIT failed(Error(codeOf(error), text));
    }

    Endpoint m_endpoint;
    const std::optional<qintptr> m_connected;
    QSslSocket m_socket;
    QString m_reasons;
};

class UnixTransport final : public StreamTransport<QLocalSocket> {
public:
    UnixTransport(QString path, platform::StreamKind kind) : StreamTransport(kind), m_path(std::move(path)) {
        connect(&m_socket, &QLocalSocket::connected, this, &UnixTransport::carry);
        connect(&m_socket, &QLocalSocket::errorOccurred, this, [this](QLocalSocket::LocalSocketError error) {
            const bool refused =
                error == QLocalSocket::ConnectionRefusedError || error == QLocalSocket::ServerNotFoundError;
            Q_EMIT failed(
                Error(refused ? ErrorCode::ConnectionRefused : ErrorCode::ConnectionLost, m_socket.errorString()));
        });
    }

    void open() override { m_socket.connectToServer(m_path); }

private:
    const QString m_path;
};

class ConnectedTransport final : public StreamTransport<QLocalSocket> {
public:
    explicit ConnectedTransport(qintptr socket)
        : StreamTransport(platform::streamKinds().first()), m_connected(socket) {}

    void open() override {
        if (m_socket.setSocketDescriptor(m_connected))
            carry();
        else
            Q_EMIT failed(Error(ErrorCode::ConnectionLost, m_socket.errorString()));
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
