// SPDX-License-Identifier: Apache-2.0
#include "platform/socketstream.h"
#include "redis/sockettransport.h"
#include "support/testprogram.h"

#include <QDir>
#include <QLocalServer>
#include <QLocalSocket>
#include <QScopeGuard>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>

namespace tst_descriptorstream {

using namespace lockkeeper;
using platform::SocketStream;
using platform::StreamKind;

namespace {

qsizetype openDescriptors() {
    return QDir(QStringLiteral("/proc/self/fd"))
        .entryList(QDir::AllEntries | QDir::System | QDir::NoDotAndDotDot)
        .size();
}

std::atomic<int> closedTwice = 0;

}  // namespace

// Replaces the C library's function in this whole program. Only the system knows that a number was not open.
extern "C" int close(int descriptor) {
    const long result = ::syscall(SYS_close, descriptor);
    if (result < 0 && errno == EBADF)
        ++closedTwice;
    return static_cast<int>(result);
}

// What only a stream on a descriptor does. tst_sockettransport tests how every stream carries bytes.
class TestDescriptorStream : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() {
        QLocalServer::removeServer(path());
        QVERIFY(m_server.listen(path()));
        m_socket = std::make_unique<QLocalSocket>();
        m_socket->connectToServer(path());
        QTRY_COMPARE(m_socket->state(), QLocalSocket::ConnectedState);
        QTRY_VERIFY(m_server.hasPendingConnections());
        m_peer.reset(m_server.nextPendingConnection());
    }
    void cleanup() {
        m_peer.reset();
        m_socket.reset();
        m_server.close();
    }

    void isTheFirstChoice() { QCOMPARE(platform::streamKinds().first(), StreamKind::Descriptor); }

    void takesOverAndClosesTheSocket() {
        const qsizetype before = openDescriptors();
        std::unique_ptr<SocketStream> stream = platform::makeStream(*m_socket, StreamKind::Descriptor);
        QCOMPARE(m_socket->state(), QLocalSocket::UnconnectedState);
        QCOMPARE(openDescriptors(), before);
        stream->write("hello");
        QTRY_COMPARE(m_peer->bytesAvailable(), 5);
        QCOMPARE(m_peer->readAll(), "hello");
        stream.reset();
        QCOMPARE(openDescriptors(), before - 1);
    }

    // Meanwhile the number may belong to another thread.
    void connectingClosesNoDescriptorTwice() {
        closedTwice = 0;
        redis::Endpoint endpoint;
        endpoint.unixPath = path();
        const std::unique_ptr<redis::Transport> transport =
            redis::makeSocketTransport(endpoint, StreamKind::Descriptor);
        const QSignalSpy opened(transport.get(), &redis::Transport::opened);
        transport->open();
        QTRY_COMPARE(opened.count(), 1);
        transport->close();
        QCOMPARE(closedTwice, 0);
    }

    void withoutAFreeDescriptorQtsSocketIsUsed() {
        // Where it meets a class for the first time, UndefinedBehaviorSanitizer needs descriptors itself.
        platform::makeStream(*m_socket, StreamKind::QtSocket).reset();
        rlimit limit{};
        QCOMPARE(getrlimit(RLIMIT_NOFILE, &limit), 0);
        const auto restore = qScopeGuard([&limit] { setrlimit(RLIMIT_NOFILE, &limit); });
        const rlimit none{0, limit.rlim_max};
        QCOMPARE(setrlimit(RLIMIT_NOFILE, &none), 0);
        const std::unique_ptr<SocketStream> stream = platform::makeStream(*m_socket, StreamKind::Descriptor);
        QCOMPARE(setrlimit(RLIMIT_NOFILE, &limit), 0);
        QCOMPARE(m_socket->state(), QLocalSocket::ConnectedState);
        stream->write("hello");
        QTRY_COMPARE(m_peer->bytesAvailable(), 5);
        QCOMPARE(m_peer->readAll(), "hello");
    }

    // A server that refuses sends the reason and closes; bytes that this side sends arrive too late then.
    void aWriteToAPeerThatHasClosedLosesNoBytesOfIt() {
        const std::unique_ptr<SocketStream> stream = platform::makeStream(*m_socket, StreamKind::Descriptor);
        const QSignalSpy closed(stream.get(), &SocketStream::closedByPeer);
        const QSignalSpy failed(stream.get(), &SocketStream::failed);
        m_peer->write("-ERR max number of clients reached\r\n");
        QVERIFY(m_peer->flush());
        m_peer->abort();
        stream->write("HELLO");
        QCOMPARE(closed.count() + failed.count(), 0);
        QTRY_COMPARE(closed.count(), 1);
        QCOMPARE(stream->readAll(), "-ERR max number of clients reached\r\n");
    }

private:
    [[nodiscard]] QString path() const { return m_directory.filePath(QStringLiteral("socket")); }

    const QTemporaryDir m_directory;
    QLocalServer m_server;
    std::unique_ptr<QLocalSocket> m_socket;
    std::unique_ptr<QLocalSocket> m_peer;
};

LOCKKEEPER_TEST(TestDescriptorStream, Guiless)

}  // namespace tst_descriptorstream

#include "tst_descriptorstream.moc"
