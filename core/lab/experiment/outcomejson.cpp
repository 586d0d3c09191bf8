// SPDX-License-Identifier: Apache-2.0
#include "lab/experiment/outcomejson.h"

#include <QJsonArray>
#include <QJsonObject>

namespace lockkeeper::lab {

namespace {

QJsonValue valueOf(const Fact& fact) {
    const auto* number = std::get_if<qint64>(&fact);
    return number ? QJsonValue(*number) : QJsonValue(QString::fromUtf8(std::get<QByteArray>(fact)));
}

QString wordFor(Expectation::Relation relation) {
    switch (relation) {
        case Expectation::Relation::Is:
            return QStringLiteral("is");
        case Expectation::Relation::AtLeast:
            return QStringLiteral("at_least");
        case Expectation::Relation::AtMost:
            return QStringLiteral("at_most");
    }
    return {};
}

QJsonArray expectationsOf(const Scenario& scenario, const Outcome& outcome) {
    QJsonArray array;
    for (const Comparison& one : compared(scenario.expectations, outcome.facts)) {
        array.append(QJsonObject{{QStringLiteral("fact"), QString::fromUtf8(one.expected.fact)},
                                 {QStringLiteral("relation"), wordFor(one.expected.relation)},
                                 {QStringLiteral("expected"), valueOf(one.expected.value)},
                                 {QStringLiteral("outcome"), one.measured ? valueOf(*one.measured) : QJsonValue()},
                                 {QStringLiteral("met"), one.isMet}});
    }
    return array;
}

QJsonArray momentsOf(const Outcome& outcome) {
    QJsonArray array;
    for (const Moment& moment : outcome.moments) {
        array.append(QJsonObject{{QStringLiteral("ms"), qint64{moment.at.count()}},
                                 {QStringLiteral("actor"), QString::fromUtf8(moment.actor)},
                                 {QStringLiteral("what"), QString::fromUtf8(moment.what)},
                                 {QStringLiteral("subject"), QString::fromUtf8(moment.subject)}});
    }
    return array;
}

QJsonObject factsOf(const Outcome& outcome) {
    QJsonObject facts;
    for (const auto& [name, fact] : outcome.facts.asKeyValueRange())
        facts.insert(QString::fromUtf8(name), valueOf(fact));
    return facts;
}

}  // namespace

QJsonObject outcomeToJson(const Experiment& experiment, Variation variation, const Outcome& outcome) {
    const Scenario scenario = scenarioOf(experiment, variation);
    QJsonObject object{{QStringLiteral("experiment"), QString::fromUtf8(experiment.id)},
                       {QStringLiteral("family"), QString::fromUtf8(wordFor(experiment.family))},
                       {QStringLiteral("without_cause"), variation.trigger == Trigger::Removed},
                       {QStringLiteral("stretch"), variation.stretch},
                       {QStringLiteral("as_expected"), isAsExpected(scenario, outcome)},
                       {QStringLiteral("ms"), qint64{outcome.duration.count()}},
                       {QStringLiteral("expectations"), expectationsOf(scenario, outcome)},
                       {QStringLiteral("facts"), factsOf(outcome)},
                       {QStringLiteral("moments"), momentsOf(outcome)}};
    if (outcome.failure)
        object.insert(QStringLiteral("error"), lockkeeper::wordFor(outcome.failure->code));
    return object;
}

}  // namespace lockkeeper::lab
