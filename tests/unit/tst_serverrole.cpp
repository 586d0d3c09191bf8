// SPDX-License-Identifier: Apache-2.0
#include "redis/respparser.h"
#include "redis/serverrole.h"
#include "support/testprogram.h"

#include <QTest>

using namespace lockkeeper;
using namespace lockkeeper::redis;

// The answer to ROLE.
class TestServerRole : public QObject {
    Q_OBJECT

private:
    static RespValue parsed(const QByteArray& bytes) {
        RespParser parser;
        parser.feed(bytes);
        return *parser.take().value();
    }

private Q_SLOTS:
    void aMasterNamesItsReplicasAndWhatTheyLack() {
        const ServerRole role =
            ServerRole::of(parsed("*3\r\n$6\r\nmaster\r\n:3129659\r\n*2\r\n"
                                  "*3\r\n$9\r\n127.0.0.1\r\n$4\r\n9001\r\n$7\r\n3129242\r\n"
                                  "*3\r\n$2\r\n::\r\n$4\r\n9002\r\n$7\r\n3129660\r\n"));
        QVERIFY(role.isMaster());
        QCOMPARE(role.master(), QString());
        QCOMPARE(role.replicas, (QList<Replica>{{"127.0.0.1:9001", 417}, {"[::]:9002", 0}}));
    }

    void aReplicaNamesItsMaster() {
        const ServerRole role =
            ServerRole::of(parsed("*5\r\n$5\r\nslave\r\n$10\r\ndb.example\r\n:6380\r\n$9\r\nconnected\r\n:42\r\n"));
        QVERIFY(role.isReplica());
        QCOMPARE(role.master(), "db.example:6380");
        QCOMPARE(notMaster(role), Error(ErrorCode::ConnectionLost, Cause::NotMaster, {"slave", "db.example:6380"}));
    }

    void otherAnswersAreNeither_data() {
        QTest::addColumn<QByteArray>("answer");
        QTest::newRow("Sentinel") << QByteArray("*2\r\n$8\r\nsentinel\r\n*0\r\n");
        QTest::newRow("no list") << QByteArray("+OK\r\n");
        QTest::newRow("empty") << QByteArray("*0\r\n");
        QTest::newRow("no entries") << QByteArray("*1\r\n$6\r\nanyway\r\n");
    }
    void otherAnswersAreNeither() {
        QFETCH(QByteArray, answer);
        const ServerRole role = ServerRole::of(parsed(answer));
        QVERIFY(!role.isMaster() && !role.isReplica());
        QCOMPARE(notMaster(role).arguments.size(), 1);
    }

    void aReplicaWithoutAnAddressNamesNone() {
        const ServerRole role = ServerRole::of(parsed("*5\r\n$5\r\nslave\r\n$0\r\n\r\n:0\r\n$7\r\nconnect\r\n:-1\r\n"));
        QVERIFY(role.isReplica());
        QCOMPARE(role.master(), QString());
    }
};

LOCKKEEPER_TEST(TestServerRole, Appless)
#include "tst_serverrole.moc"
