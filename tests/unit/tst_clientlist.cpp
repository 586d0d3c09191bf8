// SPDX-License-Identifier: Apache-2.0
#include "monitor/observe/read/clientlist.h"
#include "support/testprogram.h"

#include <QTest>

namespace tst_clientlist {

using namespace lockkeeper::monitor;

class TestClientList : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void readsWhatRedis7Answers() {
        const QList<ClientListEntry> clients = parseClientList(
            "id=7 addr=10.0.0.7:53422 laddr=10.0.0.1:6379 fd=9 name=orders-a age=12 idle=0 flags=N db=0 sub=2 psub=1 "
            "ssub=4 "
            "multi=-1 qbuf=26 argv-mem=10 events=r cmd=client|list user=app redir=-1 resp=3\n"
            "id=9 addr=[::1]:40000 laddr=[::1]:6379 fd=10 name= age=1 idle=1 flags=P db=0 sub=1 psub=0 ssub=0 "
            "user=default resp=2\n");
        QCOMPARE(clients.size(), 2);
        QCOMPARE(clients[0], (ClientListEntry{7, "10.0.0.7:53422", "orders-a", "app", "N", 7, 4}));
        QCOMPARE(clients[1], (ClientListEntry{9, "[::1]:40000", "", "default", "P", 1, 0}));
    }

    void readsOlderServersToo() {
        const QList<ClientListEntry> clients =
            parseClientList("id=3 addr=/run/redis.sock:0 fd=8 name=a sub=0 psub=0\r\n");
        QCOMPARE(clients, (QList<ClientListEntry>{{3, "/run/redis.sock:0", "a", "", "", 0}}));
    }

    void aValueMayHoldTheSignBetweenNameAndValue() {
        QCOMPARE(parseClientList("addr=1.2.3.4:5 name=a=b").first().name, QByteArray("a=b"));
    }

    void leavesOutWhatIsNoClient_data() {
        QTest::addColumn<QByteArray>("text");
        QTest::newRow("nothing") << QByteArray();
        QTest::newRow("empty lines") << QByteArray("\n\n\r\n");
        QTest::newRow("no address") << QByteArray("id=3 name=a\n");
        QTest::newRow("garbage") << QByteArray("\x00\xff = == addr\n", 13);
    }
    void leavesOutWhatIsNoClient() {
        QFETCH(QByteArray, text);
        QVERIFY(parseClientList(text).isEmpty());
    }
};

LOCKKEEPER_TEST(TestClientList, Guiless)

}  // namespace tst_clientlist

#include "tst_clientlist.moc"
