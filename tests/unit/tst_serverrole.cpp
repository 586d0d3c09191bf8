// SPDX-License-Identifier: Apache-2.0
#include "redis/respparser.h"
#include "redis/serverrole.h"
#include "support/testprogram.h"

#include <QTest>

namespace tst_serverrole {

using namespace lockkeeper;
using namespace lockkeeper::redis;

// The answer to ROLE, or to INFO replication.
class TestServerRole : public QObject {
    Q_OBJECT

private:
    static QByteArray bulk(const QByteArray& bytes) {
        return '$' + QByteArray::number(bytes.size()) + "\r\n" + bytes + "\r\n";
    }
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
        QCOMPARE(role.masterLink, MasterLink::Up);
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

    void aReplicaSaysWhetherItHasItsMaster_data() {
        QTest::addColumn<QByteArray>("answer");
        QTest::addColumn<MasterLink>("link");
        const auto role = [](const QByteArray& state) {
            return "*5\r\n$5\r\nslave\r\n$2\r\ndb\r\n:6380\r\n" + bulk(state) + ":42\r\n";
        };
        const auto info = [](const QByteArray& lines) {
            return bulk("# Replication\r\nrole:slave\r\nmaster_host:db\r\nmaster_port:6380\r\n" + lines);
        };
        QTest::newRow("ROLE, connected") << role("connected") << MasterLink::Up;
        for (const char* state : {"connect", "connecting", "handshake", "sync", "none"})
            QTest::addRow("ROLE, %s", state) << role(state) << MasterLink::Down;
        QTest::newRow("ROLE of a proxy") << QByteArray("*3\r\n$5\r\nslave\r\n$2\r\ndb\r\n:6380\r\n")
                                         << MasterLink::NotKnown;
        QTest::newRow("INFO, up") << info("master_link_status:up\r\n") << MasterLink::Up;
        QTest::newRow("INFO, down") << info("master_link_status:down\r\n") << MasterLink::Down;
        QTest::newRow("INFO without it") << info({}) << MasterLink::NotKnown;
    }
    void aReplicaSaysWhetherItHasItsMaster() {
        QFETCH(QByteArray, answer);
        QFETCH(MasterLink, link);
        const ServerRole role = ServerRole::of(parsed(answer));
        QVERIFY(role.isReplica());
        QCOMPARE(role.master(), "db:6380");
        QCOMPARE(role.masterLink, link);
    }

    void infoKnowsSinceWhenTheMasterIsSilent_data() {
        QTest::addColumn<QByteArray>("line");
        QTest::addColumn<int>("seconds");  // -1: not known
        QTest::newRow("just now") << QByteArray("master_last_io_seconds_ago:0") << 0;
        QTest::newRow("7 s") << QByteArray("master_last_io_seconds_ago:7") << 7;
        QTest::newRow("without its master") << QByteArray("master_last_io_seconds_ago:-1") << -1;
        QTest::newRow("not said") << QByteArray() << -1;
    }
    void infoKnowsSinceWhenTheMasterIsSilent() {
        QFETCH(QByteArray, line);
        QFETCH(int, seconds);
        const ServerRole role = ServerRole::of(parsed(bulk("role:slave\r\n" + line + "\r\n")));
        QCOMPARE(role.silence ? static_cast<int>(role.silence->count()) : -1, seconds);
    }

    void infoOfAMasterNamesNone() {
        const ServerRole role = ServerRole::of(parsed(bulk("# Replication\r\nrole:master\r\nconnected_slaves:0\r\n")));
        QVERIFY(role.isMaster());
        QCOMPARE(role.master(), QString());
        QCOMPARE(role.masterLink, MasterLink::NotKnown);
    }

    void aReplicaWithoutAnAddressNamesNone() {
        const ServerRole role = ServerRole::of(parsed("*5\r\n$5\r\nslave\r\n$0\r\n\r\n:0\r\n$7\r\nconnect\r\n:-1\r\n"));
        QVERIFY(role.isReplica());
        QCOMPARE(role.master(), QString());
    }
};

LOCKKEEPER_TEST(TestServerRole, Appless)

}  // namespace tst_serverrole

#include "tst_serverrole.moc"
