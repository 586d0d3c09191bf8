// SPDX-License-Identifier: Apache-2.0
#include "lab/experiment/catalogue.h"
#include "lab/labcause.h"
#include "support/labanswers.h"
#include "support/labscenario.h"
#include "support/testprogram.h"

#include <QDir>
#include <QTemporaryDir>
#include <QTest>

namespace tst_lab {

using namespace lockkeeper;
using namespace lockkeeper::lab;
using namespace lockkeeper::lab::wording;
using test::differences, test::labScenario, test::outcomeOf, test::wordIn;

// Every experiment on real servers, and the faults that a laboratory can cause.
class TestLab : public QObject {
    Q_OBJECT

private Q_SLOTS:
    // Other tests run laboratories, too.
    void initTestCase() { qputenv("TMPDIR", m_directory.path().toUtf8()); }
    void cleanupTestCase() { qunsetenv("TMPDIR"); }

    void anExperimentEndsAsExpected_data() { eachExperiment(); }
    void anExperimentEndsAsExpected() {
        QFETCH(const QByteArray, id);
        const Scenario scenario = experimentOf(id)->scenario(Trigger::Present);
        const Outcome outcome = outcomeOf(scenario);
        QVERIFY2(isAsExpected(scenario, outcome), differences(scenario, outcome).constData());
    }

    // One experiment of each kind of time: watchdog, what is left of its lease, lease, wait, pause, clock, a command
    // that states a time, a place in a fair queue, and those of others beside it. The times that they expect are
    // stretched, too, so a run that is not stretched ends differently.
    void stretchedItEndsAsExpected_data() {
        QTest::addColumn<QByteArray>("id");
        for (const char* id : {"holder-crash", "renewal", "short-lease", "leased-reader", "try-times-out",
                               "clocks-differ", "dead-head", "failover-wait"})
            QTest::newRow(id) << QByteArray(id);
    }
    void stretchedItEndsAsExpected() {
        QFETCH(const QByteArray, id);
        const Scenario scenario = scenarioOf(*experimentOf(id), {Trigger::Present, 2});
        const Outcome outcome = outcomeOf(scenario);
        QVERIFY2(isAsExpected(scenario, outcome), differences(scenario, outcome).constData());
    }

    void withoutItsCauseItEndsDifferently_data() { eachExperiment(); }
    void withoutItsCauseItEndsDifferently() {
        QFETCH(const QByteArray, id);
        const Scenario scenario = experimentOf(id)->scenario(Trigger::Removed);
        const Outcome outcome = outcomeOf(scenario);
        QVERIFY(!outcome.failure);
        QVERIFY(!isAsExpected(scenario, outcome));
    }

    // The difference must be that the second holder is gone, not just any other fact.
    void withoutItsCauseThereIsOneHolder_data() {
        QTest::addColumn<QByteArray>("id");
        for (const char* id : {"short-lease", "frozen-holder", "cut-off-holder", "sentinel-two-holders", "split-brain",
                               "failover-two-holders", "red-forgot", "clocks-differ"})
            QTest::newRow(id) << QByteArray(id);
    }
    void withoutItsCauseThereIsOneHolder() {
        QFETCH(const QByteArray, id);
        const Outcome outcome = outcomeOf(experimentOf(id)->scenario(Trigger::Removed));
        QCOMPARE(wordIn(outcome, "L.most"), "1");
    }

    // The fact that must differ is the one that the experiment is about.
    void withoutItsCauseThisDiffers_data() {
        QTest::addColumn<QByteArray>("id");
        QTest::addColumn<QByteArray>("fact");
        QTest::addColumn<QByteArray>("outcome");
        QTest::newRow("nobody is overtaken") << QByteArray("barging") << QByteArray("c.overtaken") << QByteArray("0");
        QTest::newRow("no dead head") << QByteArray("dead-head") << QByteArray("early.answer")
                                      << QByteArray("acquired");
        QTest::newRow("nothing is left of the lease")
            << QByteArray("renewal") << QByteArray("after.pttl") << QByteArray("-2");
        QTest::newRow("an unlock after that")
            << QByteArray("renewal") << QByteArray("unlock.answer") << QByteArray("NotHeld");
        QTest::newRow("the writer waits")
            << QByteArray("leased-reader") << QByteArray("writer.answer") << QByteArray("held");
        QTest::newRow("the lock of b stays")
            << QByteArray("deletes-others-lock") << QByteArray("c.answer") << QByteArray("held");
        for (const char* id : {"fencing-token", "failover-token", "split-brain-token"})
            QTest::addRow("%s: nobody compares", id)
                << QByteArray(id) << QByteArray("a-write.answer") << QByteArray("written");
        QTest::newRow("threads that hold nothing")
            << QByteArray("hundred-contenders") << QByteArray("L.most") << QByteArray("0");
    }
    void withoutItsCauseThisDiffers() {
        QFETCH(const QByteArray, id);
        QFETCH(const QByteArray, fact);
        QFETCH(const QByteArray, outcome);
        QCOMPARE(wordIn(outcomeOf(experimentOf(id)->scenario(Trigger::Removed)), fact), outcome);
    }

    void itLeavesNoFolder() {
        const QStringList before = folders();
        (void)outcomeOf(experimentOf("reentry")->scenario(Trigger::Present));
        QCOMPARE(folders(), before);
    }

    void aServerThatIsMissingIsAFailure() {
        SystemClock clock;
        ExperimentRun run(labScenario({}), clock, QStringLiteral("/nowhere/redis-server"));
        const Outcome outcome = test::waitFor(run.run(), test::labPatience);
        QCOMPARE(outcome.failure->cause, LabCause::ServerNotStarted);
    }

    void itCanBeStopped() {
        SystemClock clock;
        ExperimentRun run(labScenario({acquire("a", "L"), acquire("b", "L")}), clock, test::labServer());
        const auto outcome = test::start(run.run());
        run.stop();
        QTRY_VERIFY(outcome->has_value());
        QCOMPARE((*outcome)->failure->code, ErrorCode::Cancelled);
    }

    void itCanBeStoppedWhileAnActorWaits() {
        SystemClock clock;
        ExperimentRun run(
            labScenario({acquire("a", "L"), begin("b", acquire("b", "L")), awaitWaiters("L"), pause(60s)}), clock,
            test::labServer());
        const auto outcome = test::start(run.run());
        QTRY_VERIFY(
            !test::answersBelow(m_directory.path(), {"PUBSUB", "CHANNELS", "redisson_*"}).join(QString()).isEmpty());
        run.stop();
        QTRY_VERIFY(outcome->has_value());
        QCOMPARE((*outcome)->failure->code, ErrorCode::Cancelled);
    }

    // ---- faults that no experiment uses ----
    void aLostAnswerIsReconciled() {
        const Outcome outcome = outcomeOf(labScenario({fault(LoseAnswer{"a"}), labelled("a", tryFor("a", "L", 2s)),
                                                       awaitConnected("a"), pause(300ms), observe("after", "L")}));
        QVERIFY(!outcome.failure);
        // No client believes to hold what the server does not have.
        QCOMPARE(wordIn(outcome, "after.holders"), wordIn(outcome, "a.answer") == "acquired" ? "a:1" : "");
    }

    void aSlowNetworkDelaysEachWay() {
        Scenario scenario = labScenario({fault(DelayNetwork{"a", 300ms}), labelled("slow", acquire("a", "L")),
                                         fault(DelayNetwork{"a", 0ms}), labelled("unlock", release("a", "L"))});
        scenario.expectations = {is("slow.answer", "acquired"), atLeast("slow.ms", 600ms),
                                 is("unlock.answer", "released")};
        const Outcome outcome = outcomeOf(scenario);
        QVERIFY2(isAsExpected(scenario, outcome), differences(scenario, outcome).constData());
    }

    void whatIsOnItsWayIsNotOvertaken() {
        const Outcome outcome = outcomeOf(
            labScenario({fault(DelayNetwork{"a", 300ms}), begin("slow", send("a", {"SET", "x", "1"})),
                         fault(DelayNetwork{"a", 0ms}), labelled("fast", send("a", {"GET", "x"})), join("slow")}));
        QCOMPARE(wordIn(outcome, "fast.reply"), "1");
    }

    void aNetworkThatIsCutWhileItIsSlowDeliversAfterwards() {
        const Outcome outcome = outcomeOf(labScenario({fault(DelayNetwork{"a", 100ms}), begin("a", acquire("a", "L")),
                                                       fault(CutNetwork{"a"}), pause(300ms), observe("cut", "L"),
                                                       fault(MendNetwork{"a"}), join("a"), observe("mended", "L")}));
        QCOMPARE(wordIn(outcome, "cut.answer"), "free");
        QCOMPARE(wordIn(outcome, "mended.holders"), "a:1");
    }

    // As in tests/data/redisson-4.7.0/mixed_readers.json: the whole lock gets the timeout of the client that renews.
    void aRenewalOfRedissonShortensTheWholeLock() {
        Scenario scenario = labScenario({acquire("a", "read"), acquire("b", "read", 20s), fault(FreezeActor{"b"}),
                                         observe("before", "L"), labelled("renewal", renewAsRedisson("a", "read")),
                                         observe("after", "L"), labelled("nothing", renewAsRedisson("c", "read"))});
        scenario.actors = {{"a", 2s}, "b", "c"};
        scenario.locks = {lockNamed("read", "L", LockKind::Read)};
        scenario.expectations = {atLeast("before.pttl", 15s),     is("renewal.answer", "renewed"),
                                 atMost("after.pttl", 2s),        atLeast("after.pttl", 500ms),
                                 is("after.holders", "a:1, b:1"), is("nothing.answer", "NotHeld")};
        const Outcome outcome = outcomeOf(scenario);
        QVERIFY2(isAsExpected(scenario, outcome), differences(scenario, outcome).constData());
    }

    void aReplicaThatLaggedHasTheLockLater() {
        Scenario scenario =
            labScenario({fault(HoldReplication{}), acquire("a", "L"), pause(200ms), observe("early", "L", 1),
                         fault(ResumeReplication{}), awaitReplicated(), observe("late", "L", 1)});
        scenario.servers = {ServersPlan::Form::Replicated, 2};
        const Outcome outcome = outcomeOf(scenario);
        QCOMPARE(wordIn(outcome, "early.answer"), "free");
        QCOMPARE(wordIn(outcome, "late.holders"), "a:1");
    }

    void aFlushFreesEveryLock() {
        const Outcome outcome = outcomeOf(labScenario(
            {acquire("a", "L"), byHand({"FLUSHALL"}), observe("after", "L"), labelled("b", tryOnce("b", "L"))}));
        QCOMPARE(wordIn(outcome, "after.answer"), "free");
        QCOMPARE(wordIn(outcome, "b.answer"), "acquired");
    }

    void scriptsThatWereForgottenAreSentAgain() {
        const Outcome outcome = outcomeOf(
            labScenario({acquire("a", "L"), byHand({"SCRIPT", "FLUSH"}), labelled("unlock", release("a", "L"))}));
        QCOMPARE(wordIn(outcome, "unlock.answer"), "released");
    }

    void aFaultOfACommandIsAFailure() {
        const Outcome outcome = outcomeOf(labScenario({byHand({"NOSUCHCOMMAND"}), acquire("a", "L")}));
        QCOMPARE(outcome.failure->reply, ReplyKind::UnknownCommand);
    }

private:
    static void eachExperiment() {
        QTest::addColumn<QByteArray>("id");
        for (const Experiment& experiment : experiments())
            QTest::newRow(experiment.id.constData()) << experiment.id;
    }
    static QStringList folders() {
        return QDir(QDir::tempPath()).entryList({QStringLiteral("lockkeeper-lab-*")}, QDir::Dirs);
    }

    const QTemporaryDir m_directory;
};

LOCKKEEPER_TEST(TestLab, Guiless)

}  // namespace tst_lab

#include "tst_lab.moc"
