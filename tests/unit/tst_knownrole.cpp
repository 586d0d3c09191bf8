// SPDX-License-Identifier: Apache-2.0
#include "support/connectiontest.h"
#include "support/rolereplies.h"
#include "support/testprogram.h"

#include <QSignalSpy>
#include <QTest>

using namespace lockkeeper;
using namespace lockkeeper::redis;
using namespace std::chrono_literals;
using State = Connection::State;
using test::keep;
using test::masterReply;

namespace {

const QByteArray noRight = "-NOPERM User eve has no permissions to run the 'role' command\r\n";
const QByteArray readOnly = "-READONLY You can't write against a read only replica.\r\n";

QByteArray replicaOf(const QByteArray& host) {
    return "*5\r\n$5\r\nslave\r\n" + test::bulk(host) + ":6379\r\n$9\r\nconnected\r\n:42\r\n";
}

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

    void aReplicaThatMayNotBeAskedIsOneAllTheSame() {
        readyAt("replica", noRight);
        QVERIFY(m_connection->isReady());
        QCOMPARE(m_connection->server().role, "replica");
        QCOMPARE(m_connection->server().master, QString());
    }

    void aChangeOfTheRoleEndsTheConnection_data() {
        QTest::addColumn<QByteArray>("before");
        QTest::addColumn<QByteArray>("now");
        QTest::addColumn<Error>("reason");
        const auto lost = [](Cause cause, const QStringList& arguments) {
            return Error(ErrorCode::ConnectionLost, cause, arguments);
        };
        QTest::newRow("still a master") << QByteArray() << masterReply << Error();
        QTest::newRow("still a replica") << replicaOf("db1") << replicaOf("db1") << Error();
        QTest::newRow("demoted") << QByteArray() << replicaOf("db2") << lost(Cause::NotMaster, {"slave", "db2:6379"});
        QTest::newRow("promoted") << replicaOf("db1") << masterReply
                                  << lost(Cause::MasterChanged, {"db1:6379", "127.0.0.1:6379"});
        QTest::newRow("another master") << replicaOf("db1") << replicaOf("db2")
                                        << lost(Cause::MasterChanged, {"db1:6379", "db2:6379"});
    }
    void aChangeOfTheRoleEndsTheConnection() {
        QFETCH(const QByteArray, before);
        QFETCH(const QByteArray, now);
        QFETCH(const Error, reason);
        readyAt(before.isEmpty() ? "master" : "replica", before);
        m_clock->advance(m_options.roleInterval);
        QCOMPARE(link().takeCommand(), QByteArrayList{"ROLE"});
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
    void readyAt(const QByteArray& nameInHello, const QByteArray& role) {
        m_options.role = WantedRole::Known;
        m_options.keepaliveInterval = 1h;
        make();
        m_connection->open();
        link().transport()->becomeOpen();
        QCOMPARE(link().takeCommand().value(0), "HELLO");
        link().reply(test::FakeLink::helloReply(nameInHello));
        QCOMPARE(link().takeCommand(), QByteArrayList{"PING"});
        link().reply("+PONG\r\n");
        if (role.isEmpty())
            return;
        QCOMPARE(link().takeCommand(), QByteArrayList{"ROLE"});
        link().reply(role);
    }
};

LOCKKEEPER_TEST(TestKnownRole, Guiless)
#include "tst_knownrole.moc"
