// SPDX-License-Identifier: Apache-2.0
#include "support/connectiontest.h"
#include "support/taskwait.h"
#include "support/testprogram.h"

#include <QMetaEnum>
#include <QPointer>
#include <QSet>
#include <QTest>

namespace tst_connectionloss {

using namespace lockkeeper;
using namespace lockkeeper::redis;
using namespace std::chrono_literals;
using State = Connection::State;
using test::keep;
using test::wordOf;

// Connections that are lost, closed, deleted or silent, and how they reconnect.
class TestConnectionLoss : public test::ConnectionTest {
    Q_OBJECT

private Q_SLOTS:
    // ---- loss ----

    void whatALossMeansToEachCommand() {
        makeReady();
        const auto read = keep(m_connection->send(get));
        const auto write = keep(m_connection->send(set));
        const auto subscription = keep(m_connection->send(Command("SUBSCRIBE", {"c"})));
        test::turnEventLoop();
        const auto unsentRead = keep(m_connection->send(get));
        const auto unsentWrite = keep(m_connection->send(set));
        link().lose();
        QCOMPARE(read->error(), "ConnectionLost");
        QCOMPARE(write->error(), "OutcomeUnknown");
        QCOMPARE(subscription->error(), "ConnectionLost");
        QCOMPARE(unsentRead->error(), "ConnectionLost");
        QCOMPARE(unsentWrite->error(), "ConnectionLost");
        QCOMPARE(m_connection->state(), State::Waiting);
    }

    void anAnsweredCommandIsNotLost() {
        makeReady();
        const auto first = keep(m_connection->send(set));
        const auto second = keep(m_connection->send(set));
        test::turnEventLoop();
        link().reply("+OK\r\n");
        link().lose();
        QCOMPARE(first->text(), "OK");
        QCOMPARE(second->error(), "OutcomeUnknown");
    }

    void nothingIsSentAgain() {
        makeReady();
        keep(m_connection->send(set));
        test::turnEventLoop();
        keep(m_connection->send(get));
        link().lose();
        reconnect();
        QVERIFY(link().takeCommands().isEmpty());
    }

    // ---- what the server may still have of the connection before ----

    void endsTheConnectionBefore_data() {
        QTest::addColumn<QByteArray>("listed");
        QTest::addColumn<bool>("ended");
        const QByteArray rest = " db=0 sub=0 user=default\n";
        QTest::newRow("still there") << test::bulk("id=7 addr=10.0.0.5:1 name=lockkeeper age=21" + rest) << true;
        QTest::newRow("as old as it must be")
            << test::bulk("id=7 addr=10.0.0.5:1 name=lockkeeper age=19" + rest) << true;
        QTest::newRow("gone") << test::bulk("") << false;
        QTest::newRow("another client's, since a restart")
            << test::bulk("id=7 addr=10.0.0.9:1 name= age=300" + rest) << false;
        QTest::newRow("younger, since a restart")
            << test::bulk("id=7 addr=10.0.0.9:1 name=lockkeeper age=18" + rest) << false;
        QTest::newRow("not permitted") << QByteArray("-NOPERM this user has no permissions\r\n") << false;
        QTest::newRow("before 6.2") << QByteArray("-ERR syntax error\r\n") << false;
    }
    void endsTheConnectionBefore() {
        QFETCH(QByteArray, listed);
        QFETCH(bool, ended);
        m_options.keepaliveInterval = 1h;
        makeReady();
        m_clock->advance(20s);
        const auto answered = keep(m_connection->send(get));
        test::turnEventLoop();
        link().reply("+1\r\n");
        const auto write = keep(m_connection->send(set));
        test::turnEventLoop();
        m_clock->advance(5s);  // of silence
        link().lose();
        connectAgain();
        QCOMPARE(link().takeCommand(), (QByteArrayList{"CLIENT", "LIST", "ID", "7"}));
        QVERIFY(!m_connection->isReady());
        link().reply(listed);
        if (ended) {
            QCOMPARE(link().takeCommand(), (QByteArrayList{"CLIENT", "KILL", "ID", "7"}));
            QVERIFY2(!m_connection->isReady(), "what is sent now could still run first");
            link().reply(":1\r\n");
        }
        QVERIFY(m_connection->isReady());
        QVERIFY(link().takeCommands().isEmpty());
    }

    void asksForTheConnectionBeforeOnlyIfItMayStillWrite_data() {
        QTest::addColumn<bool>("writes");
        QTest::addColumn<bool>("answered");
        QTest::newRow("reads") << false << false;
        QTest::newRow("writes, answered") << true << true;
    }
    void asksForTheConnectionBeforeOnlyIfItMayStillWrite() {
        QFETCH(bool, writes);
        QFETCH(bool, answered);
        makeReady();
        const auto last = keep(m_connection->send(writes ? set : get));
        test::turnEventLoop();
        if (answered)
            link().reply("+OK\r\n");
        link().lose();
        connectAgain();
        QVERIFY(m_connection->isReady());
    }

    void aPartialReplyDoesNotReachTheNextConnection() {
        makeReady();
        keep(m_connection->send(get));
        test::turnEventLoop();
        link().reply("$10\r\nabc");
        link().lose();
        reconnect();
        const auto answer = keep(m_connection->send(get));
        test::turnEventLoop();
        link().reply("+new\r\n");
        QCOMPARE(answer->text(), "new");
    }

    void closingFailsWhatIsUnanswered() {
        makeReady();
        const auto read = keep(m_connection->send(get));
        const auto write = keep(m_connection->send(set));
        test::turnEventLoop();
        const auto unsent = keep(m_connection->send(set));
        m_connection->close();
        QCOMPARE(read->error(), "ConnectionLost");
        QCOMPARE(write->error(), "OutcomeUnknown");
        QCOMPARE(unsent->error(), "ConnectionLost");
        QCOMPARE(m_connection->state(), State::Closed);
        QVERIFY2(!m_clock->hasTimers(), "a closed connection has nothing to wait for");
        m_connection->open();
        link().shakeHands();
        QVERIFY(m_connection->isReady());
    }

    void destructionFailsWhatIsUnanswered() {
        makeReady();
        const auto write = keep(m_connection->send(set));
        test::turnEventLoop();
        m_connection.reset();
        QCOMPARE(write->error(), "OutcomeUnknown");
        QVERIFY(!m_clock->hasTimers());
    }

    // ---- health ----

    void asksASilentServerWhetherItIsThere() {
        makeReady();
        m_clock->advance(m_options.keepaliveInterval - 1ms);
        QVERIFY(link().takeCommands().isEmpty());
        m_clock->advance(1ms);
        QCOMPARE(link().takeCommands(), QList<QByteArrayList>{{"PING"}});
        link().reply("+PONG\r\n");
        QVERIFY(m_connection->isReady());
    }

    void doesNotAskOneThatTalks() {
        makeReady();
        askForPushes();
        for (int i = 0; i < 10; ++i) {
            m_clock->advance(m_options.keepaliveInterval / 2);
            link().reply(test::pushOf({"message", "c", "0"}));
        }
        QVERIFY(link().takeCommands().isEmpty());
    }

    void findsADeadServer() {
        makeReady();
        const auto answer = keep(m_connection->send(set));
        test::turnEventLoop();
        m_clock->advance(m_options.commandTimeout - 1ms);
        QVERIFY(m_connection->isReady());
        advanceTo(State::Waiting, m_options.commandTimeout / 2 + 1ms);
        QCOMPARE(m_connection->lastError(), Error(ErrorCode::Timeout, Cause::ServerSilent, {QStringLiteral("10")}));
        QCOMPARE(answer->error(), "OutcomeUnknown");
    }

    // However many pushes arrive that were asked for: they are no answers.
    void findsAServerThatSendsNothingButPushes() {
        makeReady();
        const auto subscription = keep(m_connection->send(Command("SUBSCRIBE", {"c"})));
        test::turnEventLoop();
        link().reply(">3\r\n" + test::bulk("subscribe") + test::bulk("c") + test::number(1));
        QVERIFY(subscription->has() && subscription->result->ok());
        const auto answer = keep(m_connection->send(set));
        test::turnEventLoop();
        const SteadyTime latest = m_clock->now() + m_options.commandTimeout * 3 / 2;
        while (m_connection->isReady() && m_clock->now() < latest) {
            link().reply(test::pushOf({"message", "c", "0"}));
            m_clock->advance(100ms);
        }
        QCOMPARE(m_connection->lastError().code, ErrorCode::Timeout);
        QCOMPARE(answer->error(), "OutcomeUnknown");
    }

    void findsADeadServerThatNobodyAsks() {
        makeReady();
        m_clock->advance(m_options.keepaliveInterval);
        QCOMPARE(link().takeCommands(), QList<QByteArrayList>{{"PING"}});
        advanceTo(State::Waiting, m_options.commandTimeout * 3 / 2);
    }

    // ---- reconnecting ----

    void comesBackWithGrowingPauses() {
        make();
        m_connection->open();
        Milliseconds full = m_options.firstRetry;
        for (int attempt = 1; attempt <= 12; ++attempt) {
            const size_t links = m_server->linkCount();
            link().lose(ErrorCode::ConnectionRefused);
            QCOMPARE(m_connection->lastError().code, ErrorCode::ConnectionRefused);
            m_clock->advance(full / 2 - 1ms);
            QVERIFY2(m_server->linkCount() == links, "too early");
            m_clock->advance(full / 2 + 1ms);
            QVERIFY2(m_server->linkCount() == links + 1, "too late");
            full = std::min(full * 2, m_options.lastRetry);
        }
    }

    void pausesDiffer() {
        QSet<qint64> pauses;
        for (int i = 0; i < 20; ++i) {
            init();
            make();
            m_connection->open();
            link().lose();
            pauses += advanceTo(State::Opening, m_options.firstRetry).count();
            cleanup();
        }
        QVERIFY2(pauses.size() > 3, "clients that lost the same server would all come back in the same moment");
    }

    // A server that accepts and breaks at once must not be tried without end.
    void aConnectionThatLastsResetsThePause_data() {
        QTest::addColumn<qint64>("lasted");  // ms
        QTest::addColumn<bool>("soon");
        QTest::newRow("lasts") << qint64(m_options.lastRetry.count()) << true;
        QTest::newRow("breaks after HELLO") << qint64(0) << false;
        QTest::newRow("breaks a little later") << qint64(m_options.lastRetry.count()) - 1 << false;
    }
    void aConnectionThatLastsResetsThePause() {
        QFETCH(qint64, lasted);
        QFETCH(bool, soon);
        m_options.keepaliveInterval = 1h;
        make();
        m_connection->open();
        for (int i = 0; i < 8; ++i) {
            link().lose();
            advanceTo(State::Opening, m_options.lastRetry);
        }
        link().shakeHands();
        QVERIFY(m_connection->isReady());
        m_clock->advance(Milliseconds(lasted));
        const size_t links = m_server->linkCount();
        link().lose();
        m_clock->advance(m_options.firstRetry);
        QCOMPARE(m_server->linkCount(), soon ? links + 1 : links);
    }

    void readyIsAwaited() {
        make();
        QCOMPARE(wordOf(m_connection->whenReady()), "ConnectionLost");
        m_connection->open();
        const Completion<Done> ready = m_connection->whenReady();
        link().lose();
        advanceTo(State::Opening, m_options.lastRetry);
        QVERIFY2(!ready.isCompleted(), "one failed attempt is no reason to give up");
        link().shakeHands();
        QCOMPARE(wordOf(ready), "ready");
        QCOMPARE(wordOf(m_connection->whenReady()), "ready");
    }

    void closingEndsWaitingForReady() {
        make();
        m_connection->open();
        const Completion<Done> ready = m_connection->whenReady();
        m_connection->close();
        QCOMPARE(wordOf(ready), "ConnectionLost");
    }

    // ---- the receiver of a signal or an answer may close or delete the connection ----

    void closedOrDeletedInAReply_data() { closeOrDelete(); }
    void closedOrDeletedInAReply() {
        QFETCH(bool, deletes);
        makeReady();
        m_connection->send(get).then([this, deletes](const Result<RespValue>&) { closeConnection(deletes); });
        const auto behind = keep(m_connection->send(set));
        test::turnEventLoop();
        link().reply("+1\r\n+2\r\n");
        QCOMPARE(behind->error(), "OutcomeUnknown");
        QCOMPARE(m_connection != nullptr, !deletes);
        QVERIFY(!m_clock->hasTimers());
    }

    void closedOrDeletedInAPush_data() { closeOrDelete(); }
    void closedOrDeletedInAPush() {
        QFETCH(bool, deletes);
        makeReady();
        askForPushes();
        connect(m_connection.get(), &Connection::pushReceived, this, [this, deletes] { closeConnection(deletes); });
        link().transport()->receive(test::pushOf({"message", "c", "0"}) + test::pushOf({"message", "c", "0"}));
        QCOMPARE(m_connection != nullptr, !deletes);
        QVERIFY(!m_clock->hasTimers());
    }

    void closedOrDeletedInAStateChange_data() {
        QTest::addColumn<bool>("deletes");
        QTest::addColumn<State>("state");
        const QMetaEnum states = QMetaEnum::fromType<State>();
        for (const State state : {State::Opening, State::Handshaking, State::Ready, State::Waiting, State::Closed}) {
            for (const bool deletes : {false, true})
                QTest::addRow("%s in %s", deletes ? "deleted" : "closed", states.valueToKey(static_cast<int>(state)))
                    << deletes << state;
        }
    }
    void closedOrDeletedInAStateChange() {
        QFETCH(bool, deletes);
        QFETCH(State, state);
        make();
        connect(m_connection.get(), &Connection::stateChanged, this, [this, deletes, state](State now) {
            if (now == state)
                closeConnection(deletes);
        });
        test::AnswerPtr answer;
        m_connection->open();
        QPointer<test::FakeTransport> transport = link().transport();
        const auto ready = m_connection ? m_connection->whenReady() : Completion<Done>();
        if (m_connection && m_connection->state() != State::Closed)
            link().shakeHands();
        if (m_connection && m_connection->isReady()) {
            answer = keep(m_connection->send(set));
            test::turnEventLoop();
            if (state == State::Waiting)
                link().lose();
            else
                m_connection->close();
        }
        QCOMPARE(m_connection != nullptr, !deletes);
        if (answer)
            QCOMPARE(answer->error(), "OutcomeUnknown");
        if (state == State::Handshaking || state == State::Ready)
            QCOMPARE(wordOf(ready), "ConnectionLost");
        QVERIFY(!m_clock->hasTimers());
        QVERIFY(!transport || transport->wasClosed);
    }

    void reopenedInAStateChange() {
        make();
        m_connection->open();
        bool reopened = false;
        connect(m_connection.get(), &Connection::stateChanged, this, [this, &reopened](State now) {
            if (now == State::Waiting && !std::exchange(reopened, true)) {
                m_connection->close();
                m_connection->open();
            }
        });
        link().lose();
        QCOMPARE(m_server->linkCount(), size_t{2});
        link().shakeHands();
        m_clock->advance(m_options.lastRetry);
        QCOMPARE(m_server->linkCount(), size_t{2});
        QVERIFY(m_connection->isReady());
    }

    void aWaiterForReadyMayCloseIt() {
        make();
        m_connection->open();
        m_connection->whenReady().then([this](const Result<Done>&) { m_connection->close(); });
        const Completion<Done> second = m_connection->whenReady();
        link().shakeHands();
        QCOMPARE(wordOf(second), "ConnectionLost");
    }

private:
    void askForPushes() {
        (void)m_connection->send(Command("CLIENT", {"TRACKING", "ON"}));
        (void)link().takeCommands();
        link().reply("+OK\r\n");
    }
    // Connects again, up to the answer to PING.
    void connectAgain() {
        advanceTo(State::Opening, m_options.firstRetry);
        link().transport()->becomeOpen();
        QCOMPARE(link().takeCommand().value(0), "HELLO");
        link().reply(test::FakeLink::helloReply());
        QCOMPARE(link().takeCommand(), QByteArrayList{"PING"});
        link().reply("+PONG\r\n");
    }
    static void closeOrDelete() {
        QTest::addColumn<bool>("deletes");
        QTest::newRow("closed") << false;
        QTest::newRow("deleted") << true;
    }
    void closeConnection(bool deletes) {
        if (deletes)
            m_connection.reset();
        else
            m_connection->close();
    }
};

LOCKKEEPER_TEST(TestConnectionLoss, Guiless)

}  // namespace tst_connectionloss

#include "tst_connectionloss.moc"
