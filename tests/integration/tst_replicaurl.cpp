// SPDX-License-Identifier: Apache-2.0
#include "support/auditedengine.h"
#include "support/places.h"
#include "support/redisserver.h"
#include "support/sessionprobe.h"
#include "support/testprogram.h"

#include <QProcess>
#include <QTest>

namespace tst_replicaurl {

using namespace lockkeeper;

namespace {

const QString holder = QStringLiteral("0ae6d8e3-41d2-4a0e-9c76-0a4f3c1f6f10:33");
// The change is noticed by the question for the role, every 10 s.
constexpr int roleTime = 25000;

}  // namespace

// An address that leads to a replica: the replica is read, its master is named, and nothing is written.
class TestReplicaUrl : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() {
        m_master = std::make_unique<test::RedisServer>(QStringList{"--repl-diskless-sync-delay", "0"});
        QVERIFY(m_master->start());
        m_replica = std::make_unique<test::RedisServer>(QStringList{"--repl-diskless-sync-delay", "0", "--replicaof",
                                                                    "127.0.0.1 " + QString::number(m_master->port())});
        QVERIFY(m_replica->start());
        QTRY_VERIFY(m_replica->cli({"ROLE"}).contains(QStringLiteral("connected")));
        m_master->cli({"HSET", "L", holder, "1"});
        QTRY_COMPARE(m_replica->cli({"EXISTS", "L"}), "1");
    }
    void cleanup() {
        m_replica.reset();
        m_master.reset();
    }

    void aSessionReadsAndNamesTheMaster() {
        test::AuditedEngine engine;
        test::SessionProbe page(engine);
        page.connectTo(m_replica->url());
        QTRY_VERIFY(page.isConnected() && page.holds("L"));
        QVERIFY(page.status.isReplica);
        QCOMPARE(page.status.master, address(*m_master));
        m_master->cli({"DEL", "L"});
        QTRY_VERIFY(!page.holds("L"));
    }

    void aMasterIsNoReplica() {
        test::AuditedEngine engine;
        test::SessionProbe page(engine);
        page.connectTo(m_master->url());
        QTRY_VERIFY(page.isConnected());
        QVERIFY(!page.status.isReplica);
        QCOMPARE(page.status.master, QString());
    }

    void nothingIsTakenOnAReplica() {
        test::AuditedEngine engine;
        test::SessionProbe page(engine);
        page.connectTo(m_replica->url());
        QTRY_VERIFY(page.isConnected());
        m_replica->cli({"CONFIG", "RESETSTAT"});
        page.acquire("mine");
        QTRY_COMPARE(page.results.size(), 1);
        const Error error = page.results.begin()->error.value_or(Error());
        QCOMPARE(error.code, ErrorCode::NotPermitted);
        QCOMPARE(error.cause, Cause::NotMaster);
        QCOMPARE(error.arguments.value(1), address(*m_master));
        QVERIFY(!m_replica->cli({"INFO", "commandstats"}).contains(u"cmdstat_eval"));
    }

    void aReplicaThatIsPromotedTakesWrites() {
        test::AuditedEngine engine;
        test::SessionProbe page(engine);
        page.connectTo(m_replica->url());
        QTRY_VERIFY(page.isConnected());
        m_replica->cli({"REPLICAOF", "NO", "ONE"});
        QTRY_VERIFY_WITH_TIMEOUT(page.isConnected() && !page.status.isReplica, roleTime);
        page.acquire("mine");
        QTRY_COMPARE(page.own.size(), 1);
    }

    void aMasterThatIsDemotedIsNoticed() {
        test::AuditedEngine engine;
        test::SessionProbe page(engine);
        page.connectTo(m_replica->url());
        m_replica->cli({"REPLICAOF", "NO", "ONE"});
        QTRY_VERIFY_WITH_TIMEOUT(page.isConnected() && !page.status.isReplica, roleTime);
        m_replica->cli({"REPLICAOF", "127.0.0.1", QString::number(m_master->port())});
        QTRY_VERIFY_WITH_TIMEOUT(page.isConnected() && page.status.isReplica, roleTime);
        QCOMPARE(page.status.master, address(*m_master));
    }

    void theCommandLineSaysSo_data() {
        QTest::addColumn<QStringList>("arguments");
        QTest::addColumn<int>("exitCode");
        QTest::newRow("list") << QStringList{"list", "--json"} << 0;
        QTest::newRow("watch") << QStringList{"watch", "--for", "1"} << 0;
        QTest::newRow("lock") << QStringList{"lock", "mine", "--", "true"} << 3;
    }
    void theCommandLineSaysSo() {
        QFETCH(QStringList, arguments);
        QFETCH(const int, exitCode);
        arguments.insert(1, m_replica->url());
        QProcess program;
        program.start(test::places::program(), arguments);
        QVERIFY(QTest::qWaitFor([&program] { return program.state() == QProcess::NotRunning; }, 30000));
        const QByteArray said = program.readAllStandardError();
        QVERIFY2(said.contains("a replica of " + address(*m_master).toUtf8()), said);
        QCOMPARE(said.count('\n'), 1);
        if (arguments.first() == u"lock")
            QVERIFY2(said.contains("use redis://" + address(*m_master).toUtf8()), said);
        QCOMPARE(program.exitCode(), exitCode);
        QCOMPARE(program.readAllStandardOutput().contains("\"L\""), arguments.contains(QStringLiteral("--json")));
    }

private:
    static QString address(const test::RedisServer& server) {
        return QStringLiteral("127.0.0.1:%1").arg(server.port());
    }

    std::unique_ptr<test::RedisServer> m_master;
    std::unique_ptr<test::RedisServer> m_replica;
};

LOCKKEEPER_TEST(TestReplicaUrl, Guiless)

}  // namespace tst_replicaurl

#include "tst_replicaurl.moc"
