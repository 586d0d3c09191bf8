// SPDX-License-Identifier: Apache-2.0
#include "app/tools/checkcommand.h"
#include "base/systemclock.h"
#include "control/check/serverchecker.h"
#include "support/auditedengine.h"
#include "support/clustersetup.h"
#include "support/exitcodes.h"
#include "support/leastrights.h"
#include "support/places.h"
#include "support/programrun.h"
#include "support/redisserver.h"
#include "support/sentinelsetup.h"
#include "support/serverhand.h"
#include "support/sessionprobe.h"
#include "support/taskwait.h"
#include "support/testprogram.h"
#include "support/wiretap.h"
#include "topology/route.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QRegularExpression>
#include <QSignalSpy>
#include <QTest>

namespace tst_servercheck_server {

using namespace lockkeeper;
using namespace lockkeeper::test;
using namespace std::chrono_literals;
using control::LockLimit;

namespace {

QList<QJsonObject> objects(const QByteArray& lines) {
    QList<QJsonObject> found;
    for (const QByteArray& line : lines.trimmed().split('\n'))
        found += QJsonDocument::fromJson(line).object();
    return found;
}

QStringList limitsIn(const QJsonObject& node) {
    QStringList limits;
    for (const QJsonValue& limit : node["locks"].toArray())
        limits << limit.toObject()["what"].toString();
    return limits;
}

QString stateOf(const QJsonObject& node, const QString& command) {
    for (const QJsonValue& entry : node["commands"].toArray()) {
        if (entry.toObject()["name"].toString() == command)
            return entry.toObject()["state"].toString();
    }
    return {};
}

// The commands that the server has executed or refused so far, by its own count.
QStringList commandsOf(RedisServer& server) {
    QStringList commands;
    static const QRegularExpression line(QStringLiteral("^cmdstat_([^:]+):"), QRegularExpression::MultilineOption);
    for (const QRegularExpressionMatch& match : line.globalMatch(server.cli({"INFO", "commandstats"})))
        commands << match.captured(1);
    return commands;
}

}  // namespace

// A check of real servers: what they refuse or do not have is found before it is met.
class TestServerCheckServer : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void nothingIsMissingOnAWholeServer() {
        RedisServer server;
        QVERIFY(server.start());
        const ProgramRun check = runProgram({"check", server.url()});
        QCOMPARE(check.err, QByteArray());
        QVERIFY2(check.out.contains("Nothing that was asked about is missing or limited."), check.out);
        QVERIFY2(check.out.contains("user 'default'"), check.out);
        QCOMPARE(check.exitCode, 0);
    }

    void itWritesNothingAndPublishesNothing_data() {
        QTest::addColumn<QStringList>("rights");
        QTest::newRow("all rights") << QStringList{"~*", "&*", "+@all"};
        QTest::newRow("no read-only scripts") << QStringList{"~*", "&*", "+@all", "-eval_ro"};
    }
    void itWritesNothingAndPublishesNothing() {
        QFETCH(const QStringList, rights);
        RedisServer server;
        QVERIFY(server.start());
        SystemClock clock;
        Wiretap messages(server, clock);
        ServerHand hand(server);
        hand.take("L", HolderId::parse("0ae6d8e3-41d2-4a0e-9c76-0a4f3c1f6f10:33").value());
        server.cli(QStringList{"ACL", "SETUSER", "app", "on", ">pw"} + rights);
        const QStringList state = hand.state();
        const QString offset =
            server.cli({"INFO", "replication"}).section("master_repl_offset:", 1).section('\r', 0, 0);
        const QString dirty =
            server.cli({"INFO", "persistence"}).section("rdb_changes_since_last_save:", 1).section('\r', 0, 0);
        server.cli({"CONFIG", "RESETSTAT"});
        const ProgramRun check =
            runProgram({"check", QString(server.url()).replace("redis://", "redis://app:pw@"), "--json"});
        QVERIFY2(check.exitCode >= 0 && check.exitCode <= 1, check.err);
        QCOMPARE(hand.state(), state);
        QCOMPARE(messages.takeMessages(), QStringList());
        QCOMPARE(server.cli({"INFO", "persistence"}).section("rdb_changes_since_last_save:", 1).section('\r', 0, 0),
                 dirty);
        QCOMPARE(server.cli({"INFO", "replication"}).section("master_repl_offset:", 1).section('\r', 0, 0), offset);
        QStringList writes;
        for (const QString& command : commandsOf(server)) {
            const QString flags = server.cli({"COMMAND", "INFO", command});
            if (flags.contains("\nwrite\n") || command.contains("publish") || command.endsWith("subscribe"))
                writes << command;
        }
        // Of the wiretap itself, and of the keys that the state is read by.
        writes.removeAll(QStringLiteral("psubscribe"));
        QCOMPARE(writes, QStringList());
        QVERIFY2(!commandsOf(server).contains("eval") && !commandsOf(server).contains("wait"),
                 qPrintable(commandsOf(server).join(' ')));
    }

    // Each refused command would leave a line there.
    void itLeavesNoLineInTheAclLog() {
        RedisServer server;
        QVERIFY(server.start());
        server.cli({"ACL", "SETUSER", "app", "on", ">pw", "~*", "&*", "+@all", "-info", "-config", "-command", "-acl",
                    "-wait", "-publish", "-cluster"});
        const ProgramRun check =
            runProgram({"check", QString(server.url()).replace("redis://", "redis://app:pw@"), "--json"});
        QCOMPARE(check.exitCode, 1);
        QCOMPARE(server.cli({"ACL", "LOG"}), QString());
    }

    void aUserWithoutACommand_data() {
        QTest::addColumn<QString>("taken");
        QTest::addColumn<QString>("limit");  // empty: none of the locks' own
        QTest::addColumn<QString>("unseen");
        QTest::addColumn<QString>("writing");
        const auto row = [](const char* taken, const char* limit, const char* unseen, const char* writing) {
            QTest::newRow(taken) << taken << limit << unseen << writing;
        };
        row("-wait", "wait_refused", "", "wait");
        row("-publish", "no_messages", "", "publish");
        row("-subscribe", "no_messages", "", "subscribe");
        row("-hexists", "script_commands", "", "hexists");
        row("-eval -evalsha", "no_scripts", "", "eval");
        row("-pubsub", "", "PUBSUB:", "");
        row("-client|tracking", "", "CLIENT TRACKING:", "client|tracking");
        row("-scan", "", "SCAN:", "");
        row("-dbsize", "", "DBSIZE:", "");
        row("-psubscribe", "", "PSUBSCRIBE:", "");
        row("-object", "", "OBJECT:", "");
        row("-eval_ro", "", "EVAL_RO:", "");
    }
    void aUserWithoutACommand() {
        QFETCH(const QString, taken);
        QFETCH(const QString, limit);
        QFETCH(const QString, unseen);
        QFETCH(const QString, writing);
        RedisServer server;
        QVERIFY(server.start());
        server.cli(QStringList{"ACL", "SETUSER", "app", "on", ">pw", "~*", "&*", "+@all"} + taken.split(' '));
        const ProgramRun check =
            runProgram({"check", QString(server.url()).replace("redis://", "redis://app:pw@"), "--json"});
        QVERIFY2(check.exitCode == exitcode::unchanged, check.err);
        const QJsonObject node = objects(check.out).value(0);
        QCOMPARE(node["user"].toString(), "app");
        QCOMPARE(limitsIn(node), limit.isEmpty() ? QStringList() : QStringList{limit});
        QStringList unseenLines;
        for (const QJsonValue& line : node["unseen"].toArray())
            unseenLines << line.toString();
        QCOMPARE(unseenLines.size(), unseen.isEmpty() ? 0 : 1);
        QVERIFY2(unseen.isEmpty() || unseenLines.join(u'|').startsWith(unseen), qPrintable(unseenLines.join('|')));
        QStringList costs;
        for (const QJsonValue& cost : node["writing"].toArray())
            costs << cost.toObject()["command"].toString();
        QCOMPARE(costs.contains(writing), !writing.isEmpty());
    }

    // What the check says in advance, the monitor then meets.
    void theMonitorMeetsWhatTheCheckSays() {
        RedisServer server;
        QVERIFY(server.start());
        server.cli({"ACL", "SETUSER", "app", "on", ">pw", "~*", "&*", "+@all", "-pubsub", "-dbsize", "-info",
                    "-client|tracking", "-client|no-evict"});
        auto profile = profile::ConnectionProfile::fromUrl(server.url()).value();
        profile.credentials = {"app", "pw"};
        test::AuditedEngine engine;
        SessionProbe page(engine);
        std::optional<ServerChecked> checked;
        page.link.onReport<ServerChecked>(&page, [&checked](const ServerChecked& answer) { checked = answer; });
        page.link.connectTo(profile, {});
        QTRY_VERIFY(page.isConnected());
        page.link.request(CheckServer());
        QTRY_VERIFY(checked);
        QVERIFY(checked->check);
        for (const monitor::Denial& denial : checked->check->nodes.first().unseen) {
            const auto isMet = [&] {
                return std::ranges::any_of(page.stats.denied, [&denial](const monitor::Denial& met) {
                    return met.command == denial.command && met.consequence == denial.consequence;
                });
            };
            QTRY_VERIFY2(isMet(), qPrintable(denial.command));
        }
        QCOMPARE(checked->check->nodes.first().unseen.size(), 5);
    }

    void aRenamedCommandIsNotThere_data() {
        QTest::addColumn<QString>("command");
        QTest::addColumn<QString>("limit");
        QTest::newRow("WAIT") << "wait"
                              << "no_wait";
        QTest::newRow("PUBLISH") << "publish"
                                 << "no_messages";
        QTest::newRow("HINCRBY") << "hincrby"
                                 << "script_commands";
        QTest::newRow("CONFIG") << "config"
                                << "";
        QTest::newRow("EVAL_RO") << "eval_ro"
                                 << "";
    }
    void aRenamedCommandIsNotThere() {
        QFETCH(const QString, command);
        QFETCH(const QString, limit);
        RedisServer server({"--rename-command", command, "another-" + command});
        QVERIFY(server.start());
        const ProgramRun check = runProgram({"check", server.url(), "--json"});
        QVERIFY2(check.exitCode == 1, check.err);
        const QJsonObject node = objects(check.out).value(0);
        QCOMPARE(limitsIn(node), limit.isEmpty() ? QStringList() : QStringList{limit});
        QCOMPARE(stateOf(node, command == "config" ? "config|get" : command), "not_had");
    }

    void tooFewReplicasRefuseEveryWrite() {
        RedisServer server({"--min-replicas-to-write", "1", "--min-replicas-max-lag", "10"});
        QVERIFY(server.start());
        const ProgramRun check = runProgram({"check", server.url()});
        QCOMPARE(check.exitCode, 1);
        QVERIFY2(check.out.contains("The server refuses every write"), check.out);
        QVERIFY2(check.out.contains("CONFIG GET min-replicas-to-write: 1; INFO min_slaves_good_slaves: 0"), check.out);
        QVERIFY(server.cli({"SET", "a", "b"}).startsWith("NOREPLICAS"));
        RedisServer replica(
            {"--repl-diskless-sync-delay", "0", "--replicaof", "127.0.0.1 " + QString::number(server.port())});
        QVERIFY(replica.start());
        QTRY_COMPARE(server.cli({"SET", "a", "b"}), "OK");
        QCOMPARE(limitsIn(objects(runProgram({"check", server.url(), "--json"}).out).value(0)),
                 QStringList{"writes_need_replicas"});
        const QJsonObject ofReplica = objects(runProgram({"check", replica.url(), "--json"}).out).value(0);
        QVERIFY2(limitsIn(ofReplica).contains("on_replica"), qPrintable(limitsIn(ofReplica).join(' ')));
    }

    void keysMayBeEvicted() {
        RedisServer server({"--maxmemory", "100mb", "--maxmemory-policy", "volatile-ttl"});
        QVERIFY(server.start());
        QCOMPARE(limitsIn(objects(runProgram({"check", server.url(), "--json"}).out).value(0)),
                 QStringList{"keys_evicted"});
    }

    void eachMasterOfAClusterIsAsked() {
        ClusterSetup cluster;
        QVERIFY(cluster.start());
        const ProgramRun whole = runProgram({"check", cluster.url(), "--json"});
        QVERIFY2(whole.exitCode == 0, whole.out + whole.err);
        QCOMPARE(objects(whole.out).size(), 3);
        const ProgramRun together = runProgram({"check", cluster.url()});
        QCOMPARE(together.out.count("Nothing that was asked about"), 1);
        cluster.master(1).cli({"ACL", "SETUSER", "default", "-spublish"});
        const ProgramRun limited = runProgram({"check", cluster.url(), "--json"});
        QCOMPARE(limited.exitCode, 1);
        int found = 0;
        for (const QJsonObject& node : objects(limited.out)) {
            const bool isIt = node["node"].toString() == cluster.address(1);
            QCOMPARE(limitsIn(node), isIt ? QStringList{"no_shard_messages"} : QStringList());
            found += isIt ? 1 : 0;
        }
        QCOMPARE(found, 1);
        const QJsonObject oneNode = objects(runProgram({"check", cluster.master(0).url(), "--json"}).out).value(0);
        QCOMPARE(limitsIn(oneNode), QStringList{"one_cluster_node"});
    }

    // The other user may lack rights that only the watching needs.
    void theServersAreFoundAsTheUserWhoWatches() {
        ClusterSetup cluster;
        QVERIFY(cluster.start());
        for (int i = 0; i < 3; ++i) {
            cluster.master(i).cli({"ACL", "SETUSER", "watcher", "on", ">pw", "~*", "&*", "+@all"});
            cluster.master(i).cli({"ACL", "SETUSER", "writer", "on", ">pw", "~*", "&*", "+@all", "-cluster"});
        }
        app::Arguments arguments;
        arguments.profile = profile::ConnectionProfile::fromUrl(cluster.url()).value();
        arguments.profile.credentials = {"watcher", "pw"};
        arguments.profile.writing = {"writer", "pw"};
        app::CheckCommand check(arguments);
        const QSignalSpy ended(&check, &app::CheckCommand::finished);
        check.start();
        QTRY_COMPARE(ended.size(), 1);
        QCOMPARE(ended.front().front().toInt(), 0);
    }

    void theMasterBehindSentinelsIsAsked() {
        SentinelSetup setup(1);
        QVERIFY(setup.start());
        const ProgramRun check = runProgram({"check", setup.url(), "--json"});
        QVERIFY2(check.exitCode == 0, check.out + check.err);
        QCOMPARE(objects(check.out).value(0)["role"].toString(), "master");
        QCOMPARE(objects(check.out).value(0)["node"].toString(), address(setup.first()));
    }

    void whatCannotBeReachedIsNotJudged() {
        RedisServer server({"--requirepass", "s3cret"});
        QVERIFY(server.start());
        const ProgramRun denied = runProgram({"check", server.url()});
        QCOMPARE(denied.exitCode, exitcode::denied);
        QVERIFY2(denied.err.contains("cannot connect to 127.0.0.1"), denied.err);
        QCOMPARE(denied.out, QByteArray());
        server.stop();
        const ProgramRun away = runProgram({"check", server.url(), "--json"});
        QCOMPARE(away.exitCode, exitcode::noConnection);
        QCOMPARE(objects(away.out).value(0)["error"].toString(), "ConnectionRefused");
        QVERIFY(!objects(away.out).value(0).contains("locks"));
    }

private:
    static QString address(const RedisServer& server) { return "127.0.0.1:" + QString::number(server.port()); }
};

LOCKKEEPER_TEST(TestServerCheckServer, Guiless)

}  // namespace tst_servercheck_server

#include "tst_servercheck_server.moc"
