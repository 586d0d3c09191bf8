// SPDX-License-Identifier: Apache-2.0
#include "async/taskscope.h"
#include "lab/run/keyreader.h"
#include "lab/run/standstill.h"
#include "lab/run/stoppableclock.h"
#include "support/labscenario.h"
#include "support/testprogram.h"

#include <QTcpSocket>
#include <QTest>

namespace tst_labservers {

using namespace lockkeeper;
using namespace lockkeeper::lab;
using namespace lockkeeper::lab::wording;
using test::differences, test::labScenario, test::outcomeOf, test::wordIn;

namespace {

Step toServer(int server, Step step) {
    std::get<Send>(step.action).server = ServerNumber(server);
    return step;
}

// Whether the server refuses another user of this machine, who has no password.
bool refusesWithoutPassword(quint16 port) {
    QTcpSocket other;
    other.connectToHost(QHostAddress(QHostAddress::LocalHost), port);
    other.write("GET L\r\n");
    return QTest::qWaitFor([&other] { return other.bytesAvailable() > 0; }) && other.readAll().startsWith("-NOAUTH");
}

QByteArray askedFor(Laboratory& laboratory, int server, const QByteArrayList& command) {
    const auto reply = test::waitFor(laboratory.ask(ServerNumber(server), command), test::labPatience);
    if (!reply)
        return {};
    return reply->bytes.isEmpty() ? QByteArray::number(reply->integer) : reply->bytes;
}

// Whether every server reports this state of the Cluster.
bool isCluster(Laboratory& laboratory, const QByteArray& state) {
    for (int server = 0; server < laboratory.serverCount(); ++server) {
        const bool isAsked = laboratory.isAlive(ServerNumber(server));
        if (isAsked && !askedFor(laboratory, server, {"CLUSTER", "INFO"}).startsWith("cluster_state:" + state))
            return false;
    }
    return true;
}

}  // namespace

// The servers of a laboratory in each form: who may use them, and their faults.
class TestLabServers : public QObject {
    Q_OBJECT

private:
    // Holds until the laboratory ends.
    static void isNotTakenForDead(Laboratory& laboratory, ServerNumber server) {
        const auto dead = test::start(laboratory.awaitDead(server));
        for (const int asked : {0, 1})
            QVERIFY(test::waitFor(laboratory.ask(ServerNumber(asked), {"PING"})).ok());
        QVERIFY(!dead->has_value());
        laboratory.end();
        QTRY_VERIFY(dead->has_value());
        QVERIFY(!(*dead)->ok());
    }

private Q_SLOTS:
    // Both servers have their passwords again, and the replica its master.
    void aPairThatWasKilledComesBackAsAPairWithPasswords() {
        SystemClock clock;
        Laboratory laboratory(clock, clock, test::labServer());
        QVERIFY(test::waitFor(laboratory.start({ServersPlan::Form::Replicated, 2}, {})).ok());
        for (const ServerNumber server : {ServerNumber(0), ServerNumber(1)}) {
            QVERIFY(test::waitFor(laboratory.apply(KillServer{server})).ok());
            QVERIFY(test::waitFor(laboratory.apply(RestartServer{server})).ok());
        }
        const Result<redis::RespValue> role = test::waitFor(laboratory.ask(ServerNumber(1), {"ROLE"}));
        QCOMPARE(role.value().items.at(0).bytes, "slave");
        QVERIFY(refusesWithoutPassword(static_cast<quint16>(role.value().items.at(2).integer)));
        const auto isConnected = [&laboratory] {
            const Result<redis::RespValue> now = test::waitFor(laboratory.ask(ServerNumber(1), {"ROLE"}));
            return now && now->items.at(3).bytes == "connected";
        };
        QTRY_VERIFY_WITH_TIMEOUT(isConnected(), 15000);
    }

    void aPromotionThatFailsChangesNothingOfAnEarlierOne() {
        SystemClock clock;
        Laboratory laboratory(clock, clock, test::labServer());
        QVERIFY(test::waitFor(laboratory.start({ServersPlan::Form::Replicated, 2}, {})).ok());
        QVERIFY(test::waitFor(laboratory.apply(PromoteReplica())).ok());
        QVERIFY(!laboratory.isReplica(ServerNumber(1)));
        QVERIFY(test::waitFor(laboratory.apply(KillServer{ServerNumber(1)})).ok());
        QVERIFY(!test::waitFor(laboratory.apply(PromoteReplica())).ok());
        QVERIFY(!laboratory.isReplica(ServerNumber(1)));
        QVERIFY(test::waitFor(laboratory.apply(RestartServer{ServerNumber(1)})).ok());
        const Result<redis::RespValue> role = test::waitFor(laboratory.ask(ServerNumber(1), {"ROLE"}));
        QCOMPARE(role.value().items.at(0).bytes, "master");
    }

    // ---- a Sentinel, partitions ----
    void noServerOfAPairCanBeUsedWithoutItsPassword_data() {
        QTest::addColumn<int>("form");
        QTest::newRow("a pair") << static_cast<int>(ServersPlan::Form::Replicated);
        QTest::newRow("with a Sentinel") << static_cast<int>(ServersPlan::Form::Sentinel);
    }
    void noServerOfAPairCanBeUsedWithoutItsPassword() {
        QFETCH(const int, form);
        SystemClock clock;
        Laboratory laboratory(clock, clock, test::labServer());
        const ServersPlan pair{ServersPlan::Form(form), 2};
        QVERIFY(test::waitFor(laboratory.start(pair, {})).ok());
        for (const char* setting : {"replica-announce-port", "port"}) {
            for (int server = 0; server < 2; ++server) {
                const Result<redis::RespValue> value =
                    test::waitFor(laboratory.ask(ServerNumber(server), {"CONFIG", "GET", setting}));
                const auto port = static_cast<quint16>(value.value().items.at(1).bytes.toInt());
                QCOMPARE(port == 0, QByteArray(setting) == "port");  // only the line to the server has a port
                if (port != 0)
                    QVERIFY(refusesWithoutPassword(port));
            }
        }
    }

    void aSentinelFailsOverInOrder() {
        Scenario scenario = labScenario({acquire("a", "L"), fault(PromoteReplica()), pause(300ms), awaitConnected("a"),
                                         labelled("unlock", release("a", "L"))});
        scenario.servers = {ServersPlan::Form::Sentinel, 2};
        scenario.expectations = {is("unlock.answer", "released")};
        const Outcome outcome = outcomeOf(scenario);
        QVERIFY2(isAsExpected(scenario, outcome), differences(scenario, outcome).constData());
    }

    // As the text of the experiment says: about ten seconds after the master is reached again.
    void aMasterThatIsRejoinedBecomesAReplicaWithoutItsLock() {
        SystemClock clock;
        Laboratory laboratory(clock, clock, test::labServer());
        QVERIFY(test::waitFor(laboratory.start({ServersPlan::Form::Sentinel, 2}, {})).ok());
        QVERIFY(test::waitFor(laboratory.apply(PartitionServer{ServerNumber(0), {}})).ok());
        QVERIFY(test::waitFor(laboratory.awaitMaster(ServerNumber(1)), test::labPatience).ok());
        QVERIFY(test::waitFor(laboratory.apply(ByHand{ServerNumber(0), {"SET", "L", "of a"}})).ok());
        QVERIFY(!laboratory.isReplica(ServerNumber(0)));
        QVERIFY(test::waitFor(laboratory.apply(RejoinServer{ServerNumber(0)})).ok());
        QTRY_VERIFY_WITH_TIMEOUT(laboratory.isReplica(ServerNumber(0)), 30000);
        const auto isGone = [&laboratory] {
            const Result<redis::RespValue> exists = test::waitFor(laboratory.ask(ServerNumber(0), {"EXISTS", "L"}));
            return exists && exists->integer == 0;
        };
        QTRY_VERIFY_WITH_TIMEOUT(isGone(), 15000);
    }

    void aServerThatIsCutOffIsReachedOnlyByTheActorsOnItsSide() {
        Scenario scenario = labScenario(
            {fault(PartitionServer{ServerNumber(0), {"a"}}), labelled("a-near", toServer(0, send("a", {"PING"}))),
             labelled("b-near", toServer(1, send("b", {"PING"}))), begin("a-far", toServer(1, send("a", {"PING"}))),
             begin("b-far", toServer(0, send("b", {"PING"}))), pause(400ms), fault(RejoinServer{ServerNumber(0)}),
             join("a-far"), join("b-far")});
        scenario.servers.count = 2;
        scenario.expectations = {is("a-near.reply", "PONG"), is("b-near.reply", "PONG"), is("a-far.reply", "PONG"),
                                 is("b-far.reply", "PONG"),  atMost("a-near.ms", 300ms), atMost("b-near.ms", 300ms),
                                 atLeast("a-far.ms", 400ms), atLeast("b-far.ms", 400ms)};
        const Outcome outcome = outcomeOf(scenario);
        QVERIFY2(isAsExpected(scenario, outcome), differences(scenario, outcome).constData());
    }

    // The replica connects to its master by itself.
    void aReplicaThatIsCutOffGetsNothingUntilItIsRejoined() {
        Scenario scenario = labScenario({fault(PartitionServer{ServerNumber(1), {}}), acquire("a", "L"), pause(200ms),
                                         observe("early", "L", 1), fault(RejoinServer{ServerNumber(1)}),
                                         awaitReplicated(), observe("late", "L", 1)});
        scenario.servers = {ServersPlan::Form::Replicated, 2};
        const Outcome outcome = outcomeOf(scenario);
        QCOMPARE(wordIn(outcome, "early.answer"), "free");
        QCOMPARE(wordIn(outcome, "late.holders"), "a:1");
    }

    // ---- a Cluster ----
    void aNodeOfAClusterNeedsThePassword() {
        SystemClock clock;
        Laboratory laboratory(clock, clock, test::labServer());
        QVERIFY(test::waitFor(laboratory.start({ServersPlan::Form::Cluster, 3}, {}), test::labPatience).ok());
        const Result<redis::RespValue> value =
            test::waitFor(laboratory.ask(ServerNumber(2), {"CONFIG", "GET", "port"}));
        QVERIFY(refusesWithoutPassword(static_cast<quint16>(value.value().items.at(1).bytes.toInt())));
    }

    void aNodeThatIsStartedAgainServesItsSlots() {
        Scenario scenario = labScenario({fault(KillServer{ServerNumber(0)}), awaitDead(0),
                                         fault(RestartServer{ServerNumber(0)}), labelled("a", tryFor("a", "L", 10s))});
        scenario.servers = {ServersPlan::Form::Cluster, 3};
        scenario.expectations = {is("a.answer", "acquired")};
        const Outcome outcome = outcomeOf(scenario);
        QVERIFY2(isAsExpected(scenario, outcome), differences(scenario, outcome).constData());
    }

    // Each node is known by name, whatever slots it has now.
    void everyDeadNodeIsNoticed() {
        const MoveSlot move{LockName("mail"), ServerNumber(1), ServerNumber(2)};
        Scenario scenario =
            labScenario({fault(move), fault(KillServer{ServerNumber(1)}), labelled("first", awaitDead(1)),
                         fault(KillServer{ServerNumber(4)}), labelled("second", awaitDead(4))});
        scenario.servers = {ServersPlan::Form::Cluster, 5};
        scenario.expectations = {is("first.answer", "noticed"), is("second.answer", "noticed")};
        const Outcome outcome = outcomeOf(scenario);
        QVERIFY2(isAsExpected(scenario, outcome), differences(scenario, outcome).constData());
    }

    // The node lives, and neither side can be used until it is joined again. The partition of another node is
    // independent.
    void aNodeThatIsCutOffIsTakenForDeadUntilItIsRejoined() {
        SystemClock clock;
        Laboratory laboratory(clock, clock, test::labServer());
        QVERIFY(test::waitFor(laboratory.start({ServersPlan::Form::Cluster, 3}, {}), test::labPatience).ok());
        for (const int cutOff : {2, 0}) {
            QVERIFY(isCluster(laboratory, "ok"));
            QVERIFY(test::waitFor(laboratory.apply(PartitionServer{ServerNumber(cutOff), {}})).ok());
            QVERIFY(test::waitFor(laboratory.awaitDead(ServerNumber(cutOff)), test::labPatience).ok());
            QTRY_VERIFY_WITH_TIMEOUT(isCluster(laboratory, "fail"), 10000);
            QVERIFY(laboratory.isAlive(ServerNumber(cutOff)));
            QVERIFY(test::waitFor(laboratory.apply(RejoinServer{ServerNumber(cutOff)})).ok());
            QTRY_VERIFY_WITH_TIMEOUT(isCluster(laboratory, "ok"), 20000);
        }
    }

    // No node is left that could notice it.
    void noNodeIsTakenForDeadWhenAllAreCutOff() {
        SystemClock clock;
        Laboratory laboratory(clock, clock, test::labServer());
        QVERIFY(test::waitFor(laboratory.start({ServersPlan::Form::Cluster, 3}, {}), test::labPatience).ok());
        for (int server = 0; server < 3; ++server)
            QVERIFY(test::waitFor(laboratory.apply(PartitionServer{ServerNumber(server), {}})).ok());
        isNotTakenForDead(laboratory, ServerNumber(0));
    }

    // The Cluster takes no scripts while it is down. What was left of a lease is not lost, and time that passes then
    // counts.
    void aClusterThatIsDownGivesTheTimesToLiveBackLater_data() {
        QTest::addColumn<Fault>("fault");
        QTest::addColumn<Fault>("mended");
        QTest::newRow("cut off") << Fault(PartitionServer{ServerNumber(2), {}}) << Fault(RejoinServer{ServerNumber(2)});
        QTest::newRow("killed") << Fault(KillServer{ServerNumber(2)}) << Fault(RestartServer{ServerNumber(2)});
    }
    void aClusterThatIsDownGivesTheTimesToLiveBackLater() {
        QFETCH(const Fault, fault);
        QFETCH(const Fault, mended);
        SystemClock realClock;
        StoppableClock clock(realClock);
        Laboratory laboratory(clock, realClock, test::labServer());
        StandStill standStill(laboratory, clock);
        TaskScope scope;
        QVERIFY(test::waitFor(laboratory.start({ServersPlan::Form::Cluster, 3}, {}), test::labPatience).ok());
        QCOMPARE(askedFor(laboratory, 0, {"SET", "mail", "a", "PX", "60000"}), "OK");
        QCOMPARE(askedFor(laboratory, 0, {"SET", "{mail}brief", "a", "PX", "500"}), "OK");
        test::waitForEnd(standStill.begin());
        QCOMPARE(askedFor(laboratory, 0, {"PTTL", "mail"}), "-1");
        QVERIFY(test::waitFor(laboratory.apply(fault)).ok());
        QTRY_VERIFY_WITH_TIMEOUT(isCluster(laboratory, "fail"), 10000);
        const SteadyTime before = clock.now();
        test::waitForEnd(standStill.end());
        scope.spawn(standStill.giveBackLater(scope.stopToken()));
        QTRY_VERIFY(clock.now() > before + 500ms);  // as long as the shorter key lives
        test::waitForEnd(standStill.begin());
        const auto passed = std::chrono::floor<Milliseconds>(clock.now() - before);
        QVERIFY(test::waitFor(laboratory.apply(mended)).ok());
        QTRY_VERIFY_WITH_TIMEOUT(isCluster(laboratory, "ok"), 20000);
        QCOMPARE(askedFor(laboratory, 0, {"PTTL", "mail"}), "-1");
        test::waitForEnd(standStill.end());
        const qint64 left = askedFor(laboratory, 0, {"PTTL", "mail"}).toLongLong();
        QVERIFY2(left > 40000 && left <= 60000 - passed.count(), QByteArray::number(left).constData());
        QTRY_COMPARE(askedFor(laboratory, 0, {"EXISTS", "{mail}brief"}), "0");
    }

    // Must work without a further stop, too.
    void aClusterThatIsBackGivesTheTimesToLiveBackAtOnce() {
        SystemClock realClock;
        StoppableClock clock(realClock);
        Laboratory laboratory(clock, realClock, test::labServer());
        StandStill standStill(laboratory, clock);
        TaskScope scope;
        QVERIFY(test::waitFor(laboratory.start({ServersPlan::Form::Cluster, 3}, {}), test::labPatience).ok());
        QCOMPARE(askedFor(laboratory, 0, {"SET", "mail", "a", "PX", "60000"}), "OK");
        test::waitForEnd(standStill.begin());
        QVERIFY(test::waitFor(laboratory.apply(PartitionServer{ServerNumber(2), {}})).ok());
        QTRY_VERIFY_WITH_TIMEOUT(isCluster(laboratory, "fail"), 10000);
        test::waitForEnd(standStill.end());
        scope.spawn(standStill.giveBackLater(scope.stopToken()));
        QVERIFY(test::waitFor(laboratory.apply(RejoinServer{ServerNumber(2)})).ok());
        QTRY_VERIFY_WITH_TIMEOUT(askedFor(laboratory, 0, {"PTTL", "mail"}).toLongLong() > 0, 20000);
    }

    // Nobody has removed the keys.
    void aClusterThatIsDownHasTheKeysThatWereReadLast() {
        SystemClock clock;
        Laboratory laboratory(clock, clock, test::labServer());
        KeyReader reader(laboratory);
        const auto keysOfFirst = [&reader] { return test::waitFor(reader.read(-1)).front().keys.size(); };
        QVERIFY(test::waitFor(laboratory.start({ServersPlan::Form::Cluster, 3}, {}), test::labPatience).ok());
        QCOMPARE(askedFor(laboratory, 0, {"SET", "mail", "a", "PX", "60000"}), "OK");
        QCOMPARE(keysOfFirst(), size_t(1));
        QVERIFY(test::waitFor(laboratory.apply(PartitionServer{ServerNumber(2), {}})).ok());
        QTRY_VERIFY_WITH_TIMEOUT(isCluster(laboratory, "fail"), 10000);
        QCOMPARE(keysOfFirst(), size_t(1));
        QCOMPARE(keysOfFirst(), size_t(1));
        QVERIFY(test::waitFor(laboratory.apply(KillServer{ServerNumber(0)})).ok());
        QCOMPARE(keysOfFirst(), size_t(0));
    }

    // A node is dead only if the other nodes agree on that.
    void aNodeThatLivesIsNotTakenForDead() {
        SystemClock clock;
        Laboratory laboratory(clock, clock, test::labServer());
        QVERIFY(test::waitFor(laboratory.start({ServersPlan::Form::Cluster, 3}, {}), test::labPatience).ok());
        QVERIFY(test::waitFor(laboratory.apply(KillServer{ServerNumber(2)})).ok());
        QVERIFY(test::waitFor(laboratory.awaitDead(ServerNumber(2)), test::labPatience).ok());
        isNotTakenForDead(laboratory, ServerNumber(1));
    }

    void whatTheServersCannotDoIsAFailure_data() {
        QTest::addColumn<QString>("what");
        QTest::newRow("a slot without a Cluster") << "slot";
        QTest::newRow("a new master without a Sentinel") << "master";
        QTest::newRow("a dead node without a Cluster") << "dead";
    }
    void whatTheServersCannotDoIsAFailure() {
        QFETCH(const QString, what);
        SystemClock clock;
        Laboratory laboratory(clock, clock, test::labServer());
        QVERIFY(test::waitFor(laboratory.start({ServersPlan::Form::Independent, 3}, {}), test::labPatience).ok());
        const ServerNumber first{0};
        Task<Result<Done>> done = what == "slot"     ? laboratory.apply(MoveSlot{LockName("L"), first, ServerNumber(1)})
                                  : what == "master" ? laboratory.awaitMaster(first)
                                                     : laboratory.awaitDead(first);
        QCOMPARE(test::waitFor(std::move(done)).error().code, ErrorCode::InvalidArgument);
    }
};

LOCKKEEPER_TEST(TestLabServers, Guiless)

}  // namespace tst_labservers

#include "tst_labservers.moc"
