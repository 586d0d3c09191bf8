// SPDX-License-Identifier: Apache-2.0
#include "lab/experiment/beliefs.h"
#include "lab/experiment/experimenttext.h"
#include "lab/experiment/outcome.h"
#include "lab/experiment/outcomejson.h"
#include "support/testprogram.h"

#include <QJsonArray>
#include <QJsonObject>
#include <QTest>

namespace tst_experimentoutcome {

using namespace lockkeeper;
using namespace lockkeeper::lab;
using namespace std::chrono_literals;

namespace {

using Relation = Expectation::Relation;

Scenario twoHolders(Trigger) {
    Scenario scenario;
    scenario.expectations = {{"L.most", Relation::Is, qint64{2}}, {"b.ms", Relation::AtMost, qint64{500}}};
    return scenario;
}

Experiment experiment() {
    return {"sample", Family::Watchdog, twoHolders};
}

Outcome outcomeWith(qint64 most, qint64 time) {
    Outcome outcome;
    outcome.facts = {{"L.most", most}, {"b.ms", time}, {"b.answer", QByteArray("acquired")}};
    outcome.moments = {{20ms, 0, "b", "acquired", "L"}};
    outcome.duration = 1200ms;
    return outcome;
}

const auto wholeText = QStringLiteral(
    "# Title\n\nWhat\nhappens?\n\n- [ ] Nothing.\n- [x] This.\n\n## Why\n\nBecause.\n\n## Without what "
    "caused it\n\nThat.\n\n"
    "## Now try yourself\n\nTry.\n");

}  // namespace

// The facts that were measured, beside those that are expected.
class TestExperimentOutcome : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void anExpectationIsMet_data() {
        QTest::addColumn<Expectation>("expected");
        QTest::addColumn<Fact>("measured");
        QTest::addColumn<bool>("isMet");
        const auto row = [](const char* name, Relation relation, const Fact& value, const Fact& measured, bool isMet) {
            QTest::newRow(name) << Expectation{"fact", relation, value} << measured << isMet;
        };
        const Fact word = QByteArray("held");
        row("the same number", Relation::Is, qint64{2}, qint64{2}, true);
        row("another number", Relation::Is, qint64{2}, qint64{1}, false);
        row("the same word", Relation::Is, word, QByteArray("held"), true);
        row("another word", Relation::Is, word, QByteArray("free"), false);
        row("a word for a number", Relation::Is, qint64{2}, QByteArray("2"), false);
        row("the least", Relation::AtLeast, qint64{300}, qint64{300}, true);
        row("less", Relation::AtLeast, qint64{300}, qint64{299}, false);
        row("the most", Relation::AtMost, qint64{300}, qint64{300}, true);
        row("more", Relation::AtMost, qint64{300}, qint64{301}, false);
        row("a word has no order", Relation::AtLeast, qint64{0}, word, false);
    }
    void anExpectationIsMet() {
        QFETCH(const Expectation, expected);
        QFETCH(const Fact, measured);
        QFETCH(const bool, isMet);
        const std::vector<Comparison> comparisons = compared({expected}, {{"fact", measured}});
        QCOMPARE(comparisons.size(), size_t{1});
        QCOMPARE(comparisons.front().isMet, isMet);
    }

    void whatWasNotMeasuredIsNotMet() {
        const std::vector<Comparison> comparisons = compared({{"fact", Relation::AtMost, qint64{1}}}, {});
        QVERIFY(!comparisons.front().isMet);
        QCOMPARE(textOf(comparisons.front().measured), "-");
    }

    void everyExpectationCounts() {
        QVERIFY(isAsExpected(twoHolders(Trigger::Present), outcomeWith(2, 100)));
        QVERIFY(!isAsExpected(twoHolders(Trigger::Present), outcomeWith(2, 501)));
        QVERIFY(!isAsExpected(twoHolders(Trigger::Present), outcomeWith(1, 100)));
    }

    void aRunThatFailedIsNotAsExpected() {
        Outcome outcome = outcomeWith(2, 100);
        outcome.failure = Error(ErrorCode::Timeout, Cause::NoAnswerInTime);
        QVERIFY(!isAsExpected(twoHolders(Trigger::Present), outcome));
        QCOMPARE(outcomeToJson(experiment(), Trigger::Present, outcome)[u"error"].toString(), "Timeout");
    }

    void expectationsAreShortTexts() {
        QCOMPARE(textOf(Expectation{"f", Relation::Is, QByteArray("free")}), "free");
        QCOMPARE(textOf(Expectation{"f", Relation::AtLeast, qint64{2}}), ">= 2");
        QCOMPARE(textOf(Expectation{"f", Relation::AtMost, qint64{2}}), "<= 2");
    }

    void asJson() {
        const QJsonObject json = outcomeToJson(experiment(), Trigger::Removed, outcomeWith(1, 100));
        QCOMPARE(json[u"experiment"].toString(), "sample");
        QCOMPARE(json[u"family"].toString(), "watchdog");
        QCOMPARE(json[u"without_cause"].toBool(), true);
        QCOMPARE(json[u"as_expected"].toBool(true), false);
        QCOMPARE(json[u"ms"].toInt(), 1200);
        QCOMPARE(json[u"facts"][u"b.answer"].toString(), "acquired");
        const QJsonObject first = json[u"expectations"][0].toObject();
        QCOMPARE(first[u"fact"].toString(), "L.most");
        QCOMPARE(first[u"relation"].toString(), "is");
        QCOMPARE(first[u"expected"].toInt(), 2);
        QCOMPARE(first[u"outcome"].toInt(), 1);
        QCOMPARE(first[u"met"].toBool(true), false);
        QCOMPARE(json[u"moments"][0][u"actor"].toString(), "b");
        QVERIFY(!json.contains(u"error"));
    }

    void beliefsEndByARelease() {
        Beliefs beliefs;
        beliefs.acquired("L", {"a", ThreadId(1)});
        beliefs.acquired("L", {"a", ThreadId(1)});
        QCOMPARE(beliefs.now("L"), 1);
        beliefs.released("L", {"a", ThreadId(1)}, "still-held");
        QCOMPARE(beliefs.now("L"), 1);
        beliefs.released("L", {"a", ThreadId(1)}, "released");
        QCOMPARE(beliefs.now("L"), 0);
    }

    // The program of `a` learns of the loss by the error.
    void aFailedUnlockEndsABeliefToo() {
        Beliefs beliefs;
        beliefs.acquired("L", {"a", ThreadId(1)});
        beliefs.acquired("L", {"b", ThreadId(1)});
        beliefs.released("L", {"a", ThreadId(1)}, "NotHeld");
        QCOMPARE(beliefs.now("L"), 1);
        QCOMPARE(beliefs.most("L"), 2);
    }

    void aCrashEndsAllBeliefs() {
        Beliefs beliefs;
        beliefs.acquired("L", {"a", ThreadId(1)});
        beliefs.acquired("M", {"a", ThreadId(2)});
        beliefs.acquired("M", {"b", ThreadId(1)});
        beliefs.crashed("a");
        QCOMPARE(beliefs.now("L"), 0);
        QCOMPARE(beliefs.now("M"), 1);
        QCOMPARE(beliefs.most("M"), 2);
    }

    // The belief lasts until the unlock fails, or until the actor acquires the lock again.
    void aLossThatWasNoticedStaysWithItsBelief() {
        const Beliefs::Believer a{"a", ThreadId(1)};
        Beliefs beliefs;
        beliefs.noticedLoss("L", a);
        QVERIFY(!beliefs.knowsLoss("L", a));  // the actor has not acquired the lock
        beliefs.acquired("L", a);
        beliefs.acquired("L", a);
        beliefs.noticedLoss("L", a);
        QVERIFY(beliefs.knowsLoss("L", a));
        QVERIFY(!beliefs.knowsLoss("L", {"a", ThreadId(2)}));
        QCOMPARE(beliefs.now("L"), 1);
        beliefs.acquired("L", a);
        QVERIFY(!beliefs.knowsLoss("L", a));
        QCOMPARE(beliefs.counts().at("L").at(a), 1);
        beliefs.noticedLoss("L", a);
        beliefs.released("L", a, "NotHeld");
        QVERIFY(!beliefs.knowsLoss("L", a));
        beliefs.acquired("L", a);
        beliefs.noticedLoss("L", a);
        beliefs.crashed("a");
        QVERIFY(!beliefs.knowsLoss("L", a));
    }

    void aTextHasAllItsParts() {
        const std::optional<ExperimentText> text = experimentTextFrom(wholeText);
        QVERIFY(text);
        QCOMPARE(text->title, "Title");
        QCOMPARE(text->question, "What\nhappens?");
        QCOMPARE(text->predictions.size(), 2);
        QCOMPARE(text->predictions.at(1).text, "This.");
        QVERIFY(text->predictions.at(1).isRight);
        QVERIFY(!text->predictions.at(0).isRight);
        QCOMPARE(text->explanation, "Because.");
        QCOMPARE(text->withoutCause, "That.");
        QCOMPARE(text->tryYourself, "Try.");
    }

    void aTextWithoutAPartIsNone_data() {
        QTest::addColumn<QString>("removed");
        for (const char* removed : {"# Title", "What\nhappens?", "- [ ] Nothing.\n", "Because.", "That.", "Try."})
            QTest::newRow(removed) << QString::fromLatin1(removed);
        QTest::newRow("the right prediction") << QStringLiteral("[x]");
    }
    void aTextWithoutAPartIsNone() {
        QFETCH(const QString, removed);
        QString text = wholeText;
        QVERIFY(text.contains(removed));
        text.replace(removed, removed == QLatin1String("[x]") ? QStringLiteral("[ ]") : QString());
        QVERIFY(!experimentTextFrom(text));
    }
};

LOCKKEEPER_TEST(TestExperimentOutcome, Appless)

}  // namespace tst_experimentoutcome

#include "tst_experimentoutcome.moc"
