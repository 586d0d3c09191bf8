// SPDX-License-Identifier: Apache-2.0
#include "monitor/format/watchingwords.h"
#include "monitor/observe/clientflags.h"
#include "support/lockreplies.h"
#include "support/manualclock.h"
#include "support/testprogram.h"

#include <QTest>

namespace tst_clientflags {

using namespace lockkeeper;
using namespace lockkeeper::monitor;
using namespace lockkeeper::test;

class TestClientFlags : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void asksForBothAfterTheHandshake_data() {
        QTest::addColumn<QByteArray>("answers");
        QTest::addColumn<QStringList>("noted");
        const QByteArray ok = "+OK\r\n";
        QTest::newRow("granted") << ok + ok << QStringList();
        QTest::newRow("unknown to Redis 7.0") << ok + "-ERR Unknown subcommand 'NO-TOUCH'. Try CLIENT HELP.\r\n"
                                              << QStringList();
        QTest::newRow("refused") << noPermission("client|no-evict") + noPermission("client|no-touch")
                                 << QStringList{"CLIENT NO-EVICT", "CLIENT NO-TOUCH"};
    }
    void asksForBothAfterTheHandshake() {
        QFETCH(const QByteArray, answers);
        QFETCH(const QStringList, noted);
        shakeHands(FakeLink::helloReply());
        QCOMPARE(link().takeCommands(),
                 (QList<QByteArrayList>{{"CLIENT", "NO-EVICT", "ON"}, {"CLIENT", "NO-TOUCH", "ON"}}));
        link().reply(answers);
        QStringList denied;
        for (const QString& line : denialLines(m_denials.list()))
            denied << line.section(':', 0, 0);
        QCOMPARE(denied, noted);
    }

    void asksNothingOfAServerWithoutResp3() {
        shakeHands("-ERR unknown command 'HELLO'\r\n");
        QCOMPARE(link().takeCommand().value(0), QByteArray("INFO"));
        link().reply(test::bulk("redis_version:5.0.14\r\n"));
        QCOMPARE(link().takeCommand().value(1), QByteArray("SETNAME"));
        link().reply("+OK\r\n");
        QVERIFY(m_connection->isReady());
        QCOMPARE(link().takeCommands().size(), 0);
    }

private:
    void shakeHands(const QByteArray& hello) {
        m_server = std::make_unique<FakeServer>();
        m_denials = Denials();
        m_connection = std::make_unique<redis::Connection>(redis::ConnectionOptions(), m_server->factory(), m_clock);
        m_flags = std::make_unique<ClientFlags>(*m_connection, m_denials);
        m_connection->open();
        link().transport()->becomeOpen();
        (void)link().takeCommands();
        link().reply(hello);
        (void)link().takeCommands();
        link().reply("+PONG\r\n");
    }
    FakeLink& link() { return m_server->lastLink(); }

    ManualClock m_clock;
    std::unique_ptr<FakeServer> m_server;
    Denials m_denials;
    std::unique_ptr<redis::Connection> m_connection;
    std::unique_ptr<ClientFlags> m_flags;
};

LOCKKEEPER_TEST(TestClientFlags, Guiless)

}  // namespace tst_clientflags

#include "tst_clientflags.moc"
