#include "redis/descriptortransport.h"

#include <fcntl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cerrno>

namespace lockkeeper::redis {

DescriptorTransport::~DescriptorTransport() {
    closeDescriptor();
}

void DescriptorTransport::adopt(qintptr descriptor) {
    m_descriptor = ::fcntl(static_cast<int>(descriptor), F_DUPFD_CLOEXEC, 0);
    const int systemError = errno;
    stopOpening();
    if (m_descriptor < 0)
        return fail(systemError);
    m_readable = std::make_unique<QSocketNotifier>(m_descriptor, QSocketNotifier::Read);
    m_writable = std::make_unique<QSocketNotifier>(m_descriptor, QSocketNotifier::Write);
    m_writable->setEnabled(false);
    connect(m_readable.get(), &QSocketNotifier::activated, this, &DescriptorTransport::receive);
    connect(m_writable.get(), &QSocketNotifier::activated, this, &DescriptorTransport::sendUnsent);
    Q_EMIT opened();
}

void DescriptorTransport::write(const QByteArray& bytes) {
    if (m_descriptor < 0)
        return;
    if (!m_unsent.isEmpty()) {
        m_unsent += bytes;
        return;
    }
    const qsizetype sent = sendNow(bytes);
    if (sent < bytes.size() && m_descriptor >= 0) {
        m_unsent = bytes.sliced(sent);
        m_writable->setEnabled(true);
    }
}

void DescriptorTransport::close() {
    stopOpening();
    closeDescriptor();
}

void DescriptorTransport::closeDescriptor() {
    if (m_descriptor < 0)
        return;
    // Disable the notifiers but do not delete them: this may run inside one of their signals.
    m_readable->setEnabled(false);
    m_writable->setEnabled(false);
    ::close(std::exchange(m_descriptor, -1));
}

void DescriptorTransport::receive() {
    std::array<char, 16 * 1024> chunk;  // NOLINT(cppcoreguidelines-pro-type-member-init): filled by recv()
    const ssize_t count = ::recv(m_descriptor, chunk.data(), chunk.size(), MSG_DONTWAIT);
    if (count > 0) {
        m_incoming.append(chunk.data(), count);
        Q_EMIT readyRead();
    } else if (count == 0) {
        closeDescriptor();
        Q_EMIT failed(Error(ErrorCode::ConnectionLost, Cause::ClosedByServer));
    } else if (errno != EAGAIN && errno != EINTR) {
        fail(errno);
    }
}

void DescriptorTransport::sendUnsent() {
    m_unsent.remove(0, sendNow(m_unsent));
    if (m_unsent.isEmpty() && m_descriptor >= 0)
        m_writable->setEnabled(false);
}

qsizetype DescriptorTransport::sendNow(const QByteArray& bytes) {
    const ssize_t count =
        ::send(m_descriptor, bytes.constData(), static_cast<size_t>(bytes.size()), MSG_DONTWAIT | MSG_NOSIGNAL);
    if (count >= 0)
        return count;
    // The peer has closed the connection. Bytes that it sent before, perhaps with the reason, must still be read; the
    // end is reported after them.
    if (errno == EPIPE || errno == ECONNRESET)
        return bytes.size();
    if (errno != EAGAIN && errno != EINTR)
        fail(errno);
    return 0;
}

void DescriptorTransport::fail(int systemError) {
    closeDescriptor();
    Q_EMIT failed(Error(ErrorCode::ConnectionLost, qt_error_string(systemError)));
}

}  // namespace lockkeeper::redis
