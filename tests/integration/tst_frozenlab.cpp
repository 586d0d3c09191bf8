// SPDX-License-Identifier: Apache-2.0
#include "support/labscenario.h"
#include "support/testprogram.h"
#include "support/watchedlab.h"

#include <QTest>

namespace tst_frozenlab {

using namespace lockkeeper;
using namespace lockkeeper::lab;
using namespace std::chrono_literals;
using Watched = test::WatchedLab;

// Servers of the lab that are frozen, which needs signals: by a scenario, and by a person who watches.
class TestFrozenLab : public QObject {
    Q_OBJECT

private Q_SLOTS:
    // The frozen node takes no part, and learns the new place from the others when it continues. While it is taken
    // for dead, keys move only in a Cluster that serves its other slots then.
    void aSlotMovesWhileTheThirdNodeIsFrozen_data() {
        QTest::addColumn<bool>("isTakenForDead");
        QTest::newRow("nobody has noticed") << false;
        QTest::newRow("it is taken for dead") << true;
    }
    void aSlotMovesWhileTheThirdNodeIsFrozen() {
        QFETCH(const bool, isTakenForDead);
        SystemClock clock;
        Laboratory laboratory(clock, clock, test::labServer());
        QVERIFY(test::waitFor(laboratory.start({ServersPlan::Form::Cluster, 3}, {}), test::labPatience).ok());
        const auto ask = [&laboratory](int server, const QByteArrayList& command) {
            return test::waitFor(laboratory.ask(ServerNumber(server), command), test::labPatience);
        };
        for (const int server : {0, 2})
            QVERIFY(ask(server, {"CONFIG", "SET", "cluster-require-full-coverage", "no"}).ok());
        QVERIFY(ask(0, {"SET", "mail", "of a"}).ok());
        QVERIFY(test::waitFor(laboratory.apply(FreezeServer{ServerNumber(1)})).ok());
        if (isTakenForDead)
            QVERIFY(test::waitFor(laboratory.awaitDead(ServerNumber(1)), test::labPatience).ok());
        const MoveSlot move{LockName("mail"), ServerNumber(0), ServerNumber(2)};
        QVERIFY(test::waitFor(laboratory.apply(move), test::labPatience).ok());
        QCOMPARE(ask(2, {"GET", "mail"}).value().bytes, "of a");
        QVERIFY(test::waitFor(laboratory.apply(ResumeServer{ServerNumber(1)})).ok());
        const QByteArray newPlace = ":" + ask(2, {"CONFIG", "GET", "port"}).value().items.at(1).bytes;
        QTRY_VERIFY_WITH_TIMEOUT(ask(1, {"GET", "mail"}).error().text.endsWith(QString::fromLatin1(newPlace)), 15000);
        QVERIFY(!ask(1, {"INFO", "commandstats"}).value().bytes.contains("cmdstat_cluster|setslot"));
        QVERIFY(ask(0, {"INFO", "commandstats"}).value().bytes.contains("cmdstat_cluster|setslot"));
    }

    // After more than 2 s of being frozen, the Sentinel mistrusts its clock and acts only after 30 s. But it keeps on
    // disk what it knows, so it promotes the replica after a restart.
    void aReplicaIsPromotedWhenTheSentinelIsBack() {
        SystemClock clock;
        Laboratory laboratory(clock, clock, test::labServer());
        QVERIFY(test::waitFor(laboratory.start({ServersPlan::Form::Sentinel, 2}, {})).ok());
        QVERIFY(test::waitFor(laboratory.apply(FreezeServer{sentinelServer})).ok());
        QVERIFY(test::waitFor(laboratory.apply(KillServer{ServerNumber(0)})).ok());
        const SteadyTime frozen = clock.now();
        QTRY_VERIFY(clock.now() > frozen + 3s);
        QVERIFY(laboratory.isReplica(ServerNumber(1)));
        QVERIFY(test::waitFor(laboratory.apply(ResumeServer{sentinelServer})).ok());
        const auto mistrustsItsClock = [&laboratory] {
            const auto info = test::waitFor(laboratory.ask(sentinelServer, {"INFO", "sentinel"}));
            return info && info->bytes.contains("sentinel_tilt:1");
        };
        QTRY_VERIFY(mistrustsItsClock());
        QVERIFY(test::waitFor(laboratory.apply(KillServer{sentinelServer})).ok());
        QVERIFY(!laboratory.isAlive(sentinelServer));
        QVERIFY(test::waitFor(laboratory.apply(RestartServer{sentinelServer})).ok());
        QVERIFY(test::waitFor(laboratory.awaitMaster(ServerNumber(1)), test::labPatience).ok());
    }

    // The server gets the times before it is frozen: then they run out.
    void theKeysOfAServerThatIsFrozenAtAPauseHaveTimesToLive() {
        Watched watched("reentry", std::nullopt);
        QVERIFY(watched.comesBefore(0));
        watched.session.request(NextStep());
        QVERIFY(watched.comesBefore(1));
        QVERIFY(watched.makesByHand(FreezeServer{ServerNumber(0)}, "server-frozen"));
        QVERIFY(watched.makesByHand(ResumeServer{ServerNumber(0)}, "server-resumed"));
        const std::vector<LabKey>& keys = watched.frameOf("fault", "server-resumed")->servers.front().keys;
        QCOMPARE(keys.size(), size_t(1));
        QVERIFY(keys.front().ttl > 10s && keys.front().ttl <= 30s);
    }

    // The person need not have waited until the server is taken for dead.
    void aSlotIsMovedByHandWhileTheThirdServerIsFrozen() {
        Watched watched("cluster-slot-moves", std::nullopt);
        QVERIFY(watched.comesBefore(0));
        watched.session.request(NextStep());
        QVERIFY(watched.comesBefore(1));
        watched.session.request(Step{{}, {}, Fault(FreezeServer{ServerNumber(1)})});
        QVERIFY(watched.makesByHand(MoveSlot{LockName("mail"), ServerNumber(0), ServerNumber(2)}, "slot-moved"));
        const std::vector<LabServer>& servers = watched.frameOf("fault", "slot-moved")->servers;
        QVERIFY(servers.at(0).keys.empty());
        QCOMPARE(servers.at(1).condition, ServerCondition::Frozen);
        QCOMPARE(servers.at(2).keys.size(), size_t(1));
        QVERIFY(watched.makesByHand(ResumeServer{ServerNumber(1)}, "server-resumed"));
    }

    // The Sentinel has a row like those of the servers, and no keys. A request that it cannot execute has no effect.
    void theSentinelIsFrozenKilledAndRestartedByHand() {
        Watched watched("sentinel-two-holders", std::nullopt);
        QVERIFY(watched.comesBefore(0));
        const auto condition = [&watched](const char* what) {
            const LabServer& sentinel = watched.frameOf("fault", what)->servers.back();
            return sentinel.number == sentinelServer && sentinel.keys.empty() ? std::optional(sentinel.condition)
                                                                              : std::nullopt;
        };
        QCOMPARE(watched.frames.front().servers.size(), size_t(3));
        QCOMPARE(watched.frames.front().servers.back().number, sentinelServer);
        const size_t before = watched.frames.size();
        for (const Fault& other :
             {Fault(PartitionServer{sentinelServer, {}}), Fault(ByHand{sentinelServer, {"FLUSHALL"}})})
            watched.session.request(Step{{}, {}, other});
        QVERIFY(watched.makesByHand(FreezeServer{sentinelServer}, "sentinel-frozen"));
        QCOMPARE(watched.frames.size(), before + 1);
        QCOMPARE(condition("sentinel-frozen"), ServerCondition::Frozen);
        watched.session.request(Step{{}, {}, Fault(PromoteReplica())});  // the Sentinel would have to promote it
        QVERIFY(watched.makesByHand(ResumeServer{sentinelServer}, "sentinel-resumed"));
        QCOMPARE(watched.frames.size(), before + 2);
        QCOMPARE(condition("sentinel-resumed"), ServerCondition::Running);
        QVERIFY(watched.makesByHand(KillServer{sentinelServer}, "sentinel-killed"));
        QCOMPARE(condition("sentinel-killed"), ServerCondition::Killed);
        QVERIFY(watched.makesByHand(RestartServer{sentinelServer}, "sentinel-restarted"));
        QCOMPARE(condition("sentinel-restarted"), ServerCondition::Running);
        watched.session.request(SetPace{0ms});
        QVERIFY(watched.comesTo(LabPhase::Free));
        QVERIFY(watched.frameOf("await-master", "promoted"));
    }
};

LOCKKEEPER_TEST(TestFrozenLab, Guiless)

}  // namespace tst_frozenlab

#include "tst_frozenlab.moc"
