// SPDX-License-Identifier: Apache-2.0
#include "lab/labcause.h"
#include "support/labanswers.h"
#include "support/labscenario.h"
#include "support/redisserver.h"
#include "support/testprogram.h"
#include "support/tool.h"
#include "support/watchedlab.h"

#include <QDir>
#include <QDirIterator>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <map>
#include <set>

namespace tst_labsession {

using namespace lockkeeper;
using namespace lockkeeper::lab;
using namespace std::chrono_literals;
using test::labFolders;
using Watched = test::WatchedLab;

namespace {

// The factor that makes a step last for some seconds.
constexpr int longer = 3;

template <typename What>
qsizetype firstStepOf(const char* experiment) {
    const std::vector<Step> steps = experimentOf(experiment)->scenario(Trigger::Present).steps;
    return std::ranges::find_if(steps, [](const Step& step) { return std::holds_alternative<What>(step.action); }) -
           steps.begin();
}

bool isAsExpected(const char* experiment, const Watched& watched) {
    return lab::isAsExpected(experimentOf(experiment)->scenario(Trigger::Present), *watched.outcome);
}

}  // namespace

// An experiment that a person watches, on real servers.
class TestLabSession : public QObject {
    Q_OBJECT

private:
    // Waits until the lease of a key has run out on a server that does not belong to the laboratory.
    [[nodiscard]] bool passesOutside(Milliseconds lease) {
        m_outside.cli({"SET", "lease", "1", "PX", QString::number(lease.count())});
        return test::becomesTrue([this] { return m_outside.cli({"EXISTS", "lease"}) == "0"; });
    }
    // The line about it in the file that the Sentinel keeps up to date.
    [[nodiscard]] QByteArray masterOfSentinel() const {
        QDirIterator files(m_directory.path(), {QStringLiteral("sentinel.conf")}, QDir::Files,
                           QDirIterator::Subdirectories);
        QFile file(files.hasNext() ? files.next() : QString());
        const QByteArrayList lines = file.open(QIODevice::ReadOnly) ? file.readAll().split('\n') : QByteArrayList();
        const auto line =
            std::ranges::find_if(lines, [](const QByteArray& one) { return one.startsWith("sentinel monitor "); });
        return line == lines.end() ? QByteArray() : *line;
    }
    [[nodiscard]] bool isClusterDown() const {
        const QStringList answers =
            test::answersBelow(m_directory.path(), {"CLUSTER", "INFO"}).filter(QStringLiteral("cluster_state:"));
        return !answers.isEmpty() && answers.filter(QStringLiteral("cluster_state:ok")).isEmpty();
    }

    const QTemporaryDir m_directory;
    test::RedisServer m_outside;

private Q_SLOTS:
    // Other tests run laboratories, too.
    void initTestCase() {
        QVERIFY(m_outside.start());
        qputenv("TMPDIR", m_directory.path().toUtf8());
    }
    void cleanupTestCase() { qunsetenv("TMPDIR"); }

    // The first of each family; tst_lab runs all.
    void anExperimentEndsAsWithoutAnObserver_data() {
        QTest::addColumn<QByteArray>("id");
        std::set<Family> families;
        for (const Experiment& experiment : experiments())
            if (families.insert(experiment.family).second)
                QTest::newRow(experiment.id.constData()) << experiment.id;
    }
    void anExperimentEndsAsWithoutAnObserver() {
        QFETCH(const QByteArray, id);
        Watched watched(id.constData());
        QVERIFY(watched.comesTo(LabPhase::Free));
        QVERIFY(isAsExpected(id.constData(), watched));
        QVERIFY(watched.frames.size() > experimentOf(id)->scenario(Trigger::Present).steps.size());
    }

    // The leases are shorter than the time between two steps.
    void noTimePassesBetweenSteps_data() {
        QTest::addColumn<QByteArray>("id");
        for (const char* id :
             {"short-lease", "lease-not-renewed", "frozen-holder", "wake-by-channel", "fair-order", "deleted-by-hand",
              "fencing-token", "red-forgot", "failover-two-holders", "sentinel-two-holders", "split-brain",
              "split-brain-token", "cluster-slot-moves", "clocks-differ"})
            QTest::newRow(id) << QByteArray(id);
    }
    void noTimePassesBetweenSteps() {
        QFETCH(const QByteArray, id);
        Watched watched(id.constData(), std::nullopt);
        const auto steps = std::ssize(experimentOf(id)->scenario(Trigger::Present).steps);
        for (qsizetype step = 0; step < steps; ++step) {
            QVERIFY(watched.comesBefore(step));
            QVERIFY(passesOutside(300ms));
            watched.session.request(NextStep());
            watched.phase = LabPhase::Running;
        }
        QVERIFY(watched.comesTo(LabPhase::Free));
        QVERIFY(isAsExpected(id.constData(), watched));
    }

    // The leases are shorter than the time for which it stops.
    void aPauseTakesEffectWithinAStep_data() {
        QTest::addColumn<QByteArray>("id");
        QTest::addColumn<qsizetype>("step");
        QTest::addColumn<int>("stretch");
        QTest::newRow("time that passes") << QByteArray("short-lease") << firstStepOf<Pause>("short-lease") << longer;
        QTest::newRow("renewals") << QByteArray("renewal") << firstStepOf<Pause>("renewal") << 1;
        QTest::newRow("an actor that waits") << QByteArray("frozen-holder") << qsizetype(2) << longer;
        QTest::newRow("a wait for another step")
            << QByteArray("holder-crash") << firstStepOf<Join>("holder-crash") << longer;
        QTest::newRow("many at work") << QByteArray("barging") << firstStepOf<Newcomers>("barging") << longer;
    }
    void aPauseTakesEffectWithinAStep() {
        QFETCH(const QByteArray, id);
        QFETCH(const qsizetype, step);
        QFETCH(const int, stretch);
        Watched watched(id.constData(), 0ms, stretch);
        QVERIFY(watched.stopsWithin(step, "all"));
        const size_t shown = watched.frames.size();
        QVERIFY(passesOutside(2500ms));
        QCOMPARE(watched.frames.size(), shown);
        QCOMPARE(watched.phase, LabPhase::Stopped);
        QVERIFY(!watched.frameOf("lost", "lost"));
        watched.session.request(SetPace{0ms});
        QVERIFY(watched.comesTo(LabPhase::Free));
        QVERIFY(lab::isAsExpected(scenarioOf(*experimentOf(id), {Trigger::Present, stretch}), *watched.outcome));
        QVERIFY(!watched.outcome->isChangedByHand);
    }

    // The lease began before `a` had the answer. Its end has not come.
    void itShowsWhatIsLeftOfEachLease() {
        Watched watched("short-lease", 0ms, longer);
        QVERIFY(watched.stopsWithin(firstStepOf<Pause>("short-lease"), "all"));
        const LabFrame& stop = watched.frames.back();
        const Milliseconds passed = stop.moment.at - watched.frameOf("acquire", "acquired")->moment.at;
        const Milliseconds most = 800ms * longer - passed + 1ms;
        QCOMPARE(stop.actors.front().threads.size(), size_t(1));
        const std::optional<Milliseconds> left = stop.actors.front().threads.front().leaseLeft;
        QVERIFY(left > 0ms && left <= most);
        QCOMPARE(stop.servers.front().keys.size(), size_t(1));
        const std::optional<Milliseconds> ttl = stop.servers.front().keys.front().ttl;
        QVERIFY(ttl > 0ms && ttl <= most);
    }

    void theNextStepEndsTheOneThatWasStopped() {
        Watched watched("short-lease", 0ms, longer);
        const qsizetype step = firstStepOf<Pause>("short-lease");
        QVERIFY(watched.stopsWithin(step, "all"));
        watched.session.request(NextStep());
        QVERIFY(watched.comesBefore(step + 1));
        QVERIFY(watched.frameOf("pause", "paused"));
    }

    // The pause is the one after each step.
    void itGoesOnAtOnceWithinAStep() {
        Watched watched("short-lease", 0ms, longer);
        const qsizetype step = firstStepOf<Pause>("short-lease");
        QVERIFY(watched.stopsWithin(step, "all"));
        watched.session.request(SetPace{1min});
        QCOMPARE(watched.phase, LabPhase::Running);
        QVERIFY(watched.comesBefore(step + 1));
    }

    // The step was resumed, but no time has passed in it yet.
    void aPauseRightAfterTheEndOfOneIsNotLost() {
        Watched watched("short-lease", 0ms, longer);
        const qsizetype step = firstStepOf<Pause>("short-lease");
        QVERIFY(watched.stopsWithin(step, "all"));
        watched.session.request(SetPace{0ms});
        QCOMPARE(watched.phase, LabPhase::Running);
        watched.session.request(SetPace{std::nullopt});
        QVERIFY(watched.comesTo(LabPhase::Stopped));
        QCOMPARE(watched.nextStep, step);
        watched.session.request(NextStep());
        QVERIFY(watched.comesBefore(step + 1));
    }

    // The step is resumed for the moment that it takes.
    void aFaultWithinAStepIsMadeThere() {
        Watched watched("renewal");
        QVERIFY(watched.stopsWithin(firstStepOf<Pause>("renewal"), "all"));
        QVERIFY(watched.makesByHand(CrashActor{"a"}, "crashed"));
        QVERIFY(watched.frames.back().action == "stop");
        watched.session.request(SetPace{0ms});
        QVERIFY(watched.comesTo(LabPhase::Free));
        QVERIFY(watched.outcome->isChangedByHand);
    }

    // The Sentinel has a clock of its own. What it does meanwhile is shown afterwards. Also when that has ended the
    // step, the lab stays stopped until the person resumes it.
    void aSentinelGoesOnWhileTheLabStopsWithinAStep() {
        Watched watched("sentinel-two-holders");
        const qsizetype step = firstStepOf<AwaitMaster>("sentinel-two-holders");
        QVERIFY(watched.stopsWithin(step, "but-sentinel"));
        const size_t shown = watched.frames.size();
        const QByteArray before = masterOfSentinel();
        QVERIFY(!before.isEmpty());
        QTRY_VERIFY_WITH_TIMEOUT(masterOfSentinel() != before, 30000);
        QCOMPARE(watched.frames.size(), shown);
        QVERIFY(watched.makesByHand(DelayNetwork{"b", 0ms}, "network-fast"));
        QVERIFY(watched.frameOf("await-master", "promoted"));
        QVERIFY(watched.makesByHand(DelayNetwork{"b", 0ms}, "network-fast"));
        QCOMPARE(watched.nextStep, step);
        watched.session.request(NextStep());
        QVERIFY(watched.comesBefore(step + 1));
        watched.session.request(SetPace{0ms});
        QVERIFY(watched.comesTo(LabPhase::Free));
        QVERIFY(isAsExpected("sentinel-two-holders", watched));
    }

    void closingWhileItStopsWithinAStepLeavesNothing() {
        const QStringList before = labFolders();
        {
            Watched watched("short-lease", 0ms, longer);
            QVERIFY(watched.stopsWithin(firstStepOf<Pause>("short-lease"), "all"));
            watched.session.close();
        }
        QCOMPARE(labFolders(), before);
    }

    void aFrameHasWhatActorsBelieveAndWhatServersKeep() {
        Watched watched("reentry");
        QVERIFY(watched.comesTo(LabPhase::Free));
        const LabFrame* frame = watched.frameOf("acquire", "acquired");
        QVERIFY(frame);
        QCOMPARE(frame->moment.actor, "a");
        QCOMPARE(frame->actors.front().threads.front().doing, LabThread::Doing::Holds);
        QVERIFY(frame->actors.front().threads.front().leaseLeft > 25s);
        QVERIFY(frame->actors.front().threads.front().isRenewed);
        const std::vector<LabKey>& keys = frame->servers.front().keys;
        QCOMPARE(keys.front().name, "L");
        QCOMPARE(keys.front().type, "hash");
        QCOMPARE(keys.front().entries.front().value, "1");
        QVERIFY(keys.front().ttl > 25s);
        QVERIFY(watched.frames.back().servers.front().keys.empty());
    }

    void aWaitInsideAStepIsShown_data() {
        QTest::addColumn<QByteArray>("id");
        QTest::addColumn<QByteArray>("actor");
        QTest::newRow("try-times-out") << QByteArray("try-times-out") << QByteArray("b");
        QTest::newRow("frozen-holder") << QByteArray("frozen-holder") << QByteArray("b");
        QTest::newRow("forgotten-unlock") << QByteArray("forgotten-unlock") << QByteArray("b");
        QTest::newRow("readers-together") << QByteArray("readers-together") << QByteArray("c");
    }
    void aWaitInsideAStepIsShown() {
        QFETCH(const QByteArray, id);
        QFETCH(const QByteArray, actor);
        Watched watched(id.constData());
        QVERIFY(watched.comesTo(LabPhase::Free));
        const auto begin = std::ranges::find_if(watched.frames, [&actor](const LabFrame& frame) {
            return frame.action == "acquire" && frame.moment.what == "begin" && frame.moment.actor == actor;
        });
        QVERIFY(begin != watched.frames.end());
        const LabActor& waiter = *std::ranges::find(begin->actors, ActorName(actor), &LabActor::name);
        QCOMPARE(waiter.threads.size(), size_t(1));
        QCOMPARE(waiter.threads.front().doing, LabThread::Doing::Waits);
    }

    // A try that does not wait is answered at once.
    void aTryThatDoesNotWaitHasNoBegin() {
        Watched watched("wrong-thread");
        QVERIFY(watched.comesTo(LabPhase::Free));
        const size_t before = watched.frames.size();
        watched.session.request(Step{{}, "a", Acquire{"L", 0ms, std::nullopt}});
        QTRY_COMPARE(watched.frames.size(), before + 1);
        QCOMPARE(watched.frames.back().moment.what, "acquired");
    }

    // Ten actors with a hundred threads each: one row for all that wait, without a moment for each of them.
    void aThousandContendersAreShown() {
        Watched watched("thousand-contenders");
        QVERIFY(watched.comesTo(LabPhase::Free));
        QVERIFY(isAsExpected("thousand-contenders", watched));
        const LabFrame* begin = watched.frameOf("count", "begin");
        QVERIFY(begin);
        for (const LabActor& actor : begin->actors) {
            QCOMPARE(actor.threads.size(), size_t(1));
            QCOMPARE(actor.threads.front().doing, LabThread::Doing::Waits);
            QCOMPARE(actor.threads.front().count, 100);
        }
        std::set<ActorName> holders;
        for (const LabFrame& frame : watched.frames) {
            qsizetype holds = 0;
            for (const LabActor& actor : frame.actors) {
                const auto isHold = [](const LabThread& thread) { return thread.doing == LabThread::Doing::Holds; };
                holds += std::ranges::count_if(actor.threads, isHold);
                if (std::ranges::any_of(actor.threads, isHold))
                    holders.insert(actor.name);
            }
            QVERIFY(holds <= 1);
        }
        QVERIFY(holders.size() > 1);
        // Changes are found by reading ten times a second, by the clock of the run.
        const qsizetype changes = std::ranges::count(watched.frames, QByteArray("change"), &LabFrame::action);
        QVERIFY(std::ssize(watched.frames) - changes < 50);
        QVERIFY(changes <= 1 + watched.frames.back().moment.at / 100ms);
    }

    // The actor no longer holds the lock, and knows it; its unlock ends that.
    void aLossThatWasNoticedIsShown() {
        Watched watched("short-lease");
        QVERIFY(watched.comesTo(LabPhase::Free));
        const LabFrame* before = watched.frameOf("acquire", "acquired");
        const LabFrame* lost = watched.frameOf("lost", "lost");
        QVERIFY(before && lost);
        QVERIFY(!before->actors.front().threads.front().knowsLoss);
        QCOMPARE(lost->actors.front().threads.front().doing, LabThread::Doing::Holds);
        QVERIFY(lost->actors.front().threads.front().knowsLoss);
        const LabFrame* unlock = watched.frameOf("release", "NotHeld");
        QVERIFY(unlock && unlock->actors.front().threads.empty());
    }

    // The lease is as the client's own clock counts it, as for the locks of the library.
    void aNaiveLockHasTheLeaseThatItsSchemeHas_data() {
        QTest::addColumn<QByteArray>("id");
        QTest::addColumn<qint64>("lease");
        QTest::newRow("SET PX") << QByteArray("deletes-others-lock") << qint64(300);
        QTest::newRow("with an owner") << QByteArray("no-reentry") << qint64(5000);
        QTest::newRow("a time as value") << QByteArray("clocks-differ") << qint64(5000);
        QTest::newRow("SETNX has none") << QByteArray("setnx-crash") << qint64(-1);
    }
    void aNaiveLockHasTheLeaseThatItsSchemeHas() {
        QFETCH(const QByteArray, id);
        QFETCH(const qint64, lease);
        Watched watched(id.constData());
        QVERIFY(watched.comesTo(LabPhase::Free));
        const LabFrame* acquired = watched.frameOf("acquire", "acquired");
        QVERIFY(acquired);
        const std::optional<Milliseconds> left = acquired->actors.front().threads.front().leaseLeft;
        QCOMPARE(left.has_value(), lease > 0);
        if (left)
            QVERIFY(*left <= Milliseconds(lease) && *left > Milliseconds(lease) / 2);
    }

    // The master and `a` are on one side.
    void aFrameHasWhoIsCutOffFromWhom() {
        Watched watched("split-brain");
        QVERIFY(watched.comesTo(LabPhase::Free));
        QVERIFY(watched.frames.front().servers.front().unreached.isEmpty());
        const LabFrame* cut = watched.frameOf("fault", "server-cut-off");
        QVERIFY(cut);
        QVERIFY(cut->servers.at(0).unreached == (Unreached{{ServerNumber(1)}, {"b"}, true}));
        QVERIFY(cut->servers.at(1).unreached == (Unreached{{ServerNumber(0)}, {"a"}, false}));
        QVERIFY(cut->servers.at(2).unreached == (Unreached{{ServerNumber(0)}, {"a"}, false}));
        QVERIFY(cut->actors.at(0).unreached == (Unreached{{ServerNumber(1)}, {}, true}));
        QVERIFY(cut->actors.at(1).unreached == (Unreached{{ServerNumber(0)}, {}, false}));
        watched.session.request(Step{{}, {}, Fault(RejoinServer{ServerNumber(0)})});
        QTRY_VERIFY(watched.frameOf("fault", "server-rejoined"));
        for (const LabServer& server : watched.frames.back().servers)
            QVERIFY(server.unreached.isEmpty());
        for (const LabActor& actor : watched.frames.back().actors)
            QVERIFY(actor.unreached.isEmpty());
    }

    void aFrameHasWhetherAReplicaGetsNothing() {
        Watched watched("failover-two-holders");
        QVERIFY(watched.comesTo(LabPhase::Free));
        const LabFrame* held = watched.frameOf("fault", "replication-held");
        QVERIFY(held);
        QVERIFY(!watched.frames.front().servers.at(1).isReplicationHeld);
        QVERIFY(!held->servers.at(0).isReplicationHeld);
        QVERIFY(held->servers.at(1).isReplicationHeld);
        QVERIFY(!watched.frames.back().servers.at(1).isReplicationHeld);  // it is no replica any more
    }

    void scriptsAreOpenedToTheirCommands() {
        Watched watched("reentry");
        QVERIFY(watched.comesTo(LabPhase::Free));
        const WireLine* script = watched.lineOf("EVAL", WireLine::Sender::Actor);
        QVERIFY(script);
        QCOMPARE(script->actor, ActorName("a"));
        const WireLine* write = watched.lineOf("HINCRBY", WireLine::Sender::Script);
        QVERIFY(write);
        QCOMPARE(write->actor, ActorName("a"));
        QCOMPARE(write->arguments.at(1), "L");
        QVERIFY(!watched.lineOf("KEYS", WireLine::Sender::Script));  // a command of the laboratory itself
    }

    // MONITOR of a real server shows all that is needed to find the line.
    void theLineOfAScriptThatDecidedIsFound_data() {
        QTest::addColumn<QString>("experiment");
        QTest::addColumn<QByteArray>("line");
        QTest::addColumn<int>("times");
        const QByteArray taken = "return add_hold(lock, holder, lease, 'hincrby')";
        const QByteArray held = "return redis.call('pttl', lock)";
        QTest::newRow("each acquire of a holder") << "reentry" << taken << 2;
        QTest::newRow("a release of two") << "reentry" << QByteArray("return left") << 1;
        QTest::newRow("the last release") << "reentry" << QByteArray("return announced(1)") << 1;
        QTest::newRow("a token") << "fencing-token" << QByteArray(taken + " or { token }") << 2;
        QTest::newRow("one that takes two of three servers") << "red-three-one-lost" << taken << 2;
        QTest::newRow("another that takes none of them") << "red-three-one-lost" << held << 2;
        QTest::newRow("a hundred who take turns") << "hundred-contenders" << taken << 100;
    }
    void theLineOfAScriptThatDecidedIsFound() {
        QFETCH(const QString, experiment);
        QFETCH(const QByteArray, line);
        QFETCH(const int, times);
        Watched watched(experiment.toUtf8().constData());
        QVERIFY(watched.comesTo(LabPhase::Free));
        // The last lines may come after the last frame.
        QTRY_COMPARE(watched.decidingLines()[line], times);
    }

    void commandsBelongToTheFrameThatShowsTheirEffect() {
        Watched watched("reentry");
        QVERIFY(watched.comesTo(LabPhase::Free));
        const WireLine* removal = watched.lineOf("DEL", WireLine::Sender::Script);
        QVERIFY(removal);
        const LabFrame& frame = watched.frames.at(static_cast<size_t>(removal->frame));
        QCOMPARE(frame.moment.what, "released");
    }

    void aMessageNamesWhoReceivesIt() {
        Watched watched("wake-by-channel");
        QVERIFY(watched.comesTo(LabPhase::Free));
        const WireLine* message = watched.lineOf("PUBLISH", WireLine::Sender::Script);
        QVERIFY(message);
        QCOMPARE(message->actor, ActorName("a"));
        QCOMPARE(message->receivers, std::vector<ActorName>{"b"});
    }

    void aKeyThatExpiresIsAMomentOfItsOwn() {
        Watched watched("lease-not-renewed");
        QVERIFY(watched.comesTo(LabPhase::Free));
        const LabFrame* gone = watched.frameOf("change", "gone");
        const LabFrame* lost = watched.frameOf("lost", "lost");
        QVERIFY(gone || lost);
        QVERIFY(lost);
    }

    void aRenewalIsAMomentOfItsOwn() {
        Watched watched("renewal");
        QVERIFY(watched.comesTo(LabPhase::Free));
        const LabFrame* renewed = watched.frameOf("change", "renewed");
        QVERIFY(renewed);
        QCOMPARE(renewed->moment.subject, "L");
    }

    void afterTheRunItTakesStepsOfTheUser() {
        Watched watched("wake-by-channel");
        QVERIFY(watched.comesTo(LabPhase::Free));
        watched.session.request(Step{{}, {}, Fault(CrashActor{"b"})});
        QTRY_VERIFY(watched.frameOf("fault", "crashed"));
        QVERIFY(watched.frameOf("fault", "crashed")->actors.back().hasCrashed);
        watched.session.request(Step{{}, "a", Acquire{"L", 0ms, std::nullopt}});
        QTRY_VERIFY(watched.frames.back().moment.what == "held");
        watched.session.request(Step{{}, {}, Fault(ByHand{{}, {"DEL", "L"}})});
        QTRY_VERIFY(watched.lineOf("DEL", WireLine::Sender::ByHand));
        watched.session.request(Step{{}, {}, Fault(KillServer{ServerNumber(0)})});
        QTRY_VERIFY(watched.frameOf("fault", "server-killed"));
        QTRY_COMPARE(watched.frames.back().servers.front().condition, ServerCondition::Killed);
    }

    // Time passes for the fault as for a step, and then stands still again before the same step.
    void aFaultAtAPauseIsMadeThereAndEndsTheVerdict() {
        Watched watched("wake-by-channel", std::nullopt);
        QVERIFY(watched.comesBefore(0));
        QVERIFY(watched.makesByHand(CrashActor{"b"}, "crashed"));
        QVERIFY(!watched.frameOf("acquire", "acquired"));
        watched.session.request(SetPace{0ms});
        QVERIFY(watched.comesTo(LabPhase::Free));
        QVERIFY(watched.frameOf("acquire", "acquired"));
        QVERIFY(watched.outcome->isChangedByHand);
        QCOMPARE(verdictOf(experimentOf("wake-by-channel")->scenario(Trigger::Present), *watched.outcome),
                 Verdict::ChangedByHand);
    }

    void aLockIsNotTakenByHandBeforeTheEnd() {
        Watched watched("reentry", std::nullopt);
        QVERIFY(watched.comesBefore(0));
        watched.session.request(Step{{}, "a", Acquire{"L", 0ms, std::nullopt}});
        watched.session.request(SetPace{0ms});
        QVERIFY(watched.comesTo(LabPhase::Free));
        QVERIFY(!watched.outcome->isChangedByHand);
        QCOMPARE(verdictOf(experimentOf("reentry")->scenario(Trigger::Present), *watched.outcome), Verdict::AsExpected);
    }

    // A server that starts needs the time of the laboratory.
    void aServerIsKilledAndRestartedAtAPause() {
        Watched watched("reentry", std::nullopt);
        QVERIFY(watched.comesBefore(0));
        QVERIFY(watched.makesByHand(KillServer{ServerNumber(0)}, "server-killed"));
        QVERIFY(watched.makesByHand(RestartServer{ServerNumber(0)}, "server-restarted"));
        watched.session.request(SetPace{0ms});
        QVERIFY(watched.comesTo(LabPhase::Free));
        QVERIFY(watched.outcome->isChangedByHand);
    }

    // The lock is where the person has moved it, and the experiment goes on there.
    void aSlotIsMovedByHandAtAPause() {
        Watched watched("cluster-slot-moves", std::nullopt);
        QVERIFY(watched.comesBefore(0));
        watched.session.request(NextStep());
        QVERIFY(watched.comesBefore(1));
        QVERIFY(watched.makesByHand(MoveSlot{LockName("mail"), ServerNumber(0), ServerNumber(2)}, "slot-moved"));
        const std::vector<LabServer>& servers = watched.frameOf("fault", "slot-moved")->servers;
        QVERIFY(servers.at(0).keys.empty());
        QCOMPARE(servers.at(2).keys.size(), size_t(1));
        QCOMPARE(servers.at(2).keys.front().name, "mail");
    }

    // The Cluster is down when the lab is resumed, and takes no scripts: no key expires by that, and later each has
    // an end again.
    void aClusterThatIsDownForAWhileKeepsItsKeysAndTheirTimes() {
        Watched watched("cluster-slot-moves", std::nullopt);
        QVERIFY(watched.comesBefore(0));
        watched.session.request(NextStep());
        QVERIFY(watched.comesBefore(1));
        QVERIFY(watched.makesByHand(PartitionServer{ServerNumber(2), {}}, "server-cut-off"));
        QTRY_VERIFY_WITH_TIMEOUT(isClusterDown(), 15000);
        QVERIFY(watched.makesByHand(RejoinServer{ServerNumber(2)}, "server-rejoined"));
        const std::vector<LabKey> keys = watched.frameOf("fault", "server-rejoined")->servers.front().keys;
        QCOMPARE(keys.size(), size_t(1));
        QCOMPARE(keys.front().name, "mail");
        QCOMPARE(watched.frameOf("fault", "server-cut-off")->servers.front().reading, KeyReading::Now);
        QCOMPARE(watched.frameOf("fault", "server-rejoined")->servers.front().reading, KeyReading::ClusterDown);
        const auto isReadAgain = [&] {
            const size_t before = watched.frames.size();
            watched.session.request(Step{{}, {}, Fault(DelayNetwork{"b", 0ms})});
            if (!test::becomesTrue([&] { return watched.frames.size() > before; }) || !watched.comesBefore(1))
                return false;
            const std::vector<LabKey>& now = watched.frames.back().servers.front().keys;
            return now.size() == 1 && now.front().ttl > 10s && now.front().ttl < keys.front().ttl &&
                   watched.frames.back().servers.front().reading == KeyReading::Now;
        };
        QTRY_VERIFY_WITH_TIMEOUT(isReadAgain(), 30000);
        QVERIFY(!watched.frameOf("change", "gone") && !watched.frameOf("change", "added"));
    }

    // The moment comes without a step: otherwise the panes would show keys that are no longer read as if they were. A
    // server without keys can be read.
    void aClusterThatGoesDownByItselfIsAMoment() {
        Watched watched("cluster-slot-moves");
        QVERIFY(watched.comesTo(LabPhase::Free));
        watched.session.request(Step{{}, {}, Fault(KillServer{ServerNumber(2)})});
        const auto isSaidOf = [&watched](int number, const char* what, KeyReading reading) {
            return std::ranges::any_of(watched.frames, [number, what, reading](const LabFrame& frame) {
                return frame.action == "change" && frame.moment.what == what &&
                       frame.facts.value("server") == Fact(qint64(number)) &&
                       frame.servers.at(static_cast<size_t>(number)).reading == reading;
            });
        };
        QTRY_VERIFY_WITH_TIMEOUT(isSaidOf(1, "cluster-down", KeyReading::ClusterDown), 15000);
        QCOMPARE(watched.frameOf("fault", "server-killed")->servers.at(1).reading, KeyReading::Now);
        QCOMPARE(watched.frames.back().servers.front().reading, KeyReading::Now);
        QCOMPARE(watched.frames.back().servers.at(1).keys.size(), size_t(1));
        watched.session.request(Step{{}, {}, Fault(RestartServer{ServerNumber(2)})});
        QTRY_VERIFY_WITH_TIMEOUT(isSaidOf(1, "read-again", KeyReading::Now), 30000);
    }

    // These facts name the command in words.
    void aCommandByHandThatFailsSaysWhatItWas() {
        Watched watched("reentry");
        QVERIFY(watched.comesTo(LabPhase::Free));
        watched.session.request(Step{{}, {}, Fault(ByHand{ServerNumber(0), {"LPUSH", "L"}})});
        QTRY_VERIFY(watched.frameOf("fault", "ServerReply"));
        const LabFrame& failed = *watched.frameOf("fault", "ServerReply");
        QCOMPARE(failed.facts.value("fault"), Fact(QByteArray("by-hand")));
        QCOMPARE(failed.facts.value("server"), Fact(qint64(0)));
        watched.session.request(Step{{}, {}, Fault(ByHand{ServerNumber(0), {"DEL", "L"}})});
        QTRY_VERIFY(watched.frameOf("fault", "by-hand"));
        QVERIFY(!watched.frameOf("fault", "by-hand")->facts.contains("fault"));
    }

    // Nobody renews the lease: `a` has lost the lock by its own clock. Must work without a further stop, too.
    void aLeaseThatEndsWhileTheClusterIsDownIsGoneWhenItIsBack() {
        Watched watched("cluster-master-lost", std::nullopt);
        for (const qsizetype step : {0, 1}) {
            QVERIFY(watched.comesBefore(step));
            watched.session.request(NextStep());
        }
        QVERIFY(watched.comesBefore(2));  // a server is dead
        QTRY_VERIFY_WITH_TIMEOUT(isClusterDown(), 15000);
        watched.session.request(SetPace{0ms});
        QVERIFY(watched.comesTo(LabPhase::Free));
        QVERIFY(isAsExpected("cluster-master-lost", watched));
        QCOMPARE(watched.frames.back().servers.front().keys.size(), size_t(1));
        watched.session.request(Step{{}, {}, Fault(RestartServer{ServerNumber(2)})});
        const auto isGone = [&watched] {
            const LabServer& server = watched.frames.back().servers.front();
            return server.reading == KeyReading::Now && server.keys.empty();
        };
        QTRY_VERIFY_WITH_TIMEOUT(isGone(), 30000);
    }

    // The fault that the scenario makes then is no longer possible.
    void aFaultOfTheScenarioThatWasForestalledIsNoFailure_data() {
        QTest::addColumn<int>("killed");
        QTest::newRow("the master that is to be killed") << 0;
        QTest::newRow("the replica that is to be promoted") << 1;
    }
    void aFaultOfTheScenarioThatWasForestalledIsNoFailure() {
        QFETCH(const int, killed);
        Watched watched("failover-two-holders", std::nullopt);
        for (const qsizetype step : {0, 1}) {
            QVERIFY(watched.comesBefore(step));
            watched.session.request(NextStep());
        }
        QVERIFY(watched.comesBefore(2));  // the lock is held
        QVERIFY(watched.makesByHand(KillServer{ServerNumber(killed)}, "server-killed"));
        watched.session.request(SetPace{0ms});
        QVERIFY(watched.comesTo(LabPhase::Free));
        QVERIFY(!watched.outcome->failure);
        QCOMPARE(verdictOf(experimentOf("failover-two-holders")->scenario(Trigger::Present), *watched.outcome),
                 Verdict::ChangedByHand);
    }

    // A Sentinel ends connections in this way when it has promoted a replica.
    void connectionsThatAServerEndsAtAPauseComeBack() {
        Watched watched("reentry", std::nullopt);
        QVERIFY(watched.comesBefore(0));
        watched.session.request(NextStep());
        QVERIFY(watched.comesBefore(1));
        QDirIterator sockets(m_directory.path(), {QStringLiteral("*.sock")}, QDir::System,
                             QDirIterator::Subdirectories);
        QVERIFY(sockets.hasNext());
        const QStringList end{"-s", sockets.next(), "CLIENT", "KILL", "TYPE", "normal"};
        QCOMPARE(QProcess::execute(test::tool("redis-cli", "redis-tools"), end), 0);
        QCoreApplication::processEvents();  // the end is noticed while no time passes
        watched.session.request(NextStep());
        QVERIFY(watched.comesBefore(2));
    }

    void aStepThatAChangeHoldsUpIsFreedByAnother() {
        Watched watched("reentry", std::nullopt);
        QVERIFY(watched.comesBefore(0));
        QVERIFY(watched.makesByHand(FreezeActor{"a"}, "frozen"));
        watched.session.request(NextStep());
        QTRY_COMPARE(watched.phase, LabPhase::Running);
        watched.session.request(Step{{}, {}, Fault(DelayNetwork{"a", 0ms})});
        QTRY_VERIFY(watched.frameOf("fault", "network-fast"));
        QCOMPARE(watched.phase, LabPhase::Running);
        watched.session.request(Step{{}, {}, Fault(ResumeActor{"a"})});
        QVERIFY(watched.comesBefore(1));
    }

    // A request may arrive after the thing that it names has ended.
    void whatIsNotThereIsLeftAlone_data() {
        QTest::addColumn<Step>("step");
        QTest::newRow("an unknown actor") << Step{{}, {}, Fault(CrashActor{"nobody"})};
        QTest::newRow("an unknown lock") << Step{{}, "a", Acquire{"M", 0ms, std::nullopt}};
        QTest::newRow("the Sentinel of one server") << Step{{}, {}, Fault(KillServer{sentinelServer})};
        QTest::newRow("an unknown server") << Step{{}, {}, Fault(KillServer{ServerNumber(7)})};
        QTest::newRow("the replica of one server") << Step{{}, {}, Fault(PromoteReplica())};
        QTest::newRow("a slot of one server")
            << Step{{}, {}, Fault(MoveSlot{LockName("L"), ServerNumber(0), ServerNumber(0)})};
        QTest::newRow("a server that runs already") << Step{{}, {}, Fault(RestartServer{ServerNumber(0)})};
    }
    void whatIsNotThereIsLeftAlone() {
        QFETCH(const Step, step);
        Watched watched("reentry");
        QVERIFY(watched.comesTo(LabPhase::Free));
        const size_t before = watched.frames.size();
        watched.session.request(step);
        watched.session.request(Step{{}, "a", Acquire{"L", 0ms, std::nullopt}});
        QTRY_COMPARE(watched.frames.size(), before + 1);
        QCOMPARE(watched.frames.back().moment.what, "acquired");
    }

    void closingInTheMiddleLeavesNothing() {
        const QStringList before = labFolders();
        {
            Watched watched("short-lease", std::nullopt);
            QVERIFY(watched.comesBefore(0));
            QVERIFY(labFolders() != before);
            watched.session.request(NextStep());
            bool isClosed = false;
            QObject::connect(&watched.session, &LabSession::closed, &watched.session, [&isClosed] { isClosed = true; });
            watched.session.close();
            QVERIFY(!isClosed);  // the engine's thread does not wait for the servers
            QTRY_VERIFY(isClosed);
            QCOMPARE(labFolders(), before);
        }
        QCOMPARE(labFolders(), before);
    }

    void aServerThatIsMissingIsAFailure() {
        SystemClock clock;
        LabSession session({"reentry", Trigger::Present, 0ms, QStringLiteral("/nowhere/redis-server")}, clock);
        std::optional<Outcome> outcome;
        connect(&session, &LabSession::changed, this, [&outcome](const SharedLabUpdate& update) {
            if (update->outcome)
                outcome = update->outcome;
        });
        session.open();
        QTRY_VERIFY(outcome);
        QCOMPARE(outcome->failure->cause, LabCause::ServerNotStarted);
    }
};

LOCKKEEPER_TEST(TestLabSession, Guiless)

}  // namespace tst_labsession

#include "tst_labsession.moc"
