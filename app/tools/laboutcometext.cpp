// SPDX-License-Identifier: Apache-2.0
#include "app/tools/laboutcometext.h"

#include "app/cli/terminal.h"
#include "lab/experiment/outcomejson.h"

#include <QJsonDocument>
#include <QJsonObject>

namespace lockkeeper::app {

namespace {

// The columns of the table.
constexpr int factWidth = 23;
constexpr int valueWidth = 16;

QByteArray row(const QByteArray& id, const QByteArray& fact, const QByteArray& outcome, const QByteArray& expected,
               const QByteArray& time) {
    const QByteArray text = id.leftJustified(outcomeIdWidth) + fact.leftJustified(factWidth) +
                            outcome.leftJustified(valueWidth) + expected.leftJustified(valueWidth) + time;
    return textForTerminal(QString::fromUtf8(text.trimmed().isEmpty() ? QByteArray() : text)) + '\n';
}

}  // namespace

QByteArray outcomeTitle() {
    return row("experiment", "fact", "outcome", "expected", "time");
}

QByteArray outcomeRows(const lab::Experiment& experiment, lab::Variation variation, const lab::Outcome& outcome) {
    if (outcome.failure && outcome.moments.empty())
        return experiment.id.leftJustified(outcomeIdWidth) + "not started\n";
    QByteArray rows;
    QByteArray id = experiment.id;
    QByteArray time = secondsText(outcome.duration);
    for (const lab::Comparison& one : compared(scenarioOf(experiment, variation).expectations, outcome.facts)) {
        const QByteArray mark = one.isMet ? QByteArray() : QByteArrayLiteral("  differs");
        rows += row(std::exchange(id, {}), one.expected.fact, lab::textOf(one.measured), lab::textOf(one.expected),
                    std::exchange(time, {}) + mark);
    }
    return rows;
}

QByteArray outcomeJsonLine(const lab::Experiment& experiment, lab::Variation variation, const lab::Outcome& outcome) {
    const QJsonDocument document(outcomeToJson(experiment, variation, outcome));
    return jsonForTerminal(document.toJson(QJsonDocument::Compact)) + '\n';
}

QByteArray secondsText(Milliseconds time) {
    return QByteArray::number(std::chrono::duration<double>(time).count(), 'f', 1) + " s";
}

}  // namespace lockkeeper::app
