// SPDX-License-Identifier: Apache-2.0
#include "redis/descriptortransport.h"
#include "support/testprogram.h"

#include <QSignalSpy>
#include <QTest>

#include <sys/socket.h>
#include <unistd.h>
#include <array>
#include <cerrno>

using namespace lockkeeper;
using namespace lockkeeper::redis;

namespace {

// Opens onto one end of a pair of sockets; the test has the other end.
class PairTransport final : public DescriptorTransport {
public:
    explicit PairTransport(int descriptor) : m_descriptor(descriptor) {}
    ~PairTransport() override { stopOpening(); }

    void open() override { adopt(m_descriptor); }
    [[nodiscard]] bool isOpening() const { return m_descriptor >= 0; }

private:
    void stopOpening() override {
        if (m_descriptor >= 0)
            ::close(std::exchange(m_descriptor, -1));
    }

    int m_descriptor;
};

}  // namespace

class TestDescriptorTransport : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() {
        std::array<int, 2> pair{};
        QCOMPARE(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair.data()), 0);
        m_peer = pair[1];
        m_transport = std::make_unique<PairTransport>(pair[0]);
        m_failures.clear();
        m_opened = 0;
        connect(m_transport.get(), &Transport::opened, this, [this] { ++m_opened; });
        connect(m_transport.get(), &Transport::failed, this,
                [this](const Error& error) { m_failures += wordFor(error.code); });
        m_transport->open();
    }
    void cleanup() {
        m_transport.reset();
        closePeer();
    }

    void takesOverAndLetsItsOwnerGo() {
        QCOMPARE(m_opened, 1);
        QVERIFY(!m_transport->isOpening());
    }

    void carriesBytesBothWays() {
        m_transport->write("hello");
        QCOMPARE(readFromPeer(5), "hello");
        writeToPeer("world");
        QSignalSpy readyRead(m_transport.get(), &Transport::readyRead);
        QTRY_COMPARE(readyRead.count(), 1);
        QCOMPARE(m_transport->readAll(), "world");
        QCOMPARE(m_transport->readAll(), "");
    }

    // More than the system takes at once: the rest is sent in order when the peer has read.
    void whatDoesNotFitFollows() {
        const QByteArray large = QByteArray("0123456789abcdef").repeated(200000);
        m_transport->write(large);
        m_transport->write("the end");
        QByteArray received;
        QTRY_VERIFY(appendFromPeer(received) >= large.size() + 7);
        QCOMPARE(received.size(), large.size() + 7);
        QVERIFY(received == large + "the end");
        QVERIFY(m_failures.isEmpty());
    }

    void theEndIsTold() {
        closePeer();
        QTRY_COMPARE(m_failures, QStringList{"ConnectionLost"});
        QTest::qWait(0);
        QCOMPARE(m_failures.size(), 1);
    }

    // A server that refuses sends the reason and closes; our own bytes may arrive too late by then.
    void lastWordsAreHeardBeforeTheEnd() {
        QByteArray heard;
        connect(m_transport.get(), &Transport::readyRead, this, [this, &heard] { heard += m_transport->readAll(); });
        writeToPeer("-ERR max number of clients reached\r\n");
        closePeer();
        m_transport->write("HELLO");
        QVERIFY(m_failures.isEmpty());
        QTRY_COMPARE(m_failures.size(), 1);
        QCOMPARE(heard, "-ERR max number of clients reached\r\n");
    }

    void isSilentAfterClosing() {
        writeToPeer("too late");
        m_transport->close();
        m_transport->close();
        m_transport->write("unheard");
        QSignalSpy readyRead(m_transport.get(), &Transport::readyRead);
        QTest::qWait(1);
        QCOMPARE(readyRead.count(), 0);
        QVERIFY(m_failures.isEmpty());
        QVERIFY(peerSeesTheEnd());
    }

    void mayBeClosedFromItsOwnSignal() {
        connect(m_transport.get(), &Transport::readyRead, this, [this] { m_transport->close(); });
        writeToPeer("x");
        QTRY_VERIFY(peerSeesTheEnd());
        QVERIFY(m_failures.isEmpty());
    }

    void aDescriptorThatIsNoneFails() {
        PairTransport broken(-1);
        QSignalSpy failed(&broken, &Transport::failed);
        broken.open();
        QCOMPARE(failed.count(), 1);
    }

private:
    void writeToPeer(const QByteArray& bytes) {
        QCOMPARE(::write(m_peer, bytes.constData(), static_cast<size_t>(bytes.size())), bytes.size());
    }
    // The bytes that have arrived, at most this many.
    QByteArray readFromPeer(qsizetype size) {
        QByteArray bytes(size, '\0');
        bytes.resize(std::max<qsizetype>(0, ::recv(m_peer, bytes.data(), static_cast<size_t>(size), MSG_DONTWAIT)));
        return bytes;
    }
    bool peerSeesTheEnd() {
        char byte = 0;
        const ssize_t count = ::recv(m_peer, &byte, 1, MSG_DONTWAIT);
        return count == 0 || (count < 0 && errno == ECONNRESET);  // ECONNRESET if some bytes were not read
    }
    qsizetype appendFromPeer(QByteArray& received) {
        std::array<char, 65536> chunk{};
        for (;;) {
            const ssize_t count = ::recv(m_peer, chunk.data(), chunk.size(), MSG_DONTWAIT);
            if (count <= 0)
                return received.size();
            received.append(chunk.data(), count);
            QCoreApplication::processEvents();
        }
    }
    void closePeer() {
        if (m_peer >= 0)
            ::close(std::exchange(m_peer, -1));
    }

    int m_peer = -1;
    int m_opened = 0;
    QStringList m_failures;
    std::unique_ptr<PairTransport> m_transport;
};

LOCKKEEPER_TEST(TestDescriptorTransport, Guiless)
#include "tst_descriptortransport.moc"
