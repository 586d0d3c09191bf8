// SPDX-License-Identifier: Apache-2.0
#include "support/auditedengine.h"
#include "support/leastrights.h"
#include "support/places.h"
#include "support/redisserver.h"
#include "support/serverhand.h"
#include "support/sessionprobe.h"
#include "support/testprogram.h"

#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QTest>

namespace tst_replicalink {

using namespace lockkeeper;
using namespace lockkeeper::test;
using monitor::EventType;

namespace {

constexpr int longTime = 30000;  // in ms

}  // namespace

// A watched replica loses its master: what it has is old, and it drops locks that live on at its master.
class TestReplicaLink : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void cleanup() {
        m_replica.reset();
        m_master.reset();
    }

    void whatAReplicaWithoutItsMasterShowsIsOld_data() { servesOrNot(); }
    void whatAReplicaWithoutItsMasterShowsIsOld() {
        QFETCH(const QString, servesOldData);
        startServers(servesOldData);
        ServerHand master(*m_master);
        master.take("lives", alice, 6000);
        master.take("released", bob, 30000);
        AuditedEngine engine;
        SessionProbe page(engine);
        page.connectTo(m_replica->url());
        QTRY_VERIFY(page.isConnected() && page.holds("lives") && page.holds("released"));

        cutLink();
        m_master->cli({"PEXPIRE", "lives", "60000"});
        master.release("released");
        QTRY_COMPARE(page.status.phase, ConnectionPhase::Reconnecting);
        QCOMPARE(page.status.error.value_or(Error()).cause, Cause::MasterLinkLost);
        QCOMPARE(page.status.error->arguments, QStringList{addressOf(*m_master)});
        // The replica has dropped the lock by now.
        QTRY_VERIFY_WITH_TIMEOUT(m_master->cli({"PTTL", "lives"}).toInt() < 53000, longTime);
        QCOMPARE(m_replica->cli({"PTTL", "lives"}).startsWith("MASTERDOWN"), servesOldData == "no");
        QVERIFY(servesOldData == "no" || m_replica->cli({"PTTL", "lives"}) == "-2");
        QVERIFY2(page.holds("lives") && page.holds("released"), "the rows stay as they were last known");
        QCOMPARE(page.status.phase, ConnectionPhase::Reconnecting);

        mendLink();
        QTRY_VERIFY(page.isConnected() && !page.holds("released"));
        QVERIFY(page.holds("lives"));
        QCOMPARE(page.count(EventType::NotWatched, "lives"), 1);
        QCOMPARE(page.count(EventType::NotWatched, "released"), 1);
        QCOMPARE(page.count(EventType::Gone, "released"), 1);
        for (const EventType claim :
             {EventType::Expired, EventType::Deleted, EventType::Released, EventType::Diagnosed}) {
            QCOMPARE(page.count(claim, "lives"), 0);
            QCOMPARE(page.count(claim, "released"), 0);
        }
        const auto gap = std::find_if(page.events.begin(), page.events.end(),
                                      [](const auto& event) { return event.type == EventType::NotWatched; });
        QCOMPARE(gap->reason->cause, Cause::MasterLinkLost);

        master.release("lives");
        QTRY_COMPARE(page.count(EventType::Released, "lives"), 1);
    }

    void soItIsWithTheLeastRights() {
        startServers("yes");
        for (RedisServer* server : {m_master.get(), m_replica.get()})
            QCOMPARE(server->cli(QStringList{"ACL", "SETUSER", "watcher"} + leastRights(*server)), "OK");
        ServerHand(*m_master).take("L", alice, 60000);
        AuditedEngine engine;
        SessionProbe page(engine);
        page.connectTo(QStringLiteral("redis://watcher:pw@127.0.0.1:%1").arg(m_replica->port()));
        QTRY_VERIFY(page.isConnected() && page.holds("L"));
        QCOMPARE(page.status.master, addressOf(*m_master));
        cutLink();
        QTRY_COMPARE(page.status.phase, ConnectionPhase::Reconnecting);
        QCOMPARE(page.status.error.value_or(Error()).cause, Cause::MasterLinkLost);
    }

    // A link that is cut without a word stays "up" for a minute. The master lives on, and so does the lock.
    void aSilentMasterProvesNoEndOfALease() {
        startServers("yes");
        ServerHand(*m_master).take("L", alice, 3000);
        AuditedEngine engine;
        SessionProbe page(engine);
        page.connectTo(m_replica->url());
        QTRY_VERIFY(page.isConnected() && page.holds("L"));
        m_master->freeze();
        QTRY_COMPARE(m_replica->cli({"PTTL", "L"}), "-2");
        QTRY_VERIFY_WITH_TIMEOUT(!page.holds("L"), longTime);
        m_master->thaw();
        QCOMPARE(page.count(EventType::Gone, "L"), 1);
        QCOMPARE(page.count(EventType::Expired, "L"), 0);
    }

    void anEndThatTheMasterHasSurvivedIsProven() {
        startServers("yes");
        ServerHand(*m_master).take("L", alice, 3000);
        AuditedEngine engine;
        SessionProbe page(engine);
        page.connectTo(m_replica->url());
        QTRY_VERIFY(page.isConnected() && page.holds("L"));
        QTRY_VERIFY_WITH_TIMEOUT(!page.holds("L"), longTime);
        QCOMPARE(page.count(EventType::Expired, "L"), 1);
    }

    void theCommandLineSaysWhy_data() { servesOrNot(); }
    void theCommandLineSaysWhy() {
        QFETCH(const QString, servesOldData);
        startServers(servesOldData);
        ServerHand(*m_master).take("L", alice, 60000);
        QTRY_COMPARE(m_replica->cli({"EXISTS", "L"}), "1");
        QProcess watch;
        watch.start(places::program(), {"watch", m_replica->url(), "--json"});
        QByteArray lines;
        QTRY_VERIFY((lines += watch.readAllStandardOutput()).contains(R"("event":"found")"));
        cutLink();
        const QByteArray why = "the replica is not connected to its master " + addressOf(*m_master).toUtf8();
        QByteArray complaints;
        QTRY_VERIFY((complaints += watch.readAllStandardError()).contains("is lost: " + why));
        mendLink();
        QTRY_VERIFY((lines += watch.readAllStandardOutput()).contains(R"("event":"not_watched")"));
        QVERIFY2(reasonIn(lines, "not_watched").startsWith(why), lines);
        QVERIFY2(reasonIn(lines, "source").startsWith(why), lines);
        watch.kill();
        watch.waitForFinished();
    }

    void theFirstAttemptSaysWhy_data() { servesOrNot(); }
    void theFirstAttemptSaysWhy() {
        QFETCH(const QString, servesOldData);
        startServers(servesOldData);
        cutLink();
        QProcess list;
        list.start(places::program(), {"list", m_replica->url()});
        QVERIFY(QTest::qWaitFor([&list] { return list.state() == QProcess::NotRunning; }, 30000));
        const QByteArray said = list.readAllStandardError();
        QVERIFY2(said.contains("the replica is not connected to its master " + addressOf(*m_master).toUtf8()), said);
        QCOMPARE(list.exitCode(), 3);
    }

private:
    static void servesOrNot() {
        QTest::addColumn<QString>("servesOldData");
        QTest::newRow("it serves old data") << QStringLiteral("yes");
        QTest::newRow("it refuses to (MASTERDOWN)") << QStringLiteral("no");
    }
    static QString addressOf(const RedisServer& server) { return QStringLiteral("127.0.0.1:%1").arg(server.port()); }
    // The reason in the last line of this event that has one.
    static QByteArray reasonIn(const QByteArray& lines, const QString& event) {
        QByteArray reason;
        for (const QByteArray& line : lines.split('\n')) {
            const QJsonObject object = QJsonDocument::fromJson(line).object();
            if (object.value(QStringLiteral("event")) == event && object.contains(QStringLiteral("reason")))
                reason = object.value(QStringLiteral("reason")).toString().toUtf8();
        }
        return reason;
    }

    void startServers(const QString& servesOldData) {
        m_master = std::make_unique<RedisServer>(QStringList{"--repl-diskless-sync-delay", "0"});
        QVERIFY(m_master->start());
        m_replica = std::make_unique<RedisServer>(
            QStringList{"--repl-diskless-sync-delay", "0", "--replica-serve-stale-data", servesOldData, "--replicaof",
                        "127.0.0.1 " + QString::number(m_master->port())});
        QVERIFY(m_replica->start());
        QTRY_VERIFY(isLinked());
    }
    [[nodiscard]] bool isLinked() { return m_replica->cli({"INFO", "replication"}).contains("master_link_status:up"); }
    // The master refuses the replica from now on.
    void cutLink() {
        m_replica->cli({"CONFIG", "SET", "masterauth", "wrong"});
        m_master->cli({"CLIENT", "KILL", "TYPE", "replica"});
        QTRY_VERIFY(!isLinked());
    }
    void mendLink() {
        m_replica->cli({"CONFIG", "SET", "masterauth", ""});
        QTRY_VERIFY_WITH_TIMEOUT(isLinked(), longTime);
    }

    std::unique_ptr<RedisServer> m_master;
    std::unique_ptr<RedisServer> m_replica;
};

LOCKKEEPER_TEST(TestReplicaLink, Guiless)

}  // namespace tst_replicalink

#include "tst_replicalink.moc"
