// SPDX-License-Identifier: Apache-2.0
#include "support/fakeserver.h"
#include "support/testprogram.h"
#include "topology/mastertransport.h"

#include <QSignalSpy>
#include <QTest>

namespace tst_mastertransport {

using namespace lockkeeper;
using topology::Address;

namespace {

redis::Endpoint server(const char* host) {
    redis::Endpoint endpoint;
    endpoint.host = QString::fromLatin1(host);
    return endpoint;
}

class ToldMaster final : public topology::MasterSource {
public:
    [[nodiscard]] Completion<redis::Endpoint> find() override {
        asked.push_back({});
        return asked.back();
    }
    std::vector<Completion<redis::Endpoint>> asked;
};

}  // namespace

class TestMasterTransport : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() {
        m_inner = nullptr;
        m_dialled.clear();
        m_source = std::make_unique<ToldMaster>();
        m_transport = std::make_unique<topology::MasterTransport>(m_source.get(), dialer());
        m_failures = std::make_unique<QSignalSpy>(m_transport.get(), &redis::Transport::failed);
        m_transport->open();
    }
    void cleanup() { m_transport.reset(); }

    void opensAtTheMaster() {
        QSignalSpy opened(m_transport.get(), &redis::Transport::opened);
        QVERIFY(!m_inner);
        answer(server("a"));
        QCOMPARE(m_dialled, QStringList{"a:6379"});
        QVERIFY(m_inner->wasOpened);
        m_inner->becomeOpen();
        QCOMPARE(opened.count(), 1);
    }

    void bytesGoBothWays() {
        QSignalSpy readable(m_transport.get(), &redis::Transport::readyRead);
        openAt("a");
        m_transport->write("PING");
        QCOMPARE(m_inner->takeWritten(), "PING");
        m_inner->receive("+PONG");
        QCOMPARE(readable.count(), 1);
        QCOMPARE(m_transport->readAll(), "+PONG");
    }

    void failsWithTheReasonOfTheSource() {
        answer(Error(ErrorCode::Timeout, Cause::NoSentinel));
        QCOMPARE(failure(), Error(ErrorCode::Timeout, Cause::NoSentinel));
        QVERIFY(!m_inner);
    }

    // The error has the address of the master, which the user did not type.
    void failsAsTheServerDoes() {
        openAt("a");
        m_inner->fail(ErrorCode::ConnectionRefused);
        QCOMPARE(failure().code, ErrorCode::ConnectionRefused);
        QVERIFY2(failure().text.startsWith("a:6379: "), qPrintable(failure().text));
    }

    void endsWhenAnotherServerBecomesTheMaster() {
        openAt("a");
        Q_EMIT m_source->masterChanged(server("a"));
        QVERIFY(m_failures->isEmpty());
        Q_EMIT m_source->masterChanged(server("b"));
        QCOMPARE(failure(), Error(ErrorCode::ConnectionLost, Cause::MasterChanged, {"a:6379", "b:6379"}));
        QVERIFY(m_inner->wasClosed);
        Q_EMIT m_source->masterChanged(server("c"));
        QCOMPARE(m_failures->count(), 1);
    }

    // The source answers from inside a task, which a receiver of failed() may end.
    void nothingHappensInsideTheAnswer() {
        m_source->asked.front().complete(Error(ErrorCode::Timeout, Cause::NoSentinel));
        QVERIFY(m_failures->isEmpty());
        test::turnEventLoop();
        QCOMPARE(m_failures->count(), 1);
    }

    void aChangeJustAfterTheAnswerCounts() {
        m_source->asked.front().complete(server("a"));
        Q_EMIT m_source->masterChanged(server("b"));
        test::turnEventLoop();
        QCOMPARE(m_dialled, QStringList{"b:6379"});
    }

    void afterCloseNothingFollows() {
        m_transport->close();
        answer(server("a"));
        QVERIFY(m_dialled.isEmpty());
        QVERIFY(m_failures->isEmpty());
    }

    void withoutItsSourceItFails() {
        topology::MasterTransport late(m_source.get(), dialer());
        QSignalSpy failures(&late, &redis::Transport::failed);
        m_source.reset();
        late.open();
        test::turnEventLoop();
        QCOMPARE(failures.count(), 1);
    }

    void anAnnouncedAddressIsReachedByItsMapping() {
        redis::Endpoint seen = server("10.0.0.1");
        seen.port = 6380;
        const topology::Dialer mapped(topology::AddressMap{{Address{"10.0.0.1", 6380}, Address{"localhost", 7001}}});
        QCOMPARE(mapped.reachable(seen).display(), "localhost:7001");
        QCOMPARE(mapped.reachable(seen).serverName, "10.0.0.1");
        seen.announcedNames = {QStringLiteral("n1.example")};
        QCOMPARE(mapped.reachable(seen).announcedNames, seen.announcedNames);
        QCOMPARE(mapped.reachable(seen).serverName, QString());
        seen.port = 6381;
        QCOMPARE(mapped.reachable(seen), seen);
    }

private:
    [[nodiscard]] topology::Dialer dialer() {
        return topology::Dialer([this](const redis::Endpoint& endpoint) {
            m_dialled += endpoint.display();
            auto inner = std::make_unique<test::FakeTransport>();
            m_inner = inner.get();
            return inner;
        });
    }
    void answer(const Result<redis::Endpoint>& master) {
        m_source->asked.front().complete(master);
        test::turnEventLoop();
    }
    void openAt(const char* host) {
        answer(server(host));
        m_inner->becomeOpen();
    }
    [[nodiscard]] Error failure() const { return m_failures->value(0).value(0).value<Error>(); }

    std::unique_ptr<ToldMaster> m_source;
    test::FakeTransport* m_inner = nullptr;
    QStringList m_dialled;
    std::unique_ptr<topology::MasterTransport> m_transport;
    std::unique_ptr<QSignalSpy> m_failures;
};

LOCKKEEPER_TEST(TestMasterTransport, Guiless)

}  // namespace tst_mastertransport

#include "tst_mastertransport.moc"
