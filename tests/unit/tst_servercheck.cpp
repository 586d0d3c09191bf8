// SPDX-License-Identifier: Apache-2.0
#include "async/taskscope.h"
#include "control/check/checkanswers.h"
#include "control/check/checkjson.h"
#include "control/check/serverchecker.h"
#include "support/fakeserver.h"
#include "support/manualclock.h"
#include "support/testprogram.h"
#include "topology/shards.h"
#include "ui/words/checktext.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTest>

#include <algorithm>
#include <functional>

namespace tst_servercheck {

using namespace lockkeeper;
using namespace lockkeeper::control;
using redis::RespValue;

namespace {

const char fullInfo[] =
    "# Server\r\nredis_version:7.0.15\r\n# Memory\r\nmaxmemory:0\r\nmaxmemory_policy:noeviction\r\n"
    "# Persistence\r\naof_enabled:0\r\n# Replication\r\nrole:master\r\nconnected_slaves:1\r\n";

Result<RespValue> error(const QByteArray& words, ReplyKind kind = ReplyKind::Other) {
    const bool isDenied = kind == ReplyKind::CommandDenied || kind == ReplyKind::KeyDenied;
    return Error(isDenied ? ErrorCode::NotPermitted : ErrorCode::ServerReply, kind, QString::fromLatin1(words));
}

Result<RespValue> text(const QByteArray& words) {
    return RespValue::bulk(words);
}

Result<RespValue> setting(const QByteArray& name, const QByteArray& value) {
    return RespValue::array({RespValue::bulk(name), RespValue::bulk(value)});
}

// A server of Redis 7 that has everything and refuses nothing.
CheckAnswers wholeServer(bool isCluster = false) {
    CheckAnswers answers;
    answers.address = QStringLiteral("cache.example:6379");
    answers.server.protocol = 3;
    answers.server.version = "7.0.15";
    answers.server.mode = isCluster ? "cluster" : "standalone";
    answers.server.role = "master";
    answers.isCluster = isCluster;
    answers.commands = checkedCommands(isCluster);
    answers.rights.assign(answers.commands.size(), RightsVerdict::Allowed);
    answers.commandInfo = RespValue::array(
        std::vector<RespValue>(answers.commands.size(), RespValue::array({RespValue::bulk("a command")})));
    answers.whoAmI = text("default");
    answers.info = text(fullInfo);
    answers.minReplicas = setting("min-replicas-to-write", "0");
    answers.appendFsync = setting("appendfsync", "everysec");
    answers.keysOfOneLock = RespValue::number(1);
    answers.undeclaredKey = text("");
    if (isCluster)
        answers.clusterInfo = text("cluster_state:ok\r\ncluster_slots_ok:16384\r\n");
    else
        answers.keysOfTwoSlots = RespValue::number(1);
    return answers;
}

void give(CheckAnswers& answers, const char* name, RightsVerdict verdict) {
    bool isFound = false;
    for (size_t i = 0; i < answers.commands.size(); ++i) {
        if (QByteArrayView(answers.commands[i].name) != QByteArrayView(name))
            continue;
        answers.rights[i] = verdict;
        isFound = true;
    }
    if (!isFound)
        qFatal("%s is not asked about", name);
}

QList<LockLimit> limitsIn(const NodeCheck& node) {
    QList<LockLimit> limits;
    for (const CheckFinding& finding : node.findings)
        limits << finding.what;
    return limits;
}

CheckedCommand commandIn(const NodeCheck& node, const QString& name) {
    const auto found = std::ranges::find(node.commands, name, &CheckedCommand::name);
    return found == node.commands.end() ? CheckedCommand() : *found;
}

using Change = std::function<void(CheckAnswers&)>;

}  // namespace

// What is said of a server follows from its answers alone.
class TestServerCheck : public QObject {
    Q_OBJECT

private:
    static Task<void> endOf(ServerChecker* checker, std::stop_token stop) { (void)co_await checker->run(stop); }

private Q_SLOTS:
    void aCancelledCheckSendsNothingMore() {
        test::FakeServer server;
        test::ManualClock clock;
        topology::OneShard shards(server.factory());
        ServerChecker checker({redis::ConnectionOptions(), std::nullopt}, shards, clock, LockName("L"));
        std::stop_source stop;
        TaskScope scope;
        scope.spawn(endOf(&checker, stop.get_token()));
        test::turnEventLoop();
        server.lastLink().shakeHands();
        QVERIFY(!server.lastLink().takeCommands().isEmpty());
        stop.request_stop();
        QCOMPARE(server.lastLink().takeCommands(), QList<QByteArrayList>());
    }

    void aWholeServerIsClear_data() {
        QTest::addColumn<bool>("isCluster");
        QTest::newRow("one server") << false;
        QTest::newRow("a Cluster") << true;
    }
    void aWholeServerIsClear() {
        QFETCH(const bool, isCluster);
        const NodeCheck node = nodeCheckOf(wholeServer(isCluster));
        QVERIFY(node.isClear());
        QCOMPARE(limitsIn(node), QList<LockLimit>());
        QVERIFY(node.unanswered.isEmpty());
        QCOMPARE(node.user, QStringLiteral("default"));
        for (const CheckedCommand& command : node.commands)
            QCOMPARE(command.availability, Availability::Allowed);
    }

    void aLimitHasItsEvidence_data() {
        QTest::addColumn<bool>("isCluster");
        QTest::addColumn<Change>("change");
        QTest::addColumn<QList<LockLimit>>("limits");
        QTest::addColumn<QString>("evidence");
        const auto row = [](const char* name, const Change& change, const QList<LockLimit>& limits,
                            const char* evidence, bool isCluster = false) {
            QTest::newRow(name) << isCluster << change << limits << QString::fromLatin1(evidence);
        };
        using enum LockLimit;
        const auto refused = [](const char* name) {
            return [name](CheckAnswers& answers) { give(answers, name, RightsVerdict::Refused); };
        };
        const auto notHad = [](const char* name) {
            return [name](CheckAnswers& answers) { give(answers, name, RightsVerdict::NotHad); };
        };
        row("no WAIT", notHad("wait"), {NoWait}, "redis.acl_check_cmd WAIT: no such command");
        row("WAIT is refused", refused("wait"), {WaitRefused}, "redis.acl_check_cmd WAIT: refused");
        row(
            "no WAIT, by COMMAND INFO",
            [](CheckAnswers& answers) {
                give(answers, "wait", RightsVerdict::Unknown);
                for (size_t i = 0; i < answers.commands.size(); ++i) {
                    if (QByteArrayView(answers.commands[i].name) == QByteArrayView("wait"))
                        answers.commandInfo->value().items[i] = RespValue();
                }
            },
            {NoWait}, "COMMAND INFO wait: nil");
        row("no PUBLISH", refused("publish"), {NoMessages}, "redis.acl_check_cmd PUBLISH: refused");
        row("no SUBSCRIBE", refused("subscribe"), {NoMessages}, "redis.acl_check_cmd SUBSCRIBE: refused");
        row("no HEXISTS", notHad("hexists"), {ScriptCommands}, "redis.acl_check_cmd HEXISTS: no such command");
        row("no SCRIPT LOAD", refused("script|load"), {ScriptCommands}, "redis.acl_check_cmd SCRIPT LOAD: refused");
        row("EVALSHA only", refused("eval"), {ScriptCommands}, "redis.acl_check_cmd EVAL: refused");
        row(
            "no scripts",
            [](CheckAnswers& answers) {
                give(answers, "eval", RightsVerdict::NotHad);
                give(answers, "evalsha", RightsVerdict::NotHad);
            },
            {NoScripts}, "redis.acl_check_cmd EVAL: no such command");
        row("no SPUBLISH in a Cluster", refused("spublish"), {NoShardMessages}, "SPUBLISH: refused", true);
        row("no SSUBSCRIBE in a Cluster", notHad("ssubscribe"), {NoShardMessages}, "SSUBSCRIBE: no such command", true);
        row(
            "a replica",
            [](CheckAnswers& answers) {
                answers.server.role = "replica";
                answers.server.master = QStringLiteral("m:6379");
            },
            {OnReplica}, "INFO master_host: m:6379");
        row(
            "a node of a Cluster as one server",
            [](CheckAnswers& answers) {
                answers.server.mode = "cluster";
                answers.clusterInfo = text("cluster_state:ok\r\ncluster_slots_ok:16384\r\n");
                answers.keysOfTwoSlots.reset();
            },
            {OneClusterNode}, "HELLO mode: cluster");
        row(
            "a Cluster that is down",
            [](CheckAnswers& answers) {
                answers.clusterInfo = text("cluster_state:fail\r\ncluster_slots_ok:16384\r\n");
            },
            {ClusterDown}, "CLUSTER INFO cluster_state: fail", true);
        row(
            "slots without a node",
            [](CheckAnswers& answers) { answers.clusterInfo = text("cluster_state:ok\r\ncluster_slots_ok:10922\r\n"); },
            {SlotsUnserved}, "CLUSTER INFO cluster_slots_ok: 10922", true);
        row(
            "too few replicas",
            [](CheckAnswers& answers) {
                answers.minReplicas = setting("min-replicas-to-write", "2");
                answers.info = text("role:master\r\nconnected_slaves:1\r\nmin_slaves_good_slaves:1\r\n");
            },
            {TooFewReplicas}, "INFO min_slaves_good_slaves: 1");
        row(
            "enough replicas",
            [](CheckAnswers& answers) {
                answers.minReplicas = setting("min-replicas-to-write", "1");
                answers.info = text("role:master\r\nconnected_slaves:1\r\nmin_slaves_good_slaves:1\r\n");
            },
            {WritesNeedReplicas}, "CONFIG GET min-replicas-to-write: 1");
        row(
            "a number of replicas that is not known: not said to be too few",
            [](CheckAnswers& answers) {
                answers.minReplicas = error("ERR unknown command 'CONFIG'", ReplyKind::UnknownCommand);
                answers.info = text("role:master\r\nconnected_slaves:0\r\nmin_slaves_good_slaves:0\r\n");
            },
            {WritesNeedReplicas}, "INFO min_slaves_good_slaves: 0");
        row(
            "keys may be evicted",
            [](CheckAnswers& answers) { answers.info = text("maxmemory:100\r\nmaxmemory_policy:volatile-lru\r\n"); },
            {KeysEvicted}, "INFO maxmemory_policy: volatile-lru");
        row(
            "WAITAOF without a sync",
            [](CheckAnswers& answers) {
                answers.server.version = "7.2.4";
                answers.appendFsync = setting("appendfsync", "no");
                answers.info = text("aof_enabled:1\r\nconnected_slaves:1\r\n");
            },
            {WaitaofWithoutFsync}, "CONFIG GET appendfsync: no");
        row(
            "a proxy over slots",
            [](CheckAnswers& answers) {
                answers.keysOfTwoSlots = error("CROSSSLOT Keys in request", ReplyKind::CrossSlot);
            },
            {SlotsBehindProxy}, "EVAL_RO, keys of 2 slots: CROSSSLOT Keys in request");
        row(
            "a proxy that ignores tags",
            [](CheckAnswers& answers) {
                answers.keysOfOneLock = error("CROSSSLOT Keys in request", ReplyKind::CrossSlot);
            },
            {KeysOfOneLockApart}, "CROSSSLOT Keys in request");
        row(
            "keys must be declared",
            [](CheckAnswers& answers) { answers.undeclaredKey = text("ERR script tried accessing undeclared key"); },
            {UndeclaredKeys}, "script tried accessing undeclared key");
        row(
            "a serverless cache",
            [](CheckAnswers& answers) {
                answers.address = QStringLiteral("orders-x1.serverless.use1.cache.amazonaws.com:6379");
            },
            {KnownService}, "host: orders-x1.serverless.use1.cache.amazonaws.com");
    }
    void aLimitHasItsEvidence() {
        QFETCH(const bool, isCluster);
        QFETCH(const Change, change);
        QFETCH(const QList<LockLimit>, limits);
        QFETCH(const QString, evidence);
        CheckAnswers answers = wholeServer(isCluster);
        change(answers);
        const NodeCheck node = nodeCheckOf(answers);
        QCOMPARE(limitsIn(node), limits);
        QCOMPARE(node.isClear(), limits == QList{LockLimit::KnownService});
        const QString all = ui::checkLines({{node}}).join(u'\n');
        QVERIFY2(all.contains(evidence), qPrintable(all));
        const bool isFromDocuments = all.contains(QStringLiteral("known from documents alone"));
        QCOMPARE(isFromDocuments, basisOf(limits.first()) == LimitBasis::Documents);
    }

    // Near misses: nothing may be said.
    void aHarmlessAnswerIsNoLimit_data() {
        QTest::addColumn<Change>("change");
        const auto row = [](const char* name, const Change& change) { QTest::newRow(name) << change; };
        row("a policy without a limit of memory",
            [](CheckAnswers& answers) { answers.info = text("maxmemory:0\r\nmaxmemory_policy:allkeys-lru\r\n"); });
        row("appendfsync without a file", [](CheckAnswers& answers) {
            answers.server.version = "7.2.4";
            answers.appendFsync = setting("appendfsync", "no");
            answers.info = text("aof_enabled:0\r\nconnected_slaves:1\r\n");
        });
        row("appendfsync no before WAITAOF", [](CheckAnswers& answers) {
            answers.appendFsync = setting("appendfsync", "no");
            answers.info = text("aof_enabled:1\r\nconnected_slaves:1\r\n");
        });
        row("a script that is refused for another reason", [](CheckAnswers& answers) {
            answers.keysOfTwoSlots = error("BUSY Redis is busy", ReplyKind::Busy);
            answers.undeclaredKey = error("BUSY Redis is busy", ReplyKind::Busy);
        });
        row("a command that is refused with this name only",
            [](CheckAnswers& answers) { give(answers, "publish", RightsVerdict::RefusedHere); });
        row("a command that nobody knows about",
            [](CheckAnswers& answers) { give(answers, "wait", RightsVerdict::Unknown); });
        row("null for a subcommand, before Redis 7", [](CheckAnswers& answers) {
            answers.server.version = "6.2.14";
            answers.rights.clear();
            for (size_t i = 0; i < answers.commands.size(); ++i) {
                if (QByteArrayView(answers.commands[i].name).contains('|'))
                    answers.commandInfo->value().items[i] = RespValue();
            }
        });
        row("COMMAND INFO with fewer answers than questions",
            [](CheckAnswers& answers) { answers.commandInfo = RespValue::array({RespValue()}); });
    }
    void aHarmlessAnswerIsNoLimit() {
        QFETCH(const Change, change);
        CheckAnswers answers = wholeServer();
        change(answers);
        const NodeCheck node = nodeCheckOf(answers);
        QCOMPARE(limitsIn(node), QList<LockLimit>());
        QVERIFY(node.isClear());
    }

    void aCommandIsKnownByTheFirstWayThatAnswers_data() {
        QTest::addColumn<Change>("change");
        QTest::addColumn<Availability>("availability");
        QTest::addColumn<KnownBy>("knownBy");
        const auto row = [](const char* name, const Change& change, Availability availability, KnownBy by) {
            QTest::newRow(name) << change << availability << by;
        };
        const auto dryRun = [](const QByteArray& words) {
            return [words](CheckAnswers& answers) {
                answers.rights.clear();
                answers.dryRuns.assign(answers.commands.size(), text(words));
            };
        };
        const auto trial = [](const Result<RespValue>& answer) {
            return [answer](CheckAnswers& answers) {
                answers.rights.clear();
                answers.trials.assign(answers.commands.size(), answer);
            };
        };
        row(
            "the script", [](CheckAnswers& answers) { give(answers, "scan", RightsVerdict::Refused); },
            Availability::Refused, KnownBy::RightsScript);
        row("ACL DRYRUN allows", dryRun("OK"), Availability::Allowed, KnownBy::AclDryRun);
        row("ACL DRYRUN refuses the command", dryRun("User w has no permissions to run the 'scan' command"),
            Availability::Refused, KnownBy::AclDryRun);
        row("ACL DRYRUN refuses the key", dryRun("User w has no permissions to access the 'lockkeeper' key"),
            Availability::RefusedHere, KnownBy::AclDryRun);
        row("words that are not known", dryRun("No idea"), Availability::Unknown, KnownBy::Nothing);
        row("its answer", trial(text("OK")), Availability::Allowed, KnownBy::ItsAnswer);
        row("its refusal", trial(error("NOPERM", ReplyKind::CommandDenied)), Availability::Refused, KnownBy::ItsAnswer);
        row("its absence", trial(error("ERR unknown command", ReplyKind::UnknownCommand)), Availability::NotHad,
            KnownBy::ItsAnswer);
        row("an error that says nothing of rights", trial(error("LOADING", ReplyKind::Loading)), Availability::Unknown,
            KnownBy::Nothing);
    }
    void aCommandIsKnownByTheFirstWayThatAnswers() {
        QFETCH(const Change, change);
        CheckAnswers answers = wholeServer();
        change(answers);
        const CheckedCommand scan = commandIn(nodeCheckOf(answers), QStringLiteral("scan"));
        QTEST(scan.availability, "availability");
        QTEST(scan.knownBy, "knownBy");
    }

    void whatIsMissingHasItsCost() {
        CheckAnswers answers = wholeServer();
        give(answers, "pubsub|numsub", RightsVerdict::Refused);
        give(answers, "client|tracking", RightsVerdict::NotHad);
        give(answers, "del", RightsVerdict::Refused);
        const NodeCheck node = nodeCheckOf(answers);
        QCOMPARE(node.unseen, (QList<monitor::Denial>{
                                  {monitor::Denied::Command, "CLIENT TRACKING", monitor::Consequence::LocksPolled, {}},
                                  {monitor::Denied::Command, "PUBSUB", monitor::Consequence::WaitersUnknown, {}}}));
        QCOMPARE(node.writing,
                 (QList<WritingDenial>{{RefusedRight::UnknownCommand, "client|tracking", WritingCost::LossesSeenLate},
                                       {RefusedRight::Command, "del", WritingCost::OperationsRefused}}));
    }

    void anotherUserWhoWritesIsAskedAboutWriting() {
        CheckAnswers answers = wholeServer();
        give(answers, "eval", RightsVerdict::Refused);  // to the one who watches
        give(answers, "publish", RightsVerdict::Refused);
        answers.writingRights.assign(answers.commands.size(), RightsVerdict::Allowed);
        QVERIFY(nodeCheckOf(answers).isClear());
        give(answers, "scan", RightsVerdict::Refused);
        QCOMPARE(nodeCheckOf(answers).unseen.size(), 1);
    }

    void whatIsNotAnsweredIsNotKnown() {
        CheckAnswers answers = wholeServer();
        answers.info = error("NOPERM", ReplyKind::CommandDenied);
        answers.minReplicas.reset();
        const NodeCheck node = nodeCheckOf(answers);
        QCOMPARE(node.unanswered.size(), 2);
        const QString all = ui::checkLines({{node}}).join(u'\n');
        QVERIFY2(all.contains(QStringLiteral("does not answer CONFIG GET, so what depends on it is not known")),
                 qPrintable(all));
    }

    void nodesThatAreAlikeAreNamedTogether() {
        NodeCheck first = nodeCheckOf(wholeServer(true));
        NodeCheck second = first;
        NodeCheck lost;
        first.address = QStringLiteral("a:1");
        second.address = QStringLiteral("b:2");
        lost.address = QStringLiteral("c:3");
        lost.error = Error(ErrorCode::ConnectionRefused, QStringLiteral("Connection refused"));
        const ServerCheck check{{first, lost, second}};
        const QStringList lines = ui::checkLines(check);
        QCOMPARE(lines.first(), QStringLiteral("a:1, b:2:"));
        QVERIFY(lines.contains(QStringLiteral("c:3:")));
        QVERIFY(!check.isClear());
    }

    void aServiceIsKnownByItsHost_data() {
        QTest::addColumn<QString>("host");
        QTest::addColumn<ManagedService>("service");
        using enum ManagedService;
        QTest::newRow("serverless") << "c.serverless.use1.cache.amazonaws.com" << ElastiCacheServerless;
        QTest::newRow("nodes") << "master.c.abc.use1.cache.amazonaws.com" << ElastiCache;
        QTest::newRow("MemoryDB") << "clustercfg.c.abc.memorydb.us-east-1.amazonaws.com" << MemoryDb;
        QTest::newRow("Azure") << "orders.redis.cache.windows.net" << AzureCache;
        QTest::newRow("another domain") << "a.serverless.example.com" << None;
        QTest::newRow("its own") << "cache.example" << None;
        QTest::newRow("an address") << "10.0.0.3" << None;
    }
    void aServiceIsKnownByItsHost() {
        QFETCH(const QString, host);
        QTEST(serviceAt(host), "service");
    }

    void eachLimitHasAWordAndASentence() {
        QSet<QString> words;
        for (int i = 0; i <= int(LockLimit::KnownService); ++i) {
            const auto what = LockLimit(i);
            QVERIFY(!wordFor(what).isEmpty());
            words += wordFor(what);
            QVERIFY(ui::limitText({what}).endsWith(u'.'));
        }
        QCOMPARE(words.size(), int(LockLimit::KnownService) + 1);
    }

    void jsonHasEvidenceAndBasis() {
        CheckAnswers answers = wholeServer();
        give(answers, "wait", RightsVerdict::NotHad);
        const QJsonObject json = QJsonDocument::fromJson(toJsonLine(nodeCheckOf(answers))).object();
        QCOMPARE(json["type"].toString(), "check");
        QCOMPARE(json["node"].toString(), "cache.example:6379");
        const QJsonObject limit = json["locks"].toArray().at(0).toObject();
        QCOMPARE(limit["what"].toString(), "no_wait");
        QCOMPARE(limit["severity"].toString(), "failing");
        QCOMPARE(limit["from_documents"].toBool(), true);
        QVERIFY(limit["issues"].toArray().contains(5586));
        QCOMPARE(limit["evidence"].toArray().at(0).toObject()["answer"].toString(), "no such command");
        QCOMPARE(json["writing"].toArray().at(0).toObject()["cost"].toString(), "replicas_not_awaited");
    }
};

LOCKKEEPER_TEST(TestServerCheck, Guiless)

}  // namespace tst_servercheck

#include "tst_servercheck.moc"
