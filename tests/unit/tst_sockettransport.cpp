// SPDX-License-Identifier: Apache-2.0
#include "lab/servers/reservedport.h"
#include "redis/sockettransport.h"
#include "support/testprogram.h"

#include <QLocalServer>
#include <QLocalSocket>
#include <QSignalSpy>
#include <QTcpServer>
#include <QTcpSocket>
#include <QTemporaryDir>
#include <QTest>

namespace tst_sockettransport {

using namespace lockkeeper;
using namespace lockkeeper::redis;
using platform::StreamKind;

namespace {

enum class Socket { Tcp, Unix };

// A server that accepts one connection.
class Peer {
public:
    explicit Peer(Socket socket) {
        if (socket == Socket::Tcp) {
            m_listens = m_tcp.listen(QHostAddress::LocalHost);
            m_endpoint.port = m_tcp.serverPort();
        } else {
            m_endpoint.unixPath = m_directory.filePath(QStringLiteral("socket"));
            m_listens = m_unix.listen(m_endpoint.unixPath);
        }
    }

    [[nodiscard]] bool listens() const { return m_listens; }
    [[nodiscard]] const Endpoint& endpoint() const { return m_endpoint; }
    [[nodiscard]] bool accepts() {
        return QTest::qWaitFor([this] {
            m_connection = m_tcp.isListening() ? static_cast<QIODevice*>(m_tcp.nextPendingConnection())
                                               : static_cast<QIODevice*>(m_unix.nextPendingConnection());
            return m_connection != nullptr;
        });
    }
    void write(const QByteArray& bytes) {
        m_connection->write(bytes);
        QVERIFY(QTest::qWaitFor([this] { return m_connection->bytesToWrite() == 0; }));
    }
    [[nodiscard]] QByteArray readAll() { return m_connection->readAll(); }
    [[nodiscard]] bool receives(const QByteArray& bytes) {
        return QTest::qWaitFor([&] { return m_connection->bytesAvailable() >= bytes.size(); }) && readAll() == bytes;
    }
    // Closes at once, whatever the peer has not read or sent.
    void close() {
        if (auto* tcp = qobject_cast<QTcpSocket*>(m_connection))
            tcp->abort();
        else if (auto* unixSocket = qobject_cast<QLocalSocket*>(m_connection))
            unixSocket->abort();
    }
    [[nodiscard]] bool seesTheEnd() const {
        if (const auto* tcp = qobject_cast<QTcpSocket*>(m_connection))
            return tcp->state() == QAbstractSocket::UnconnectedState;
        const auto* unixSocket = qobject_cast<QLocalSocket*>(m_connection);
        return unixSocket != nullptr && unixSocket->state() == QLocalSocket::UnconnectedState;
    }

private:
    const QTemporaryDir m_directory;
    QTcpServer m_tcp;
    QLocalServer m_unix;
    Endpoint m_endpoint;
    bool m_listens = false;
    QIODevice* m_connection = nullptr;  // belongs to its server
};

}  // namespace

// A Transport over a real TCP or Unix socket, with each kind of stream that this build has.
class TestSocketTransport : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase_data() {
        QTest::addColumn<Socket>("socket");
        QTest::addColumn<StreamKind>("kind");
        for (const StreamKind kind : platform::streamKinds()) {
            const char* name = kind == StreamKind::Descriptor ? "descriptor" : "Qt socket";
            QTest::addRow("TCP, %s", name) << Socket::Tcp << kind;
            QTest::addRow("Unix, %s", name) << Socket::Unix << kind;
        }
    }
    void init() {
        QFETCH_GLOBAL(Socket, socket);
        m_peer = std::make_unique<Peer>(socket);
        QVERIFY(m_peer->listens());
    }
    void cleanup() {
        m_transport.reset();
        m_peer.reset();
    }

    void carriesBytesBothWays() {
        connectToPeer();
        m_transport->write("hello");
        QVERIFY(m_peer->receives("hello"));
        QSignalSpy readyRead(m_transport.get(), &Transport::readyRead);
        m_peer->write("world");
        QTRY_COMPARE(readyRead.count(), 1);
        QCOMPARE(m_transport->readAll(), "world");
        QCOMPARE(m_transport->readAll(), "");
        QCOMPARE(m_opened, 1);
    }

    // Writes more than the system takes at once: the rest is sent in order when the peer has read.
    void whatDoesNotFitFollows() {
        connectToPeer();
        const QByteArray large = QByteArray("0123456789abcdef").repeated(250'000);
        m_transport->write(large);
        m_transport->write("the end");
        QVERIFY(m_peer->receives(large + "the end"));
        QVERIFY(m_failures.empty());
    }

    void aPeerThatClosesIsReportedOnce() {
        connectToPeer();
        m_peer->close();
        QTRY_COMPARE(m_failures.size(), size_t{1});
        QCOMPARE(m_failures.front(), Error(ErrorCode::ConnectionLost, Cause::ClosedByServer));
        m_transport->write("too late");
        QCoreApplication::processEvents();
        QCOMPARE(m_failures.size(), size_t{1});
    }

    void aPeerThatClosesInTheMiddleOfAWriteIsReportedOnce() {
        connectToPeer();
        m_transport->write(QByteArray(4'000'000, 'x'));
        m_peer->close();
        QTRY_COMPARE(m_failures.size(), size_t{1});
        QCOMPARE(m_failures.front().code, ErrorCode::ConnectionLost);
        QCoreApplication::processEvents();
        QCOMPARE(m_failures.size(), size_t{1});
    }

    // A server that refuses sends the reason and closes; bytes of this side may be on their way by then.
    void bytesBeforeTheEndAreReceived() {
        connectToPeer();
        QByteArray received;
        connect(m_transport.get(), &Transport::readyRead, this, [&] { received += m_transport->readAll(); });
        m_transport->write("HELLO");
        m_peer->write("-ERR max number of clients reached\r\n");
        m_peer->close();
        QTRY_COMPARE(m_failures.size(), size_t{1});
        QCOMPARE(received, "-ERR max number of clients reached\r\n");
    }

    void isSilentAfterClosing() {
        connectToPeer();
        QSignalSpy readyRead(m_transport.get(), &Transport::readyRead);
        m_transport->close();
        m_transport->close();
        m_transport->write("unsent");
        QTRY_VERIFY(m_peer->seesTheEnd());
        QCOMPARE(m_peer->readAll(), "");
        QCOMPARE(readyRead.count(), 0);
        QVERIFY(m_failures.empty());
    }

    void mayBeClosedFromItsOwnSignal() {
        connectToPeer();
        connect(m_transport.get(), &Transport::readyRead, this, [this] { m_transport->close(); });
        m_peer->write("x");
        QTRY_VERIFY(m_peer->seesTheEnd());
        QVERIFY(m_failures.empty());
    }

    void mayBeClosedBeforeItIsOpen() {
        makeTransport(m_peer->endpoint());
        m_transport->close();
        QCoreApplication::processEvents();
        m_transport->write("unsent");
        QCOMPARE(m_transport->readAll(), "");
        QVERIFY(m_failures.empty());
    }

    void whereNobodyListensItIsRefused() {
        const Endpoint endpoint = m_peer->endpoint();
        const lab::ReservedPort closed;
        Endpoint nobody;
        nobody.port = closed.number();
        if (!endpoint.unixPath.isEmpty())
            nobody.unixPath = endpoint.unixPath + QStringLiteral(".missing");
        makeTransport(nobody);
        m_transport->open();
        QTRY_COMPARE(m_failures.size(), size_t{1});
        QCOMPARE(m_failures.front().code, ErrorCode::ConnectionRefused);
        QCOMPARE(m_opened, 0);
    }

    // The error has the system's words: Qt's begin with the name of a function.
    void aUnixSocketThatNobodyHasIsReportedPlainly_data() {
        QTest::addColumn<bool>("isThere");
        QTest::addColumn<QString>("text");
        QTest::newRow("no file") << false << QStringLiteral("No such file or directory");
        QTest::newRow("no server") << true << QStringLiteral("Connection refused");
    }
    void aUnixSocketThatNobodyHasIsReportedPlainly() {
        QFETCH_GLOBAL(const Socket, socket);
        QFETCH(const bool, isThere);
        QFETCH(const QString, text);
        if (socket == Socket::Tcp)
            return;
        const QTemporaryDir folder;
        QFile file(folder.filePath(QStringLiteral("socket")));
        QVERIFY(!isThere || file.open(QIODevice::WriteOnly));
        Endpoint endpoint;
        endpoint.unixPath = file.fileName();
        makeTransport(endpoint);
        m_transport->open();
        QTRY_COMPARE(m_failures.size(), size_t{1});
        QCOMPARE(m_failures.front(), Error(ErrorCode::ConnectionRefused, text));
    }

private:
    void makeTransport(const Endpoint& endpoint) {
        QFETCH_GLOBAL(StreamKind, kind);
        m_transport = makeSocketTransport(endpoint, kind);
        m_failures.clear();
        m_opened = 0;
        connect(m_transport.get(), &Transport::opened, this, [this] { ++m_opened; });
        connect(m_transport.get(), &Transport::failed, this,
                [this](const Error& error) { m_failures.push_back(error); });
    }
    void connectToPeer() {
        makeTransport(m_peer->endpoint());
        m_transport->open();
        QVERIFY(m_peer->accepts());
        QTRY_COMPARE(m_opened, 1);
    }

    std::unique_ptr<Peer> m_peer;
    std::unique_ptr<Transport> m_transport;
    int m_opened = 0;
    std::vector<Error> m_failures;
};

LOCKKEEPER_TEST(TestSocketTransport, Guiless)

}  // namespace tst_sockettransport

#include "tst_sockettransport.moc"
