// SPDX-License-Identifier: Apache-2.0
#include "platform/socketstream.h"
#include "support/testprogram.h"

#include <QDir>
#include <QScopeGuard>
#include <QTcpServer>
#include <QTcpSocket>
#include <QTest>

#include <sys/resource.h>

using namespace lockkeeper;
using platform::SocketStream;
using platform::StreamKind;

// What a stream does with descriptors. How it carries bytes: see tst_sockettransport.
class TestDescriptorStream : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() {
        QVERIFY(m_server.listen(QHostAddress::LocalHost));
        m_socket = std::make_unique<QTcpSocket>();
        m_socket->connectToHost(m_server.serverAddress(), m_server.serverPort());
        QTRY_COMPARE(m_socket->state(), QAbstractSocket::ConnectedState);
        QTRY_VERIFY(m_server.hasPendingConnections());
        m_peer = m_server.nextPendingConnection();
    }
    void cleanup() { m_server.close(); }

    void isTheFirstChoice() { QCOMPARE(platform::streamKinds().first(), StreamKind::Descriptor); }

    void takesOverAndClosesTheSocket() {
        const qsizetype before = openDescriptors();
        std::unique_ptr<SocketStream> stream = platform::makeStream(*m_socket, StreamKind::Descriptor);
        QCOMPARE(m_socket->state(), QAbstractSocket::UnconnectedState);
        QCOMPARE(openDescriptors(), before);
        stream->write("hello");
        QTRY_COMPARE(m_peer->readAll(), "hello");
        stream.reset();
        QCOMPARE(openDescriptors(), before - 1);
    }

    void withoutAFreeDescriptorQtsSocketIsUsed() {
        rlimit limit{};
        QCOMPARE(getrlimit(RLIMIT_NOFILE, &limit), 0);
        const rlimit none{0, limit.rlim_max};
        QCOMPARE(setrlimit(RLIMIT_NOFILE, &none), 0);
        const auto restore = qScopeGuard([&limit] { setrlimit(RLIMIT_NOFILE, &limit); });
        const std::unique_ptr<SocketStream> stream = platform::makeStream(*m_socket, StreamKind::Descriptor);
        QCOMPARE(m_socket->state(), QAbstractSocket::ConnectedState);
        stream->write("hello");
        setrlimit(RLIMIT_NOFILE, &limit);
        QTRY_COMPARE(m_peer->readAll(), "hello");
    }

private:
    static qsizetype openDescriptors() {
        return QDir(QStringLiteral("/proc/self/fd"))
            .entryList(QDir::Files | QDir::System | QDir::NoDotAndDotDot)
            .size();
    }

    QTcpServer m_server;
    std::unique_ptr<QTcpSocket> m_socket;
    QTcpSocket* m_peer = nullptr;  // belongs to the server
};

LOCKKEEPER_TEST(TestDescriptorStream, Guiless)
#include "tst_descriptorstream.moc"
