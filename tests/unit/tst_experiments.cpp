// SPDX-License-Identifier: Apache-2.0
#include "lab/experiment/catalogue.h"
#include "lab/experiment/experimenttext.h"
#include "lab/experiment/outcome.h"
#include "lab/experiment/wording.h"
#include "support/places.h"
#include "support/testprogram.h"

#include <QFile>
#include <QRegularExpression>
#include <QSet>
#include <QTest>

#include <algorithm>

namespace tst_experiments {

using namespace lockkeeper;
using namespace lockkeeper::lab;
using namespace std::chrono_literals;

namespace {

template <typename T>
bool contains(const std::vector<T>& all, auto member, const auto& value) {
    return std::ranges::find(all, value, member) != all.end();
}

struct NamedActor {
    QByteArray operator()(const auto& fault) const {
        if constexpr (requires { fault.actor; })
            return fault.actor.bytes();
        return {};
    }
};

struct NamedLock {
    QByteArray operator()(const Count& what) const { return what.lock ? what.lock->bytes() : QByteArray(); }
    QByteArray operator()(const auto& what) const {
        if constexpr (requires { what.lock.bytes(); })
            return what.lock.bytes();
        return {};
    }
};

QByteArray actorOf(const Step& step) {
    const auto* fault = std::get_if<Fault>(&step.action);
    return fault ? std::visit(NamedActor(), *fault) : step.actor.bytes();
}

// The first part of each fact that the scenario can have.
QSet<QByteArray> factOwners(const Scenario& scenario) {
    QSet<QByteArray> owners;
    for (const Step& step : scenario.steps)
        owners += step.label.bytes();
    for (const LockPlan& lock : scenario.locks)
        owners += lock.id.bytes();
    for (const ActorPlan& actor : scenario.actors)
        owners += actor.name.bytes();
    return owners;
}

// Every time that a scenario states or expects, in milliseconds; for a watchdog also the time between two renewals.
class StatedTimes {
public:
    explicit StatedTimes(const Scenario& scenario) {
        for (const ActorPlan& actor : scenario.actors)
            m_times +=
                {actor.watchdogTimeout.count(), actor.watchdogTimeout.count() / 3, actor.fairLockWaitTimeout.count()};
        for (const Step& step : scenario.steps)
            std::visit([this](const auto& what) { add(what); }, step.action);
        for (const Expectation& expected : scenario.expectations) {
            const auto* number = std::get_if<qint64>(&expected.value);
            if (number && (expected.fact.endsWith(".ms") || expected.fact.endsWith(".pttl")))
                m_times += *number;
        }
    }
    [[nodiscard]] bool contain(qint64 time) const { return m_times.contains(time); }

private:
    void add(const Acquire& what) {
        for (const std::optional<Milliseconds>& time : {what.wait, what.lease})
            m_times += time ? qint64{time->count()} : 0;
    }
    void add(const Pause& what) { m_times += qint64{what.time.count()}; }
    void add(const Send& what) { add(what.command); }
    void add(const Fault& what) {
        std::visit([this](const auto& fault) { add(fault); }, what);
    }
    void add(const JumpClock& fault) { m_times += qint64{fault.by.count()}; }
    void add(const ByHand& fault) { add(fault.command); }
    void add(const QByteArrayList& command) {
        if (command.front() == "PEXPIRE")
            m_times += command.back().toLongLong();
    }
    void add(const auto&) {}

    QSet<qint64> m_times;
};

// The text of the experiment with its Markdown marks.
QString markdownOf(const QByteArray& id) {
    QFile file(QStringLiteral(":/lockkeeper/lab/%1.md").arg(QString::fromLatin1(id)));
    return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()) : QString();
}

QByteArray commandOf(const Step& step) {
    if (const auto* send = std::get_if<Send>(&step.action))
        return send->command.front();
    const auto* fault = std::get_if<Fault>(&step.action);
    const auto* byHand = fault ? std::get_if<ByHand>(fault) : nullptr;
    return byHand ? byHand->command.front() : QByteArray();
}

}  // namespace

// The experiments as data: what can be checked without a server.
class TestExperiments : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void haveAnIdOfTheirOwn() {
        QSet<QByteArray> ids;
        for (const Experiment& experiment : experiments()) {
            QVERIFY2(!ids.contains(experiment.id), experiment.id.constData());
            ids += experiment.id;
        }
        QVERIFY(ids.size() >= 30);
    }

    void areFoundByTheirId() {
        QCOMPARE(experimentOf("short-lease")->family, Family::Watchdog);
        QVERIFY(!experimentOf("shortlease"));
    }

    void haveAText_data() { eachExperiment(); }
    void haveAText() {
        QFETCH(const QByteArray, id);
        const std::optional<ExperimentText> text = experimentTextOf(id);
        QVERIFY(text);
        QVERIFY(text->question.endsWith(u'?'));
    }

    void areInTheManual_data() { eachExperiment(); }
    void areInTheManual() {
        QFETCH(const QByteArray, id);
        QFile page(test::places::manual() + QStringLiteral("/lab.md"));
        QVERIFY(page.open(QIODevice::ReadOnly));
        QVERIFY(page.readAll().contains("| `" + id + "` | " + experimentTextOf(id)->title.toUtf8()));
    }

    // A time in a text must be true of the run, stretched or not.
    void everyTimeOfARunThatATextStatesIsItsScenarios_data() { eachExperiment(); }
    void everyTimeOfARunThatATextStatesIsItsScenarios() {
        QFETCH(const QByteArray, id);
        const StatedTimes times(experimentOf(id)->scenario(Trigger::Present));
        static const QRegularExpression marked(QStringLiteral("\\{([0-9.]+)\\}( s\\b)?"));
        for (QRegularExpressionMatchIterator it = marked.globalMatch(markdownOf(id)); it.hasNext();) {
            const QRegularExpressionMatch match = it.next();
            const double number = match.captured(1).toDouble() * (id != "deletes-others-lock" ? 1000 : 1);
            QVERIFY2(times.contain(qRound64(number)), qPrintable(match.captured(0)));
        }
    }

    // Other times are not of the run: Redisson's, those of a Sentinel, of WAIT, and of a wrong prediction.
    void otherTimesInATextAreKnown() {
        QSet<QString> others;
        static const QRegularExpression time(QStringLiteral("(?<!\\{)\\b\\d+(?:\\.\\d+)? (?:s|ms|min)\\b"));
        for (const Experiment& experiment : experiments()) {
            for (QRegularExpressionMatchIterator it = time.globalMatch(markdownOf(experiment.id)); it.hasNext();)
                others += QString::fromLatin1(experiment.id) + u' ' + it.next().captured(0);
        }
        QCOMPARE(others,
                 (QSet<QString>{"renewal 30 s", "renewal 10 s", "holder-crash 30 s", "barging 1 ms",
                                "deleted-by-hand 30 s", "deleted-by-hand 5 min", "dead-head 5 min", "dead-head 10 s",
                                "failover-wait 300 ms", "sentinel-two-holders 1 s", "wake-by-channel 100 ms"}));
    }

    // The expected rest of the lease must distinguish a renewal every third of the watchdog timeout from one every
    // half.
    void renewalEveryHalfWouldNotBeAsExpected() {
        const Scenario scenario = experimentOf("renewal")->scenario(Trigger::Present);
        const qint64 timeout = scenario.actors.front().watchdogTimeout.count();
        qint64 pause = 0;
        for (const Step& step : scenario.steps) {
            if (const auto* one = std::get_if<Pause>(&step.action))
                pause += one->time.count();
        }
        const auto isAsExpected = [&](qint64 interval) {
            Outcome outcome;
            outcome.facts = {{"after.holders", QByteArray("a:1")}, {"unlock.answer", QByteArray("released")}};
            outcome.facts["after.pttl"] = timeout - pause % interval;
            return lab::isAsExpected(scenario, outcome);
        };
        QVERIFY(isAsExpected(timeout / 3));
        QVERIFY(!isAsExpected(timeout / 2));
    }

    void aTextStatesTheTimesOfAStretchedRun() {
        const ExperimentText text = *experimentTextOf("short-lease", 2);
        QVERIFY2(text.question.contains("a lease of 1.6 s and works for 3.2 s"), qPrintable(text.question));
        QCOMPARE(text.predictions.at(1).text, "Two: `b` gets the lock after 1.6 s.");
        QVERIFY(experimentTextOf("short-lease")->question.contains("a lease of 0.8 s and works for 1.6 s"));
        QVERIFY(experimentTextOf("renewal", 10)
                    ->explanation.contains("here every 5 s. So two thirds of the timeout, 10 s, are"));
    }

    void aTimeInATextMayHaveAnyDecimalMark() {
        const QString text = QStringLiteral(
            "# T\n\n{%1} s?\n\n- [x] {L}\n- [ ] no\n\n## Why\nw\n## Without what caused it\nc\n"
            "## Now try yourself\nt\n");
        const auto question = [&text](const char* time, int stretch) {
            return experimentTextFrom(text.arg(QString::fromLatin1(time)), stretch)->question;
        };
        QCOMPARE(question("1,5", 5), "7,5 s?");
        QCOMPARE(question("0.05", 10), "0.5 s?");
        QCOMPARE(question("0.3", 1), "0.3 s?");
        QCOMPARE(question("2.5", 2), "5 s?");
        QCOMPARE(experimentTextFrom(text, 2)->predictions.front().text, "{L}");
    }

    // The limits that the manual names.
    void eachHasALimitedTime() {
        for (const Experiment& experiment : experiments())
            QCOMPARE(experiment.scenario(Trigger::Present).longestRun,
                     experiment.id == "thousand-contenders" ? 180s : 30s);
    }

    void aStretchedOneHasAllTimesLonger() {
        Scenario scenario;
        scenario.actors = {{"a", 1500ms}};
        scenario.steps = {wording::tryFor("a", "L", 300ms, 2s),        wording::pause(400ms),
                          wording::send("a", {"PEXPIRE", "L", "300"}), wording::byHand({"PEXPIRE", "L", "1000"}),
                          wording::fault(JumpClock{"a", 10s}),         wording::fault(DelayNetwork{"a", 500ms})};
        scenario.expectations = {wording::atLeast("a.ms", 300ms), wording::atMost("a.ms", 4s),
                                 wording::is("after.pttl", -1), wording::is("L.most", 2),
                                 wording::atLeast("after.pttl", 1s)};
        scenario.actors.front().fairLockWaitTimeout = 700ms;
        const Scenario longer = stretched(scenario, 2);
        QCOMPARE(longer.longestRun, 60s);
        QCOMPARE(longer.actors.front().watchdogTimeout, 3s);
        QCOMPARE(longer.actors.front().fairLockWaitTimeout, 1400ms);
        const auto& acquire = std::get<Acquire>(longer.steps.at(0).action);
        QCOMPARE(acquire.wait, Milliseconds(600ms));
        QCOMPARE(acquire.lease, Milliseconds(4s));
        QCOMPARE(std::get<Pause>(longer.steps.at(1).action).time, 800ms);
        QCOMPARE(std::get<Send>(longer.steps.at(2).action).command.back(), "600");
        const auto faultAt = [&longer](size_t step) { return std::get<Fault>(longer.steps.at(step).action); };
        QCOMPARE(std::get<ByHand>(faultAt(3)).command.back(), "2000");
        QCOMPARE(std::get<JumpClock>(faultAt(4)).by, 20s);
        QCOMPARE(std::get<DelayNetwork>(faultAt(5)).by, 1s);
        QCOMPARE(textOf(longer.expectations.at(0)), ">= 600");
        QCOMPARE(textOf(longer.expectations.at(1)), "<= 8000");
        QCOMPARE(textOf(longer.expectations.at(2)), "-1");
        QCOMPARE(textOf(longer.expectations.at(3)), "2");
        QCOMPARE(textOf(longer.expectations.at(4)), ">= 2000");
    }

    // stretched() knows of one command that states a time.
    void areStretchedWithTheirCommands_data() { eachScenario(); }
    void areStretchedWithTheirCommands() {
        QFETCH(const QByteArray, id);
        QFETCH(const bool, hasCause);
        const QSet<QByteArray> known{"", "PEXPIRE", "DEL", "PUBLISH", "CONFIG"};
        for (const Step& step : experimentOf(id)->scenario(hasCause ? Trigger::Present : Trigger::Removed).steps)
            QVERIFY2(known.contains(commandOf(step)), commandOf(step).constData());
    }

    void nameOnlyWhatTheyHave_data() { eachScenario(); }
    void nameOnlyWhatTheyHave() {
        QFETCH(const QByteArray, id);
        QFETCH(const bool, hasCause);
        const Scenario scenario = experimentOf(id)->scenario(hasCause ? Trigger::Present : Trigger::Removed);
        const QSet<QByteArray> owners = factOwners(scenario);
        for (const Step& step : scenario.steps) {
            const QByteArray actor = actorOf(step);
            const QByteArray lock = std::visit(NamedLock(), step.action);
            const auto nameOf = [](const ActorPlan& plan) { return plan.name.bytes(); };
            const auto idOf = [](const LockPlan& plan) { return plan.id.bytes(); };
            QVERIFY2(actor.isEmpty() || contains(scenario.actors, nameOf, actor), actor.constData());
            QVERIFY2(lock.isEmpty() || contains(scenario.locks, idOf, lock), lock.constData());
            QVERIFY(step.pace == Step::Pace::Await || !step.label.isEmpty());
        }
        const auto factsOf = [](const Scenario& one) {
            QByteArrayList facts;
            for (const Expectation& expectation : one.expectations)
                facts += expectation.fact + ' ' + textOf(expectation);
            return facts;
        };
        QCOMPARE(factsOf(scenario),
                 factsOf(experimentOf(id)->scenario(hasCause ? Trigger::Removed : Trigger::Present)));
        if (!hasCause)
            return;
        QVERIFY(!scenario.expectations.empty());
        for (const Expectation& expectation : scenario.expectations)
            QVERIFY2(owners.contains(expectation.fact.split('.').first()), expectation.fact.constData());
    }

private:
    static void eachExperiment() {
        QTest::addColumn<QByteArray>("id");
        for (const Experiment& experiment : experiments())
            QTest::newRow(experiment.id.constData()) << experiment.id;
    }
    static void eachScenario() {
        QTest::addColumn<QByteArray>("id");
        QTest::addColumn<bool>("hasCause");
        for (const Experiment& experiment : experiments()) {
            QTest::newRow(experiment.id.constData()) << experiment.id << true;
            QTest::newRow((experiment.id + ", without its cause").constData()) << experiment.id << false;
        }
    }
};

LOCKKEEPER_TEST(TestExperiments, Appless)

}  // namespace tst_experiments

#include "tst_experiments.moc"
