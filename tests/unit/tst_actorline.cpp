// SPDX-License-Identifier: Apache-2.0
#include "lab/actorline.h"
#include "support/manualclock.h"
#include "support/testprogram.h"

#include <QLocalServer>
#include <QLocalSocket>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

namespace tst_actorline {

using namespace lockkeeper;
using namespace std::chrono_literals;

// The network between an actor and its servers, which can be slow. Before a test checks that something has not
// happened, another connection, which is not delayed, passes through the event loop.
class TestActorLine : public QObject {
    Q_OBJECT

private:
    [[nodiscard]] redis::Endpoint endpoint(const char* name = "socket") const {
        redis::Endpoint endpoint;
        endpoint.unixPath = m_folder.filePath(QString::fromLatin1(name));
        return endpoint;
    }
    // Everything that was on its way in the event loop has arrived.
    void anotherConnectionOpens() {
        const qsizetype before = m_accepted;
        lab::ActorLine other(m_clock);
        const std::unique_ptr<redis::Transport> transport = other.dial(endpoint());
        const QSignalSpy opened(transport.get(), &redis::Transport::opened);
        transport->open();
        QTRY_COMPARE(opened.count(), 1);
        QTRY_VERIFY(m_accepted > before);
        transport->close();
    }

    // A connection that an actor with a slow network opens.
    struct SlowConnection {
        SlowConnection(test::ManualClock& clock, const redis::Endpoint& endpoint) : line(clock) {
            line.setDelay(300ms);
            transport = line.dial(endpoint);
            opened.emplace(transport.get(), &redis::Transport::opened);
            failed.emplace(transport.get(), &redis::Transport::failed);
            readable.emplace(transport.get(), &redis::Transport::readyRead);
            transport->open();
        }

        lab::ActorLine line;
        std::unique_ptr<redis::Transport> transport;
        std::optional<QSignalSpy> opened;
        std::optional<QSignalSpy> failed;
        std::optional<QSignalSpy> readable;
    };

    QTemporaryDir m_folder;
    test::ManualClock m_clock;
    QLocalServer m_server;
    qsizetype m_accepted = 0;

private Q_SLOTS:
    void initTestCase() {
        connect(&m_server, &QLocalServer::newConnection, this, [this] {
            while (QLocalSocket* socket = m_server.nextPendingConnection()) {
                ++m_accepted;
                connect(socket, &QLocalSocket::readyRead, socket, [socket] { socket->write(socket->readAll()); });
            }
        });
        QVERIFY(m_server.listen(endpoint().unixPath));
    }
    void init() { m_accepted = 0; }

    void aConnectionOpensAfterTheDelayOfEachWay() {
        const SlowConnection slow(m_clock, endpoint());
        m_clock.advance(299ms);
        anotherConnectionOpens();
        QCOMPARE(m_accepted, 1);
        m_clock.advance(1ms);
        QTRY_COMPARE(m_accepted, 2);
        anotherConnectionOpens();
        QCOMPARE(slow.opened->count(), 0);
        m_clock.advance(299ms);
        QCOMPARE(slow.opened->count(), 0);
        m_clock.advance(1ms);
        QCOMPARE(slow.opened->count(), 1);
    }

    void aRefusalComesAfterTheDelayOfEachWay() {
        const SlowConnection slow(m_clock, endpoint("nobody"));
        m_clock.advance(300ms);
        anotherConnectionOpens();
        QCOMPARE(slow.failed->count(), 0);
        m_clock.advance(300ms);
        QTRY_COMPARE(slow.failed->count(), 1);
    }

    // Also bytes that were sent when the network was faster.
    void nothingOvertakesTheOpening() {
        SlowConnection slow(m_clock, endpoint());
        m_clock.advance(300ms);
        anotherConnectionOpens();
        slow.line.setDelay(0ms);
        slow.transport->write("a");
        anotherConnectionOpens();
        QCOMPARE(slow.readable->count(), 0);
        m_clock.advance(300ms);
        QCOMPARE(slow.opened->count(), 1);
        QTRY_COMPARE(slow.readable->count(), 1);
        QCOMPARE(slow.transport->readAll(), "a");
    }

    void withoutADelayItOpensAtOnce() {
        lab::ActorLine line(m_clock);
        const std::unique_ptr<redis::Transport> transport = line.dial(endpoint());
        const QSignalSpy opened(transport.get(), &redis::Transport::opened);
        transport->open();
        QTRY_COMPARE(opened.count(), 1);
    }

    void whileItIsCutNothingOpens() {
        lab::ActorLine line(m_clock);
        line.holdUp(lab::ActorLine::Reason::Cut);
        const std::unique_ptr<redis::Transport> transport = line.dial(endpoint());
        const QSignalSpy opened(transport.get(), &redis::Transport::opened);
        transport->open();
        anotherConnectionOpens();
        QCOMPARE(m_accepted, 1);
        line.letPass(lab::ActorLine::Reason::Cut);
        QTRY_COMPARE(opened.count(), 1);
    }
};

LOCKKEEPER_TEST(TestActorLine, Guiless)

}  // namespace tst_actorline

#include "tst_actorline.moc"
