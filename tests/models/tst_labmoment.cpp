// SPDX-License-Identifier: Apache-2.0
#include "lab/experiment/catalogue.h"
#include "support/testprogram.h"
#include "ui/lab/labmoment.h"

#include <QTest>

#include <algorithm>

namespace tst_labmoment {

using namespace lockkeeper;
using namespace lockkeeper::ui;

namespace {

constexpr auto tooMany = "too many holders";

struct Row {
    const char* experiment;
    const char* moment;  // the label of its step, or tooMany
};

// The moments that the explanations in resources/lab refer to.
constexpr Row rows[]{
    {"reentry", "second"},
    {"wake-by-channel", "b"},
    {"try-times-out", "b"},
    {"wrong-thread", "unlock"},
    {"hundred-contenders", "all"},
    {"thousand-contenders", "all"},
    {"renewal", "after"},
    {"lease-not-renewed", "after"},
    {"forgotten-unlock", "b"},
    {"ended-thread", "dump"},
    {"short-lease", tooMany},
    {"holder-crash", "b"},
    {"frozen-holder", tooMany},
    {"cut-off-holder", "b"},
    {"fencing-token", "a-write"},
    {"deleted-by-hand", "after-del"},
    {"published-by-hand", "b"},
    {"barging", "c"},
    {"fair-newcomer", "newcomer"},
    {"fair-order", "b-sleeps"},
    {"dead-head", "early"},
    {"readers-together", tooMany},
    {"downgrade", "reader"},
    {"reader-crash", "left"},
    {"leased-reader", "writer"},
    {"multi-roll-back", "a"},
    {"red-three-one-lost", "a"},
    {"red-three-two-lost", "a"},
    {"red-five-two-lost", "a"},
    {"red-five-three-lost", "a"},
    {"red-forgot", tooMany},
    {"deadlock", "search"},
    {"cluster-slot-moves", "b"},
    {"cluster-master-lost", "b"},
    {"failover-two-holders", tooMany},
    {"failover-wait", "a"},
    {"failover-token", "a-write"},
    {"sentinel-two-holders", tooMany},
    {"split-brain", tooMany},
    {"split-brain-token", "a-write"},
    {"setnx-crash", "b"},
    {"deletes-others-lock", "a-unlock"},
    {"clocks-differ", tooMany},
    {"no-reentry", "second"},
};

// One frame for each step, in order, and a last one in which every actor holds every lock.
LabRecording recordingOf(const lab::Scenario& scenario) {
    lab::LabUpdate update;
    for (qsizetype step = 0; step < std::ssize(scenario.steps); ++step)
        update.frames.emplace_back().moment.step = step;
    lab::LabFrame& last = update.frames.emplace_back();
    for (const lab::ActorPlan& plan : scenario.actors) {
        lab::LabActor& actor = last.actors.emplace_back();
        actor.name = plan.name;
        for (const lab::LockPlan& lock : scenario.locks) {
            lab::LabThread& thread = actor.threads.emplace_back();
            thread.lock = lock.id;
            thread.doing = lab::LabThread::Doing::Holds;
        }
    }
    LabRecording recording;
    recording.add(update);
    return recording;
}

QByteArray labelOf(const lab::Experiment& experiment) {
    const lab::Scenario scenario = experiment.scenario(lab::Trigger::Present);
    const std::optional<qsizetype> frame = momentOf(experiment, scenario, recordingOf(scenario));
    if (!frame)
        return QByteArrayLiteral("none");
    return *frame == std::ssize(scenario.steps) ? QByteArray(tooMany)
                                                : scenario.steps.at(static_cast<size_t>(*frame)).label.bytes();
}

}  // namespace

// The moment that the button of an explanation leads to.
class TestLabMoment : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void theMomentIsTheOneThatTheExplanationSpeaksOf_data() {
        QTest::addColumn<QByteArray>("experiment");
        QTest::addColumn<QByteArray>("moment");
        for (const Row& row : rows)
            QTest::newRow(row.experiment) << QByteArray(row.experiment) << QByteArray(row.moment);
    }
    void theMomentIsTheOneThatTheExplanationSpeaksOf() {
        QFETCH(const QByteArray, experiment);
        QFETCH(const QByteArray, moment);
        const std::optional<lab::Experiment> found = lab::experimentOf(experiment);
        QVERIFY(found);
        QCOMPARE(labelOf(*found), moment);
    }

    void noExperimentIsForgotten() {
        for (const lab::Experiment& experiment : lab::experiments())
            QVERIFY2(std::ranges::any_of(rows, [&](const Row& row) { return experiment.id == row.experiment; }),
                     experiment.id);
    }

    // Must hold also for a run without the cause.
    void aNamedMomentIsAStepOfItsScenario() {
        for (const lab::Experiment& experiment : lab::experiments()) {
            for (const lab::Trigger trigger : {lab::Trigger::Present, lab::Trigger::Removed}) {
                const lab::Scenario scenario = experiment.scenario(trigger);
                const bool isThere =
                    std::ranges::find(scenario.steps, experiment.moment, &lab::Step::label) != scenario.steps.end();
                QVERIFY2(experiment.moment.isEmpty() || isThere, experiment.id);
            }
        }
    }

    void aMomentThatWasNotReachedIsNone() {
        const lab::Experiment experiment = *lab::experimentOf("fencing-token");
        QVERIFY(!momentOf(experiment, experiment.scenario(lab::Trigger::Present), LabRecording()));
    }
};

LOCKKEEPER_TEST(TestLabMoment, Guiless)

}  // namespace tst_labmoment

#include "tst_labmoment.moc"
