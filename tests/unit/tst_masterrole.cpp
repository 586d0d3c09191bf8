// SPDX-License-Identifier: Apache-2.0
#include "support/connectiontest.h"
#include "support/rolereplies.h"
#include "support/testprogram.h"

#include <QTest>

namespace tst_masterrole {

using namespace lockkeeper;
using namespace lockkeeper::redis;
using namespace std::chrono_literals;
using State = Connection::State;
using test::keep;
using test::masterReply;

namespace {

const QByteArray replicaReply = "*5\r\n$5\r\nslave\r\n$9\r\n127.0.0.1\r\n:6379\r\n$9\r\nconnected\r\n:42\r\n";

}  // namespace

// A connection that wants the master: it uses no other server, and leaves one that is demoted.
class TestMasterRole : public test::ConnectionTest {
    Q_OBJECT

private Q_SLOTS:
    void theHandshakeEndsWithTheRole_data() {
        QTest::addColumn<QByteArray>("role");
        QTest::addColumn<State>("state");
        QTest::newRow("master") << masterReply << State::Ready;
        QTest::newRow("replica") << replicaReply << State::Waiting;
        QTest::newRow("Sentinel") << QByteArray("*2\r\n$8\r\nsentinel\r\n*0\r\n") << State::Waiting;
        QTest::newRow("may not ask") << QByteArray("-NOPERM User eve has no permissions to run the 'role' command\r\n")
                                     << State::Ready;
        QTest::newRow("loading") << QByteArray("-LOADING Redis is loading the dataset in memory\r\n") << State::Waiting;
    }
    void theHandshakeEndsWithTheRole() {
        QFETCH(QByteArray, role);
        shakeHandsUpToRole();
        link().reply(role);
        QTEST(m_connection->state(), "state");
    }

    void aReplicaIsNamedAsTheReason() {
        shakeHandsUpToRole();
        link().reply(replicaReply);
        QCOMPARE(m_connection->lastError(),
                 Error(ErrorCode::ConnectionLost, Cause::NotMaster, {"slave", "127.0.0.1:6379"}));
    }

    void whoeverWantsAnyServerDoesNotAsk() {
        makeReady();
        m_clock->advance(m_options.roleInterval);
        QVERIFY(!link().takeCommands().contains(QByteArrayList{"ROLE"}));
    }

    void asksAgainAndLeavesADemotedMaster() {
        readyAtMaster();
        m_clock->advance(m_options.roleInterval);
        QCOMPARE(link().takeCommand(), QByteArrayList{"ROLE"});
        link().reply(masterReply);
        QVERIFY(m_connection->isReady());
        m_clock->advance(m_options.roleInterval);
        QCOMPARE(link().takeCommand(), QByteArrayList{"ROLE"});
        link().reply(replicaReply);
        QCOMPARE(m_connection->state(), State::Waiting);
        QVERIFY(!link().isOpen());
    }

    void aRefusedWriteIsAnsweredAndEndsTheConnection() {
        readyAtMaster();
        const auto write = keep(m_connection->send(set));
        const auto next = keep(m_connection->send(get));
        test::turnEventLoop();
        link().reply("-READONLY You can't write against a read only replica.\r\n");
        QCOMPARE(write->result->error().reply, ReplyKind::ReadOnly);
        QCOMPARE(next->error(), "ConnectionLost");
        QCOMPARE(m_connection->state(), State::Waiting);
        QCOMPARE(m_connection->lastError().cause, Cause::NotMaster);
    }

    void elsewhereARefusedWriteIsAnAnswerLikeOthers() {
        makeReady();
        const auto write = keep(m_connection->send(set));
        test::turnEventLoop();
        link().reply("-READONLY You can't write against a read only replica.\r\n");
        QCOMPARE(write->result->error().reply, ReplyKind::ReadOnly);
        QVERIFY(m_connection->isReady());
    }

private:
    void shakeHandsUpToRole() {
        m_options.role = WantedRole::Master;
        make();
        m_connection->open();
        link().transport()->becomeOpen();
        QCOMPARE(link().takeCommand().value(0), "HELLO");
        link().reply(test::FakeLink::helloReply());
        QCOMPARE(link().takeCommand(), QByteArrayList{"PING"});
        link().reply("+PONG\r\n");
        QCOMPARE(link().takeCommand(), QByteArrayList{"ROLE"});
    }
    void readyAtMaster() {
        shakeHandsUpToRole();
        link().reply(masterReply);
        QVERIFY(m_connection->isReady());
    }
};

LOCKKEEPER_TEST(TestMasterRole, Guiless)

}  // namespace tst_masterrole

#include "tst_masterrole.moc"
