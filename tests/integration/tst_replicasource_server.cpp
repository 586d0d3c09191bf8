// SPDX-License-Identifier: Apache-2.0
#include "support/auditedengine.h"
#include "support/redisserver.h"
#include "support/sessionprobe.h"
#include "support/testprogram.h"

#include <QTest>

namespace tst_replicasource_server {

using namespace lockkeeper;

namespace {

const QString holder = QStringLiteral("0ae6d8e3-41d2-4a0e-9c76-0a4f3c1f6f10:33");

}  // namespace

// A session on a master with replicas and no Sentinel: a failover is somebody's REPLICAOF.
class TestReplicaSourceServer : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() {
        m_first = std::make_unique<test::RedisServer>(QStringList{"--repl-diskless-sync-delay", "0"});
        QVERIFY(m_first->start());
        m_second = std::make_unique<test::RedisServer>(QStringList{"--repl-diskless-sync-delay", "0", "--replicaof",
                                                                   "127.0.0.1 " + QString::number(m_first->port())});
        QVERIFY(m_second->start());
        QTRY_VERIFY(m_second->cli({"ROLE"}).contains(QStringLiteral("connected")));
    }
    void cleanup() {
        m_second.reset();
        m_first.reset();
    }

    void findsTheMasterInAnyOrder_data() {
        QTest::addColumn<bool>("replicaFirst");
        QTest::newRow("master first") << false;
        QTest::newRow("replica first") << true;
    }
    void findsTheMasterInAnyOrder() {
        QFETCH(bool, replicaFirst);
        test::AuditedEngine engine;
        test::SessionProbe page(engine);
        page.connectTo(replicaFirst ? url(*m_second, *m_first) : url(*m_first, *m_second));
        QTRY_VERIFY(page.isConnected());
        QCOMPARE(page.status.master, address(*m_first));
        page.acquire("mine");
        QTRY_COMPARE(page.own.size(), 1);
    }

    void oneReplicaIsEnoughToFindIt() {
        test::AuditedEngine engine;
        test::SessionProbe page(engine);
        page.connectTo(url(*m_second, *m_second));
        QTRY_VERIFY(page.isConnected());
        QCOMPARE(page.status.master, address(*m_first));
    }

    void followsAReplicaThatIsPromotedByHand() {
        test::AuditedEngine engine;
        test::SessionProbe page(engine);
        page.connectTo(url(*m_first, *m_second));
        QTRY_VERIFY(page.isConnected());
        m_first->cli({"HSET", "L", holder, "1"});
        QTRY_VERIFY(page.holds("L"));
        page.acquire("mine");
        QTRY_COMPARE(page.own.size(), 1);
        QTRY_COMPARE(m_second->cli({"EXISTS", "mine"}), "1");
        m_second->cli({"REPLICAOF", "NO", "ONE"});
        m_first->cli({"REPLICAOF", "127.0.0.1", QString::number(m_second->port())});
        m_second->cli({"HSET", "on the new master", holder, "1"});
        // The ROLE question notices it, every 10 s at most.
        QTRY_COMPARE_WITH_TIMEOUT(page.status.master, address(*m_second), 20000);
        QTRY_VERIFY(page.isConnected() && page.holds("on the new master"));
        QCOMPARE(page.count(monitor::EventType::Released, "L"), 0);
        QVERIFY(page.lost.isEmpty());
    }

    void followsAMasterThatIsGoneForGood() {
        test::AuditedEngine engine;
        test::SessionProbe page(engine);
        page.connectTo(url(*m_first, *m_second));
        QTRY_VERIFY(page.isConnected());
        m_first->kill();
        m_second->cli({"REPLICAOF", "NO", "ONE"});
        m_second->cli({"HSET", "L", holder, "1"});
        QTRY_VERIFY_WITH_TIMEOUT(page.holds("L"), 10000);
    }

    void withoutAMasterItSaysWhatTheServersAre() {
        m_first->kill();
        test::AuditedEngine engine;
        test::SessionProbe page(engine);
        page.connectTo(url(*m_second, *m_second));
        QTRY_COMPARE_WITH_TIMEOUT(page.status.phase, ConnectionPhase::Failed, 10000);
        QVERIFY2(
            page.status.error->cause == Cause::NotMaster || page.status.error->code == ErrorCode::ConnectionRefused,
            qPrintable(page.status.error->text));
    }

private:
    static QString address(const test::RedisServer& server) {
        return QStringLiteral("127.0.0.1:%1").arg(server.port());
    }
    static QString url(const test::RedisServer& one, const test::RedisServer& other) {
        return QStringLiteral("redis://%1,%2").arg(address(one), address(other));
    }

    std::unique_ptr<test::RedisServer> m_first;
    std::unique_ptr<test::RedisServer> m_second;
};

LOCKKEEPER_TEST(TestReplicaSourceServer, Guiless)

}  // namespace tst_replicasource_server

#include "tst_replicasource_server.moc"
