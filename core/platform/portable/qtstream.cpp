// SPDX-License-Identifier: Apache-2.0
#include "platform/portable/qtstream.h"

#include <QLocalSocket>
#include <QTcpSocket>

namespace lockkeeper::platform {

namespace {

bool isEnd(QAbstractSocket::SocketError error) {
    return error == QAbstractSocket::RemoteHostClosedError;
}

bool isEnd(QLocalSocket::LocalSocketError error) {
    return error == QLocalSocket::PeerClosedError;
}

template <typename Socket>
class QtStream final : public SocketStream {
public:
    explicit QtStream(Socket& socket) : m_socket(socket) {
        m_socket.setReadBufferSize(mostUnread);
        connect(&m_socket, &Socket::readyRead, this, &SocketStream::readyRead);
        connect(&m_socket, &Socket::errorOccurred, this, [this](auto error) {
            m_socket.disconnect(this);
            if (isEnd(error))
                Q_EMIT closedByPeer();
            else
                Q_EMIT failed(m_socket.errorString());
        });
    }

    void write(const QByteArray& bytes) override {
        if (!m_socket.isOpen())
            return;
        m_socket.write(bytes);
        m_socket.flush();
    }
    [[nodiscard]] QByteArray readAll() override { return m_socket.readAll(); }
    void close() override {
        m_socket.disconnect(this);
        m_socket.abort();
    }

private:
    Socket& m_socket;
};

}  // namespace

std::unique_ptr<SocketStream> qtStream(QTcpSocket& socket) {
    return std::make_unique<QtStream<QTcpSocket>>(socket);
}

std::unique_ptr<SocketStream> qtStream(QLocalSocket& socket) {
    return std::make_unique<QtStream<QLocalSocket>>(socket);
}

}  // namespace lockkeeper::platform

#include "platform/moc_socketstream.cpp"
