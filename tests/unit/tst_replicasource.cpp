// SPDX-License-Identifier: Apache-2.0
#include "support/fakeserver.h"
#include "support/manualclock.h"
#include "support/testprogram.h"
#include "topology/replicasource.h"

#include <QSignalSpy>
#include <QTest>

namespace tst_replicasource {

using namespace lockkeeper;
using namespace std::chrono_literals;
using topology::Address;

namespace {

const QByteArray master = "*3\r\n$6\r\nmaster\r\n:42\r\n*0\r\n";

QByteArray replicaOf(const QByteArray& host, int port) {
    return "*5\r\n$5\r\nslave\r\n" + test::bulk(host) + test::number(port) + "$9\r\nconnected\r\n:42\r\n";
}

}  // namespace

// Finds the master among servers, each of which knows only its own role.
class TestReplicaSource : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() {
        m_clock = std::make_unique<test::ManualClock>();
        m_servers.clear();
        m_dialled.clear();
        m_found.reset();
    }
    void cleanup() {
        m_source.reset();
        test::turnEventLoop();
    }

    void asksAllForTheirRoleAtOnce() {
        make({"a", "b"});
        find();
        QCOMPARE(m_dialled, (QStringList{"a:6379", "b:6379"}));
        report("a", replicaOf("c", 1));
        QVERIFY(!m_found);
        report("b", master);
        QVERIFY(m_found && m_found->ok());
        QCOMPARE(m_found->value().display(), "b:6379");
    }

    void aReplicaLeadsToItsMaster() {
        make({"a"});
        find();
        report("a", replicaOf("10.0.0.7", 6380));
        QCOMPARE(m_dialled, (QStringList{"a:6379", "10.0.0.7:6380"}));
        report("10.0.0.7", master);
        QCOMPARE(m_found->value().display(), "10.0.0.7:6380");
    }

    void eachServerIsAskedOnce() {
        make({"a", "b"});
        find();
        report("a", replicaOf("b", 6379));
        QCOMPARE(m_dialled.size(), 2);
        report("b", replicaOf("a", 6379));
        QCOMPARE(m_found->error(), Error(ErrorCode::ConnectionLost, Cause::NotMaster, {"slave", "a:6379"}));
    }

    void aServerThatIsGoneDoesNotMatter() {
        make({"a", "b"});
        find();
        server("a").lastLink().lose(ErrorCode::ConnectionRefused);
        report("b", master);
        QCOMPARE(m_found->value().display(), "b:6379");
    }

    void isToldAMasterThatComesBackInTime() {
        make({"a"});
        find();
        server("a").lastLink().lose(ErrorCode::ConnectionRefused);
        m_clock->advance(200ms);
        report("a", master);
        QVERIFY(m_found && m_found->ok());
    }

    void saysWhyThereIsNone() {
        make({"a", "b"});
        find();
        server("a").lastLink().lose(ErrorCode::ConnectionRefused);
        server("b").lastLink().lose(ErrorCode::ConnectionRefused);
        m_clock->advance(3s);
        QCOMPARE(m_found->error().code, ErrorCode::ConnectionRefused);
    }

    void nothingIsLeftOpenAfterwards() {
        make({"a", "b"});
        find();
        report("a", master);
        QVERIFY(!server("a").lastLink().isOpen());
        QVERIFY(!server("b").lastLink().isOpen());
    }

    void aMasterThatMovedIsReported() {
        make({"a", "b"});
        QSignalSpy changed(m_source.get(), &topology::MasterSource::masterChanged);
        find();
        report("a", master);
        QCOMPARE(changed.count(), 1);
        find();
        report("a", replicaOf("b", 6379));
        report("b", master);
        QCOMPARE(changed.count(), 2);
        QCOMPARE(changed.back().front().value<redis::Endpoint>().display(), "b:6379");
    }

    void endsWhileItIsAsked() {
        make({"a"});
        find();
        m_source.reset();
        QCOMPARE(m_found->error().code, ErrorCode::Cancelled);
    }

private:
    void make(const QStringList& hosts) {
        QList<Address> addresses;
        for (const QString& host : hosts)
            addresses += Address{host, 6379};
        const topology::Dialer dialer([this](const redis::Endpoint& endpoint) {
            m_dialled += endpoint.display();
            return server(endpoint.host).factory()();
        });
        m_source = std::make_unique<topology::ReplicaSource>(addresses, redis::ConnectionOptions(), dialer, *m_clock);
    }
    test::FakeServer& server(const QString& host) {
        std::unique_ptr<test::FakeServer>& found = m_servers[host];
        if (!found)
            found = std::make_unique<test::FakeServer>();
        return *found;
    }
    void find() {
        m_found.reset();
        m_source->find().then([this](const Result<redis::Endpoint>& found) { m_found = found; });
    }
    // Reports that the server accepts the connection and answers the question for its role.
    void report(const QString& host, const QByteArray& role) {
        server(host).lastLink().shakeHands("master", {{"ROLE", role}});
    }

    std::unique_ptr<test::ManualClock> m_clock;
    std::map<QString, std::unique_ptr<test::FakeServer>> m_servers;
    std::unique_ptr<topology::ReplicaSource> m_source;
    QStringList m_dialled;
    std::optional<Result<redis::Endpoint>> m_found;
};

LOCKKEEPER_TEST(TestReplicaSource, Guiless)

}  // namespace tst_replicasource

#include "tst_replicasource.moc"
