// SPDX-License-Identifier: Apache-2.0
#include "support/connectiontest.h"
#include "support/rolereplies.h"
#include "support/testprogram.h"

#include <QSignalSpy>
#include <QTest>

namespace tst_knownrole {

using namespace lockkeeper;
using namespace lockkeeper::redis;
using namespace std::chrono_literals;
using State = Connection::State;
using test::keep;
using test::masterReply;

namespace {

const QByteArray noRight = "-NOPERM User eve has no permissions to run the 'role' command\r\n";
const QByteArray readOnly = "-READONLY You can't write against a read only replica.\r\n";

QByteArray replicaOf(const QByteArray& host, const QByteArray& link = "connected") {
    return "*5\r\n$5\r\nslave\r\n" + test::bulk(host) + ":6379\r\n" + test::bulk(link) + ":42\r\n";
}

// The answers to INFO replication.
QByteArray replicaInfo(const QByteArray& host, const QByteArray& link = "up") {
    return test::bulk("# Replication\r\nrole:slave\r\nmaster_host:" + host +
                      "\r\nmaster_port:6379\r\nmaster_link_status:" + link + "\r\n");
}
const QByteArray masterInfo = test::bulk("# Replication\r\nrole:master\r\nconnected_slaves:0\r\n");

const QByteArrayList askReplication{"INFO", "replication"};
const QByteArray masterDown = "-MASTERDOWN Link with MASTER is down and replica-serve-stale-data is set to 'no'.\r\n";
const QByteArray noRightToInfo = "-NOPERM User eve has no permissions to run the 'info' command\r\n";

}  // namespace

// A connection to the server that its address leads to. It knows whether that is a replica, and of which master.
class TestKnownRole : public test::ConnectionTest {
    Q_OBJECT

private Q_SLOTS:
    void aMasterCostsNoQuestionInTheHandshake() {
        readyAt("master", {});
        QVERIFY(m_connection->isReady());
        QCOMPARE(m_connection->server().role, "master");
        QCOMPARE(m_connection->server().master, QString());
        QVERIFY(link().takeCommands().isEmpty());
    }

    void aReplicaIsUsedAndNamesItsMaster() {
        readyAt("replica", replicaOf("db1"));
        QVERIFY(m_connection->isReady());
        QCOMPARE(m_connection->server().role, "replica");
        QCOMPARE(m_connection->server().master, "db1:6379");
    }

    void aReplicaThatRefusesRoleNamesItsMasterInInfo() {
        readyAt("replica", noRight);
        QCOMPARE(link().takeCommand(), askReplication);
        link().reply(replicaInfo("db1"));
        QVERIFY(m_connection->isReady());
        QCOMPARE(m_connection->server().role, "replica");
        QCOMPARE(m_connection->server().master, "db1:6379");
    }

    void aReplicaThatMayNotBeAskedIsOneAllTheSame() {
        readyAt("replica", noRight);
        QCOMPARE(link().takeCommand(), askReplication);
        link().reply(noRightToInfo);
        QVERIFY(m_connection->isReady());
        QCOMPARE(m_connection->server().role, "replica");
        QCOMPARE(m_connection->server().master, QString());
        m_clock->advance(m_options.roleInterval);
        QVERIFY2(link().takeCommands().isEmpty(), "asked again, although it is refused");
        QCOMPARE(test::wordOf(m_connection->confirmRole()), "NotPermitted");
    }

    void aReplicaWithoutItsMasterIsNotUsed_data() {
        QTest::addColumn<QByteArray>("ping");
        QTest::addColumn<QByteArray>("role");
        QTest::addColumn<QByteArray>("info");  // empty: not asked
        QTest::addColumn<QStringList>("master");
        const QByteArray pong = "+PONG\r\n";
        const QStringList known{"db1:6379"};
        QTest::newRow("by ROLE") << pong << replicaOf("db1", "connect") << QByteArray() << known;
        QTest::newRow("it takes up the data of its master")
            << pong << replicaOf("db1", "sync") << QByteArray() << known;
        QTest::newRow("by INFO") << pong << noRight << replicaInfo("db1", "down") << known;
        QTest::newRow("it serves nothing") << masterDown << replicaOf("db1", "connecting") << QByteArray() << known;
        QTest::newRow("it serves nothing and tells nothing") << masterDown << noRight << noRightToInfo << QStringList();
    }
    void aReplicaWithoutItsMasterIsNotUsed() {
        QFETCH(const QByteArray, ping);
        QFETCH(const QByteArray, role);
        QFETCH(const QByteArray, info);
        QFETCH(const QStringList, master);
        readyAt("replica", role, ping);
        if (!info.isEmpty()) {
            QCOMPARE(link().takeCommand(), askReplication);
            link().reply(info);
        }
        QCOMPARE(m_connection->state(), State::Waiting);
        QCOMPARE(m_connection->lastError(), Error(ErrorCode::ConnectionLost, Cause::MasterLinkLost, master));
    }

    void aReplicaThatServesAgainIsUsed() {
        readyAt("replica", replicaOf("db1"), masterDown);
        QVERIFY(m_connection->isReady());
    }

    void theLossOfTheMasterEndsTheConnectionSoon_data() {
        QTest::addColumn<bool>("isRoleRefused");
        QTest::addColumn<bool>("isInfoRefused");
        QTest::newRow("by INFO") << false << false;
        QTest::newRow("ROLE is refused") << true << false;
        QTest::newRow("INFO is refused") << false << true;
    }
    void theLossOfTheMasterEndsTheConnectionSoon() {
        QFETCH(const bool, isRoleRefused);
        QFETCH(const bool, isInfoRefused);
        readyAt("replica", isRoleRefused ? noRight : replicaOf("db1"));
        if (isRoleRefused) {
            QCOMPARE(link().takeCommand(), askReplication);
            link().reply(replicaInfo("db1"));
        }
        QVERIFY(m_connection->isReady());
        m_clock->advance(Connection::linkInterval);
        QCOMPARE(link().takeCommand(), askReplication);
        link().reply(isInfoRefused ? noRightToInfo : replicaInfo("db1"));
        QVERIFY(m_connection->isReady());
        const SteadyTime lastKnown = m_clock->now();
        m_clock->advance(Connection::linkInterval);
        if (isInfoRefused) {
            QCOMPARE(link().takeCommand(), QByteArrayList{"ROLE"});
            link().reply(replicaOf("db1", "connect"));
        } else {
            QCOMPARE(link().takeCommand(), askReplication);
            link().reply(replicaInfo("db1", "down"));
            QVERIFY2(m_connection->lastHeard() <= lastKnown, "what came since then may be old");
        }
        QCOMPARE(m_connection->state(), State::Waiting);
        QCOMPARE(m_connection->lastError(), Error(ErrorCode::ConnectionLost, Cause::MasterLinkLost, {"db1:6379"}));
    }

    void aRefusalToServeOldDataEndsTheConnectionAtOnce() {
        readyAt("replica", replicaOf("db1"));
        const SteadyTime lastKnown = m_clock->now();
        m_clock->advance(Connection::linkInterval / 2);
        const auto read = keep(m_connection->send(get));
        test::turnEventLoop();
        link().reply(masterDown);
        QCOMPARE(read->result->error().reply, ReplyKind::MasterDown);
        QCOMPARE(m_connection->state(), State::Waiting);
        QCOMPARE(m_connection->lastError(), Error(ErrorCode::ConnectionLost, Cause::MasterLinkLost, {"db1:6379"}));
        QVERIFY(m_connection->lastHeard() <= lastKnown);
    }

    void aReplicaWithoutItsMasterIsTriedAgainEverySecond() {
        readyAt("replica", replicaOf("db1", "connect"));
        for (int attempts = 0; attempts < 10; ++attempts) {
            QVERIFY(advanceTo(State::Opening, 10s) <= Connection::linkInterval);
            shakeHandsAt("replica", replicaOf("db1", "connect"), "+PONG\r\n");
            QCOMPARE(m_connection->state(), State::Waiting);
        }
        QVERIFY(advanceTo(State::Opening, 10s) <= Connection::linkInterval);
        shakeHandsAt("replica", replicaOf("db1"), "+PONG\r\n");
        QVERIFY(m_connection->isReady());
    }

    void aChangeOfTheRoleEndsTheConnection_data() {
        QTest::addColumn<QByteArray>("before");  // the answer to ROLE; empty: a master, which is not asked
        QTest::addColumn<QByteArray>("now");     // the answer to ROLE, of a replica to INFO replication
        QTest::addColumn<Error>("reason");
        const auto lost = [](Cause cause, const QStringList& arguments) {
            return Error(ErrorCode::ConnectionLost, cause, arguments);
        };
        QTest::newRow("still a master") << QByteArray() << masterReply << Error();
        QTest::newRow("still a replica") << replicaOf("db1") << replicaInfo("db1") << Error();
        QTest::newRow("demoted") << QByteArray() << replicaOf("db2") << lost(Cause::NotMaster, {"slave", "db2:6379"});
        QTest::newRow("promoted") << replicaOf("db1") << masterInfo
                                  << lost(Cause::MasterChanged, {"db1:6379", "127.0.0.1:6379"});
        QTest::newRow("another master") << replicaOf("db1") << replicaInfo("db2")
                                        << lost(Cause::MasterChanged, {"db1:6379", "db2:6379"});
    }
    void aChangeOfTheRoleEndsTheConnection() {
        QFETCH(const QByteArray, before);
        QFETCH(const QByteArray, now);
        QFETCH(const Error, reason);
        const bool wasMaster = before.isEmpty();
        readyAt(wasMaster ? "master" : "replica", before);
        m_clock->advance(wasMaster ? m_options.roleInterval : Connection::linkInterval);
        QCOMPARE(link().takeCommand(), wasMaster ? QByteArrayList{"ROLE"} : askReplication);
        link().reply(now);
        QCOMPARE(m_connection->isReady(), reason == Error());
        if (reason != Error())
            QCOMPARE(m_connection->lastError(), reason);
    }

    void whoMayNotAskIsRefusedOnce() {
        readyAt("master", {});
        m_clock->advance(m_options.roleInterval);
        QCOMPARE(link().takeCommand(), QByteArrayList{"ROLE"});
        link().reply(noRight);
        m_clock->advance(m_options.roleInterval);
        QVERIFY(!link().takeCommands().contains(QByteArrayList{"ROLE"}));
        QVERIFY(m_connection->isReady());
    }

    void eachAnswerIsKeptAndReported() {
        readyAt("master", {});
        QVERIFY(!m_connection->role());
        QSignalSpy read(m_connection.get(), &Connection::roleRead);
        m_clock->advance(m_options.roleInterval);
        (void)link().takeCommand();
        link().reply("*3\r\n$6\r\nmaster\r\n:50\r\n*1\r\n*3\r\n$1\r\nr\r\n$1\r\n1\r\n$2\r\n42\r\n");
        QCOMPARE(read.count(), 1);
        QCOMPARE(m_connection->role()->replicas, (QList<Replica>{{"r:1", 8}}));
    }

    void aRefusedWriteShowsThatAMasterWasDemoted() {
        readyAt("master", {});
        const auto write = keep(m_connection->send(set));
        test::turnEventLoop();
        link().reply(readOnly);
        QCOMPARE(write->result->error().reply, ReplyKind::ReadOnly);
        QCOMPARE(m_connection->state(), State::Waiting);
    }

    void aWriteThatAReplicaRefusesNamesTheMaster() {
        readyAt("replica", replicaOf("db1"));
        const auto write = keep(m_connection->send(set));
        test::turnEventLoop();
        link().reply(readOnly);
        QCOMPARE(write->result->error().reply, ReplyKind::ReadOnly);
        QCOMPARE(write->result->error().arguments, QStringList{"db1:6379"});
        QVERIFY(m_connection->isReady());
    }

private:
    // role: the answer to ROLE in the handshake; empty where none is expected.
    void readyAt(const QByteArray& nameInHello, const QByteArray& role, const QByteArray& ping = "+PONG\r\n") {
        m_options.role = WantedRole::Known;
        m_options.keepaliveInterval = 1h;
        make();
        m_connection->open();
        shakeHandsAt(nameInHello, role, ping);
    }
    void shakeHandsAt(const QByteArray& nameInHello, const QByteArray& role, const QByteArray& ping) {
        link().transport()->becomeOpen();
        QCOMPARE(link().takeCommand().value(0), "HELLO");
        link().reply(test::FakeLink::helloReply(nameInHello));
        QCOMPARE(link().takeCommand(), QByteArrayList{"PING"});
        link().reply(ping);
        if (role.isEmpty())
            return;
        QCOMPARE(link().takeCommand(), QByteArrayList{"ROLE"});
        link().reply(role);
    }
};

LOCKKEEPER_TEST(TestKnownRole, Guiless)

}  // namespace tst_knownrole

#include "tst_knownrole.moc"
