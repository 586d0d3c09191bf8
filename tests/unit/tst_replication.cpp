// SPDX-License-Identifier: Apache-2.0
#include "locks/calls/replication.h"
#include "support/fakeserver.h"
#include "support/manualclock.h"
#include "support/taskwait.h"
#include "support/testprogram.h"

#include <QTest>

namespace tst_replication {

using namespace lockkeeper;
using namespace lockkeeper::locks;
using namespace std::chrono_literals;

// The commands that are sent, and what the answers mean.
class TestReplication : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() {
        m_clock = std::make_unique<test::ManualClock>();
        m_server = std::make_unique<test::FakeServer>();
        m_connection = std::make_unique<redis::Connection>(redis::ConnectionOptions(), m_server->factory(), *m_clock);
        m_connection->open();
        m_server->lastLink().shakeHands();
        m_replication = std::make_unique<Replication>(*m_connection, 1, 1s);
    }
    void cleanup() {
        m_replication.reset();
        m_connection.reset();
    }

    void asksAsManyAsThereAre_data() {
        QTest::addColumn<QByteArray>("info");
        QTest::addColumn<int>("wanted");
        QTest::addColumn<QByteArrayList>("wait");
        QTest::newRow("none") << bulkInfo(0) << 1 << QByteArrayList();
        QTest::newRow("one") << bulkInfo(1) << 1 << QByteArrayList{"WAIT", "1", "1000"};
        QTest::newRow("more than wanted") << bulkInfo(3) << 2 << QByteArrayList{"WAIT", "2", "1000"};
        QTest::newRow("fewer than wanted") << bulkInfo(1) << 2 << QByteArrayList{"WAIT", "1", "1000"};
        QTest::newRow("not reported") << test::bulk("# Replication\r\nrole:master\r\n") << 1 << QByteArrayList();
        QTest::newRow("one that has no copy yet")
            << bulkInfo(0, "slave0:ip=10.0.0.1,port=6379,state=wait_bgsave,offset=0,lag=0\r\n") << 1
            << QByteArrayList();
        QTest::newRow("not permitted") << QByteArray("-NOPERM no\r\n") << 1 << QByteArrayList();
        QTest::newRow("no such command") << QByteArray("-ERR unknown command\r\n") << 1 << QByteArrayList();
    }
    void asksAsManyAsThereAre() {
        QFETCH(QByteArray, info);
        QFETCH(int, wanted);
        QFETCH(QByteArrayList, wait);
        m_replication = std::make_unique<Replication>(*m_connection, wanted, 1s);
        const auto call = test::start(acknowledged());
        QCOMPARE(take(), (QByteArrayList{"INFO", "replication"}));
        reply(info);
        QCOMPARE(take(), wait);
        if (!wait.isEmpty())
            reply(test::number(wanted));
        QVERIFY(*call && (*call)->ok());
    }

    void answers_data() {
        QTest::addColumn<QByteArray>("answer");
        QTest::addColumn<QString>("error");
        QTest::newRow("enough") << QByteArray(":1\r\n") << "";
        QTest::newRow("more than enough") << QByteArray(":2\r\n") << "";
        QTest::newRow("too few") << QByteArray(":0\r\n") << "Timeout";
        QTest::newRow("not permitted") << QByteArray("-NOPERM no\r\n") << "";
        QTest::newRow("not a number") << QByteArray("+OK\r\n") << "Protocol";
    }
    void answers() {
        QFETCH(QByteArray, answer);
        QFETCH(QString, error);
        const auto call = test::start(acknowledged());
        QVERIFY(!take().isEmpty());
        reply(bulkInfo(1));
        QVERIFY(!take().isEmpty());
        reply(answer);
        QVERIFY(*call);
        QCOMPARE((*call)->ok() ? QString() : wordFor((*call)->error().code), error);
    }

    void oneWaitServesAllThatWereWrittenBefore() {
        const auto first = test::start(acknowledged());
        const auto second = test::start(acknowledged());
        QCOMPARE(take(), (QByteArrayList{"INFO", "replication"}));
        reply(bulkInfo(1));
        QCOMPARE(take(), (QByteArrayList{"WAIT", "1", "1000"}));
        const auto later = test::start(acknowledged());
        QCOMPARE(take(), QByteArrayList());
        reply(":0\r\n");
        QVERIFY(*first && !(*first)->ok() && *second && !(*second)->ok() && !*later);
        QCOMPARE(take(), (QByteArrayList{"INFO", "replication"}));
        reply(bulkInfo(1));
        QCOMPARE(take(), (QByteArrayList{"WAIT", "1", "1000"}));
        reply(":1\r\n");
        QVERIFY(*later && (*later)->ok());
    }

    // 0 would block for ever, and a time longer than the connection's command time-out would end the connection.
    void theTimeoutIsOneThatEnds_data() {
        QTest::addColumn<Milliseconds>("timeout");
        QTest::addColumn<QByteArray>("sent");
        QTest::newRow("nothing") << Milliseconds(0) << QByteArray("1");
        QTest::newRow("some") << Milliseconds(300) << QByteArray("300");
        QTest::newRow("too long") << Milliseconds(60000) << QByteArray("5000");
    }
    void theTimeoutIsOneThatEnds() {
        QFETCH(Milliseconds, timeout);
        QFETCH(QByteArray, sent);
        m_replication = std::make_unique<Replication>(*m_connection, 1, timeout);
        const auto call = test::start(acknowledged());
        QVERIFY(!take().isEmpty());
        reply(bulkInfo(1));
        QCOMPARE(take(), (QByteArrayList{"WAIT", "1", sent}));
    }

    void aLostConnectionEndsAll() {
        const auto asked = test::start(acknowledged());
        QVERIFY(!take().isEmpty());
        reply(bulkInfo(1));
        const auto waiting = test::start(acknowledged());
        m_connection->close();
        QVERIFY(*asked && !(*asked)->ok() && *waiting && !(*waiting)->ok());
    }

    void theirNumberIsAskedForAgain_data() {
        QTest::addColumn<Milliseconds>("pause");
        QTest::addColumn<bool>("anotherServer");
        QTest::addColumn<QByteArray>("acknowledged");  // replicas that the first WAIT reports
        QTest::addColumn<QByteArray>("asked");
        QTest::newRow("not soon") << Milliseconds(9999) << false << QByteArray(":1\r\n") << QByteArray("WAIT");
        QTest::newRow("when it is old") << Milliseconds(10000) << false << QByteArray(":1\r\n") << QByteArray("INFO");
        QTest::newRow("after too few answers")
            << Milliseconds(0) << false << QByteArray(":0\r\n") << QByteArray("INFO");
        QTest::newRow("of another server") << Milliseconds(0) << true << QByteArray(":1\r\n") << QByteArray("INFO");
    }
    void theirNumberIsAskedForAgain() {
        QFETCH(Milliseconds, pause);
        QFETCH(bool, anotherServer);
        QFETCH(QByteArray, acknowledged);
        QFETCH(QByteArray, asked);
        const auto first = test::start(this->acknowledged());
        QVERIFY(!take().isEmpty());
        reply(bulkInfo(1));
        QVERIFY(!take().isEmpty());
        reply(acknowledged);
        QVERIFY(*first);
        m_clock->advance(pause);
        if (anotherServer)
            m_replication->forget();
        const auto second = test::start(this->acknowledged());
        QCOMPARE(take().value(0), asked);
    }

    // A caller that knows it asks nothing, and needs no coroutine to learn so.
    void isAloneOnlyWhileThatIsKnown() {
        QVERIFY(!m_replication->isAlone());
        const auto first = test::start(acknowledged());
        QVERIFY(!take().isEmpty());
        QVERIFY(!m_replication->isAlone());
        reply(bulkInfo(0));
        QVERIFY(*first && (*first)->ok());
        QVERIFY(m_replication->isAlone());
        m_clock->advance(9999ms);
        QVERIFY(m_replication->isAlone());
        m_clock->advance(1ms);
        QVERIFY(!m_replication->isAlone());
        const auto second = test::start(acknowledged());
        QVERIFY(!take().isEmpty());
        reply(bulkInfo(0));
        m_replication->forget();  // another server may answer
        QVERIFY(!m_replication->isAlone());
    }

    void isNotAloneWithAReplica() {
        const auto first = test::start(acknowledged());
        QVERIFY(!take().isEmpty());
        reply(bulkInfo(1));
        QVERIFY(!take().isEmpty());
        QVERIFY(!m_replication->isAlone());
        reply(":1\r\n");
        QVERIFY(*first && (*first)->ok());
        QVERIFY(!m_replication->isAlone());
    }

    void cancellingEndsIt_data() {
        QTest::addColumn<int>("answers");  // before the caller stops waiting
        QTest::newRow("while the replicas are counted") << 0;
        QTest::newRow("while they are waited for") << 1;
    }
    void cancellingEndsIt() {
        QFETCH(int, answers);
        std::stop_source stop;
        const auto call = test::start(acknowledged(stop.get_token()));
        QVERIFY(!take().isEmpty());
        if (answers > 0) {
            reply(bulkInfo(1));
            QVERIFY(!take().isEmpty());
        }
        stop.request_stop();
        QVERIFY(*call);
        QCOMPARE((*call)->error().code, ErrorCode::Cancelled);
    }

private:
    static QByteArray bulkInfo(int inStep, const QByteArray& others = {}) {
        QByteArray info = "# Replication\r\nrole:master\r\n";
        for (int i = 0; i < inStep; ++i)
            info += "slave" + QByteArray::number(i) + ":ip=10.0.0.1,port=6379,state=online,offset=14,lag=0\r\n";
        return test::bulk(info + others);
    }
    Task<Result<Done>> acknowledged(std::stop_token stop = {}) {
        return m_replication->acknowledged(Deadline::in(*m_clock, 5s), std::move(stop));
    }
    QByteArrayList take() { return m_server->lastLink().takeCommand(); }
    void reply(const QByteArray& answer) { m_server->lastLink().reply(answer); }

    std::unique_ptr<test::ManualClock> m_clock;
    std::unique_ptr<test::FakeServer> m_server;
    std::unique_ptr<redis::Connection> m_connection;
    std::unique_ptr<Replication> m_replication;
};

LOCKKEEPER_TEST(TestReplication, Guiless)

}  // namespace tst_replication

#include "tst_replication.moc"
