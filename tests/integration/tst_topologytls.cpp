// SPDX-License-Identifier: Apache-2.0
#include "base/systemclock.h"
#include "support/auditedengine.h"
#include "support/certificates.h"
#include "support/clustersetup.h"
#include "support/countingproxy.h"
#include "support/sentinelsetup.h"
#include "support/serverhand.h"
#include "support/sessionprobe.h"
#include "support/steppedsession.h"
#include "support/taskwait.h"
#include "support/testprogram.h"
#include "topology/clustersource.h"

#include <QTemporaryDir>
#include <QTest>

namespace tst_topologytls {

using namespace lockkeeper;
using namespace lockkeeper::monitor;
using namespace lockkeeper::test;
using namespace std::chrono_literals;

// Real Sentinels, and a real Cluster, that accept only TLS.
class TestTopologyTls : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() {
        m_ours.issue("n0", "IP:127.0.0.1,DNS:n0.example");  // the address that the user types
        m_ours.issue("n1", "DNS:n1.example");
        m_ours.issue("n2", "DNS:n2.example");
        m_ours.issue("elsewhere", "DNS:elsewhere.example");
        m_ours.issue("server", "IP:127.0.0.1");
        const auto more = [this](int number) {
            const QString name = QStringLiteral("n%1").arg(number);
            return m_ours.onlyTls(name) +
                   QStringList{"--tls-cluster", "yes", "--cluster-announce-hostname", name + ".example"};
        };
        m_cluster = std::make_unique<ClusterSetup>(3, 0, more);
        QVERIFY(m_cluster->start());
    }
    void cleanupTestCase() { m_cluster.reset(); }

    void aClusterIsWatchedAndLocked() {
        test::AuditedEngine engine;
        SessionProbe page(engine);
        page.connectTo(clusterUrl(m_ours));
        QTRY_VERIFY(page.isConnected());
        for (size_t i = 0; i < 3; ++i) {
            const QByteArray name = m_cluster->keyOn(i, "L");
            ServerHand(m_cluster->master(i)).take(name, alice, 60000);
            QTRY_VERIFY(isAt(page, name, i));
            page.acquire(m_cluster->keyOn(i, "mine").constData());
            QTRY_COMPARE(page.own.size(), static_cast<qsizetype>(i) + 1);
        }
        const QByteArray moving = m_cluster->keyOn(0, "mine");
        QVERIFY(m_cluster->moveSlot(topology::hashSlotOf(moving), 0, 1));
        page.acquire(moving.constData());
        QTRY_COMPARE(m_cluster->master(1).cli({"HVALS", moving}), "2");
        QTRY_VERIFY(isAt(page, moving, 1));
    }

    void aNodeWithAnotherCertificateIsNamed() {
        useCertificate(2, "elsewhere");
        const CountingProxy proxy(m_cluster->master(2).port());
        SteppedSession page(clusterUrl(m_ours) + mapped(2, proxy));
        const auto node = [&](size_t master) {
            const QList<NodeStatus> nodes = page.stats.nodes;
            const auto found = std::ranges::find(nodes, m_cluster->address(master), &NodeStatus::address);
            return found == nodes.end() ? NodeStatus() : *found;
        };
        QTRY_COMPARE(node(0).phase, NodePhase::Watching);
        QTRY_COMPARE(node(1).phase, NodePhase::Watching);
        QTRY_COMPARE(node(2).phase, NodePhase::Reconnecting);
        QCOMPARE(node(2).error->cause, Cause::CertificateOtherHost);
        const int before = proxy.accepted();
        constexpr int seconds = 3;
        QVERIFY(page.runFor(seconds * 1s));
        const int attempts = proxy.accepted() - before;
        qInfo("%d attempts", attempts);
        // One connection watches, and another one follows when the server is reached. It tries at most twice a second
        // in the end.
        QVERIFY(attempts > 0 && attempts <= 5 + 2 * seconds);
        useCertificate(2, "n2");
        QTRY_COMPARE(node(2).phase, NodePhase::Watching);
    }

    void anUnknownAuthorityIsOneClearError_data() {
        QTest::addColumn<bool>("isCluster");
        QTest::addColumn<int>("mostAttempts");
        QTest::newRow("Cluster") << true << 2;
        // The wait for Sentinels is 5 s.
        QTest::newRow("Sentinel") << false << 15;
    }
    void anUnknownAuthorityIsOneClearError() {
        QFETCH(bool, isCluster);
        QFETCH(int, mostAttempts);
        const auto sentinels = isCluster ? nullptr : startSentinels();
        const QString url = isCluster ? clusterUrl(m_others) : sentinelUrl(*sentinels, m_others);
        const quint16 port = isCluster ? m_cluster->master(0).port() : sentinels->sentinel(0).port();
        const CountingProxy proxy(port);
        SteppedSession page(url + QStringLiteral("&map=127.0.0.1:%1=127.0.0.1:%2").arg(port).arg(proxy.port()));
        QTRY_COMPARE_WITH_TIMEOUT(page.status.phase, ConnectionPhase::Failed, 30000);
        QCOMPARE(page.status.error->cause, Cause::CertificateNotTrusted);
        // The wait for Sentinels may end during an attempt: the proxy has that connection, and counts it now.
        QCoreApplication::processEvents();
        const int attempts = proxy.accepted();
        qInfo("%d attempts", attempts);
        QVERIFY(attempts > 0 && attempts <= mostAttempts);
        // No further attempt is made.
        QVERIFY(page.runFor(2s));
        QCOMPARE(proxy.accepted(), attempts);
    }

    void aFailoverBehindSentinelIsFollowed() {
        const auto setup = startSentinels();
        test::AuditedEngine engine;
        SessionProbe page(engine);
        page.connectTo(sentinelUrl(*setup, m_ours));
        QTRY_VERIFY_WITH_TIMEOUT(page.isConnected(), 10000);
        page.acquire("mine");
        QTRY_COMPARE(page.own.size(), 1);
        QTRY_COMPARE(setup->second().cli({"EXISTS", "mine"}), "1");
        QVERIFY(setup->failOver());
        QTRY_COMPARE_WITH_TIMEOUT(page.status.master, QStringLiteral("127.0.0.1:%1").arg(setup->second().port()),
                                  10000);
        page.acquire("taken after it");
        QTRY_COMPARE_WITH_TIMEOUT(page.own.size(), 2, 10000);
        QTRY_VERIFY(page.holds("taken after it"));
        QVERIFY(page.holds("mine"));
        QVERIFY(page.lost.isEmpty());
    }

    void sentinelsHaveSettingsOfTheirOwn_data() {
        QTest::addColumn<bool>("haveServersTls");
        QTest::addColumn<bool>("haveSentinelsTls");
        QTest::newRow("TLS for the servers alone") << true << false;
        QTest::newRow("TLS for the Sentinels alone") << false << true;
        QTest::newRow("another authority for each") << true << true;
    }
    void sentinelsHaveSettingsOfTheirOwn() {
        QFETCH(const bool, haveServersTls);
        QFETCH(const bool, haveSentinelsTls);
        SentinelSetup::Options options;
        if (haveServersTls)
            options.more = m_ours.onlyTls("server");
        m_others.issue("sentinel", "IP:127.0.0.1");
        // As clients of the servers, Sentinels need the certificate of the servers' authority.
        options.ofSentinels = haveSentinelsTls ? m_others.onlyTls("sentinel") : QStringList();
        if (haveServersTls && haveSentinelsTls)
            *options.ofSentinels << "--tls-ca-cert-file" << bothAuthorities();
        else if (haveServersTls)
            *options.ofSentinels << "--tls-ca-cert-file" << m_ours.authority() << "--tls-cert-file"
                                 << m_ours.certificate("server") << "--tls-key-file" << m_ours.key("server")
                                 << "--tls-replication"
                                 << "yes";
        else
            *options.ofSentinels << "--tls-replication"
                                 << "no";
        SentinelSetup setup(1, options);
        QVERIFY(setup.start());
        const QString scheme = haveServersTls ? "rediss-" : "redis-";
        const QString servers =
            setup.url().replace("redis-", scheme) + "?share=50" + (haveServersTls ? "&ca=" + m_ours.authority() : "");
        const QString sentinels = haveSentinelsTls ? "&sentinel-ca=" + m_others.authority() : "&sentinel-tls=no";
        test::AuditedEngine engine;
        SessionProbe page(engine);
        page.connectTo(servers + sentinels);
        QTRY_VERIFY_WITH_TIMEOUT(page.isConnected(), 10000);
        page.acquire("mine");
        QTRY_COMPARE(setup.first().cli({"EXISTS", "mine"}), "1");
        // Without settings of their own the Sentinels get those of the servers, with which no Sentinel is reached.
        SessionProbe other(engine);
        other.connectTo(servers);
        QTRY_COMPARE_WITH_TIMEOUT(other.status.phase, ConnectionPhase::Failed, 20000);
    }

    // Only the certificate of the first node has the address that the user typed. The first node ends here.
    void theOtherNodesAreAskedByTheirNames() {
        redis::ConnectionOptions options;
        options.endpoint.security = redis::Security::Tls;
        options.endpoint.caFile = m_ours.authority();
        SystemClock clock;
        topology::ClusterSource source({{"127.0.0.1", m_cluster->master(0).port()}}, options, topology::Dialer(),
                                       clock);
        source.open();
        const QByteArray name = m_cluster->keyOn(1, "asked:");
        const topology::HashSlot slot = topology::hashSlotOf(name);
        QTRY_VERIFY(source.shardOf(slot));
        QCOMPARE(source.masterOf(*source.shardOf(slot)), m_cluster->address(1));
        QVERIFY(m_cluster->moveSlot(slot, 1, 2));
        m_cluster->master(0).kill();
        source.refresh();
        QTRY_COMPARE_WITH_TIMEOUT(source.masterOf(*source.shardOf(slot)), m_cluster->address(2), 10000);
    }

private:
    [[nodiscard]] bool isAt(const SessionProbe& page, const QByteArray& name, size_t master) const {
        const LockSnapshot lock = page.rows.value(LockName(name)).lock;
        return lock.isHeld() && lock.node->address == m_cluster->address(master);
    }
    void useCertificate(size_t master, const QString& name) {
        QCOMPARE(m_cluster->master(master).cli(
                     {"CONFIG", "SET", "tls-cert-file", m_ours.certificate(name), "tls-key-file", m_ours.key(name)}),
                 "OK");
    }
    [[nodiscard]] std::unique_ptr<SentinelSetup> startSentinels() {
        SentinelSetup::Options options;
        options.more = m_ours.onlyTls("server");
        auto setup = std::make_unique<SentinelSetup>(1, options);
        [&] { QVERIFY(setup->start()); }();
        return setup;
    }
    [[nodiscard]] QString bothAuthorities() {
        QFile both(m_directory.filePath("both.pem"));
        [&] { QVERIFY(both.open(QIODevice::WriteOnly)); }();
        for (const QString& path : {m_ours.authority(), m_others.authority()}) {
            QFile one(path);
            [&] { QVERIFY(one.open(QIODevice::ReadOnly)); }();
            both.write(one.readAll());
        }
        return both.fileName();
    }
    [[nodiscard]] QString clusterUrl(const Certificates& authority) const {
        return QStringLiteral("rediss-cluster://%1?ca=%2").arg(m_cluster->address(0), authority.authority());
    }
    [[nodiscard]] static QString sentinelUrl(SentinelSetup& setup, const Certificates& authority) {
        return setup.url().replace("redis-sentinel:", "rediss-sentinel:") + "?ca=" + authority.authority();
    }
    [[nodiscard]] QString mapped(size_t master, const CountingProxy& proxy) const {
        return QStringLiteral("&map=%1=127.0.0.1:%2").arg(m_cluster->address(master)).arg(proxy.port());
    }

    QTemporaryDir m_directory;
    Certificates m_ours;
    Certificates m_others;
    std::unique_ptr<ClusterSetup> m_cluster;
};

LOCKKEEPER_TEST(TestTopologyTls, Guiless)

}  // namespace tst_topologytls

#include "tst_topologytls.moc"
