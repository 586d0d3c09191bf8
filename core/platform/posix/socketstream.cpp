// SPDX-License-Identifier: Apache-2.0
#include "platform/socketstream.h"

#include "platform/portable/qtstream.h"

#include <QLocalSocket>
#include <QSocketNotifier>
#include <QTcpSocket>

#include <fcntl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cerrno>

namespace lockkeeper::platform {

namespace {

class DescriptorStream final : public SocketStream {
public:
    // Owns the descriptor.
    explicit DescriptorStream(int descriptor)
        : m_descriptor(descriptor),
          m_readable(descriptor, QSocketNotifier::Read),
          m_writable(descriptor, QSocketNotifier::Write) {
        m_writable.setEnabled(false);
        connect(&m_readable, &QSocketNotifier::activated, this, &DescriptorStream::receive);
        connect(&m_writable, &QSocketNotifier::activated, this, &DescriptorStream::sendUnsent);
    }
    ~DescriptorStream() override { closeDescriptor(); }

    void write(const QByteArray& bytes) override {
        if (m_descriptor < 0)
            return;
        if (!m_unsent.isEmpty()) {
            m_unsent += bytes;
            return;
        }
        const qsizetype sent = sendNow(bytes);
        if (sent < bytes.size() && m_descriptor >= 0) {
            m_unsent = bytes.sliced(sent);
            m_writable.setEnabled(true);
        }
    }
    [[nodiscard]] QByteArray readAll() override { return std::exchange(m_incoming, {}); }
    void close() override {
        m_isClosed = true;
        closeDescriptor();
    }

private:
    void closeDescriptor() {
        if (m_descriptor < 0)
            return;
        m_readable.setEnabled(false);
        m_writable.setEnabled(false);
        ::close(std::exchange(m_descriptor, -1));
    }

    void receive() {
        std::array<char, 16 * 1024> chunk;  // NOLINT(cppcoreguidelines-pro-type-member-init): filled by recv()
        const ssize_t count = ::recv(m_descriptor, chunk.data(), chunk.size(), MSG_DONTWAIT);
        if (count > 0) {
            m_incoming.append(chunk.data(), count);
            Q_EMIT readyRead();
        } else if (count == 0) {
            closeDescriptor();
            Q_EMIT closedByPeer();
        } else if (errno != EAGAIN && errno != EINTR) {
            fail(errno);
        }
    }

    void sendUnsent() {
        m_unsent.remove(0, sendNow(m_unsent));
        if (m_unsent.isEmpty() && m_descriptor >= 0)
            m_writable.setEnabled(false);
    }

    // Returns how many of these bytes the system took; the rest must wait.
    qsizetype sendNow(const QByteArray& bytes) {
        const ssize_t count =
            ::send(m_descriptor, bytes.constData(), static_cast<size_t>(bytes.size()), MSG_DONTWAIT | MSG_NOSIGNAL);
        if (count >= 0)
            return count;
        // The peer has closed the connection. Bytes that it sent before, perhaps with the reason, must still be read;
        // the end is reported after them.
        if (errno == EPIPE || errno == ECONNRESET)
            return bytes.size();
        if (errno != EAGAIN && errno != EINTR)
            fail(errno);
        return 0;
    }

    // Queued: a slot may delete this object, which is in the middle of a call.
    void fail(int systemError) {
        closeDescriptor();
        const auto report = [this, reason = qt_error_string(systemError)] {
            if (!m_isClosed)
                Q_EMIT failed(reason);
        };
        QMetaObject::invokeMethod(this, report, Qt::QueuedConnection);
    }

    int m_descriptor;
    bool m_isClosed = false;  // by this side
    QSocketNotifier m_readable;
    QSocketNotifier m_writable;  // enabled only while bytes are unsent
    QByteArray m_incoming;
    QByteArray m_unsent;
};

template <typename Socket>
std::unique_ptr<SocketStream> streamOf(Socket& socket, StreamKind kind) {
    if (kind == StreamKind::QtSocket)
        return qtStream(socket);
    const int descriptor = ::fcntl(static_cast<int>(socket.socketDescriptor()), F_DUPFD_CLOEXEC, 0);
    if (descriptor < 0)
        return qtStream(socket);
    socket.abort();
    return std::make_unique<DescriptorStream>(descriptor);
}

}  // namespace

QList<StreamKind> streamKinds() {
    return {StreamKind::Descriptor, StreamKind::QtSocket};
}

std::unique_ptr<SocketStream> makeStream(QTcpSocket& socket, StreamKind kind) {
    return streamOf(socket, kind);
}

std::unique_ptr<SocketStream> makeStream(QLocalSocket& socket, StreamKind kind) {
    return streamOf(socket, kind);
}

}  // namespace lockkeeper::platform
