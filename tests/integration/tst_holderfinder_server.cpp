// SPDX-License-Identifier: Apache-2.0
#include "base/systemclock.h"
#include "locks/kinds/reentrantlock.h"
#include "locks/lockclient.h"
#include "monitor/analyse/who/holderfinder.h"
#include "redis/sockettransport.h"
#include "support/leastrights.h"
#include "support/redisserver.h"
#include "support/serverhand.h"
#include "support/taskwait.h"
#include "support/testprogram.h"

#include <QTest>

namespace tst_holderfinder_server {

using namespace lockkeeper;
using namespace lockkeeper::monitor;
using namespace std::chrono_literals;

namespace {

constexpr Milliseconds watchdogTimeout = 900ms;
const HolderId nobody(ClientId("0ae6d8e3-41d2-4a0e-9c76-0a4f3c1f6f10"), ThreadId(33));

// A finder on a real server, and its single answer.
class Search {
public:
    Search(const redis::ConnectionOptions& options, const HolderSearch& search)
        : m_shards([options] { return redis::makeSocketTransport(options.endpoint); }),
          m_finder(options, m_shards, m_clock) {
        QObject::connect(&m_finder, &HolderFinder::finished,
                         [this](OperationId, const HolderIdentity& identity) { m_identity = identity; });
        m_finder.find(OperationId(1), search);
    }

    [[nodiscard]] bool isUnderWay() const { return !m_identity; }
    [[nodiscard]] HolderIdentity identity() {
        (void)test::becomesTrue([this] { return m_identity.has_value(); }, 15000);
        return m_identity.value_or(HolderIdentity());
    }

private:
    SystemClock m_clock;
    topology::OneShard m_shards;
    HolderFinder m_finder;
    std::optional<HolderIdentity> m_identity;
};

}  // namespace

// Finding out who a holder is, on a real server with clients whose watchdogs renew.
class TestHolderFinderServer : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() {
        m_server = std::make_unique<test::RedisServer>();
        QVERIFY(m_server->start());
    }
    void cleanup() {
        m_holder.reset();
        m_other.reset();
    }

    void aRenewalNamesItsClient() {
        m_holder = hold("orders-a", "L");
        m_other = hold("orders-b", "M");
        Search search(readOnly(), {LockName("L"), m_holder->id(), 10s});
        const HolderIdentity identity = search.identity();
        QCOMPARE(identity.basis, IdentityBasis::Monitor);
        QVERIFY2(identity.address.startsWith("127.0.0.1:"), identity.address.constData());
        QCOMPARE(identity.name, QByteArray("orders-a"));
        QCOMPARE(identity.user, QByteArray("default"));
        QVERIFY(!identity.error);
        QVERIFY(m_server->cli({"CLIENT", "LIST"}).contains(QString::fromLatin1("addr=" + identity.address + ' ')));
        QTRY_VERIFY(!monitors());
    }

    // The line of resources/manual/connecting.md, "Rights", and what who-holds-it.md adds.
    void theRightsThatReadmeNamesAreEnough() {
        m_holder = hold("orders-a", "L");
        QCOMPARE(
            m_server->cli(QStringList{"ACL", "SETUSER", "lockkeeper"} + test::leastRights(*m_server) << "+monitor"),
            "OK");
        redis::ConnectionOptions options = readOnly();
        options.credentials = {"lockkeeper", "pw"};
        Search search(options, {LockName("L"), m_holder->id(), 10s});
        QCOMPARE(search.identity().basis, IdentityBasis::Monitor);
        QCOMPARE(search.identity().name, QByteArray("orders-a"));
    }

    void whereNothingMatchesItEndsByItselfAndGuessesNothing() {
        m_holder = hold("orders-a", "L");
        test::ServerHand(*m_server).take("M", nobody);
        Search search(m_server->tcpOptions(), {LockName("L"), nobody.client(), 1s});
        QTRY_VERIFY(monitors());
        QVERIFY(search.isUnderWay());
        const HolderIdentity identity = search.identity();
        QVERIFY(identity.basis != IdentityBasis::Monitor);
        QVERIFY(!identity.error);
        QTRY_VERIFY(!monitors());
    }

    void withoutTheRightToMonitorThatIsReported_data() {
        QTest::addColumn<QString>("list");
        QTest::addColumn<IdentityBasis>("basis");
        QTest::newRow("but may see the list") << "+client|list" << IdentityBasis::OnlyHost;
        QTest::newRow("nor see the list") << "-client|list" << IdentityBasis::None;
    }
    void withoutTheRightToMonitorThatIsReported() {
        QFETCH(QString, list);
        m_holder = hold("orders-a", "L");
        m_server->cli({"ACL", "SETUSER", "watcher", "on", ">pw", "-@all", "+hello", "+ping", "+client|setname", list});
        redis::ConnectionOptions options = readOnly();
        options.credentials = {"watcher", "pw"};
        Search search(options, {LockName("L"), m_holder->id(), 10s});
        const HolderIdentity identity = search.identity();
        QCOMPARE(identity.error->code, ErrorCode::NotPermitted);
        QTEST(identity.basis, "basis");
    }

private:
    redis::ConnectionOptions readOnly() const {
        redis::ConnectionOptions options = m_server->tcpOptions();
        options.access = redis::AccessMode::ReadOnly;
        return options;
    }

    std::unique_ptr<locks::LockClient> hold(const QByteArray& clientName, const QByteArray& lock) {
        redis::ConnectionOptions options = m_server->tcpOptions();
        options.clientName = clientName;
        locks::LockClientOptions clientOptions;
        clientOptions.watchdogTimeout = watchdogTimeout;
        auto client = std::make_unique<locks::LockClient>(options, m_clock, clientOptions);
        client->open();
        const Deadline soon = Deadline::in(m_clock, 5s);
        const Result<locks::LockAttempt> taken =
            test::waitFor(client->reentrantLock(LockName(lock)).tryLock(ThreadId(33), soon));
        if (!taken || !taken->acquired())
            qWarning() << "the lock was not taken";
        return client;
    }

    // The connection of redis-cli itself does not count.
    [[nodiscard]] bool monitors() const {
        return m_server->cli({"CLIENT", "LIST"}).contains(QStringLiteral(" flags=O "));
    }

    SystemClock m_clock;
    std::unique_ptr<test::RedisServer> m_server;
    std::unique_ptr<locks::LockClient> m_holder;
    std::unique_ptr<locks::LockClient> m_other;
};

LOCKKEEPER_TEST(TestHolderFinderServer, Guiless)

}  // namespace tst_holderfinder_server

#include "tst_holderfinder_server.moc"
