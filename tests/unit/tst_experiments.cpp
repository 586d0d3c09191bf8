// SPDX-License-Identifier: Apache-2.0
#include "lab/experiment/catalogue.h"
#include "lab/experiment/experimenttext.h"
#include "support/places.h"
#include "support/testprogram.h"

#include <QFile>
#include <QSet>
#include <QTest>

#include <algorithm>

using namespace lockkeeper;
using namespace lockkeeper::lab;

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
#include "tst_experiments.moc"
