// SPDX-License-Identifier: Apache-2.0
#include "app/tools/laboutcometext.h"

#include "app/cli/commandline.h"
#include "app/cli/terminal.h"
#include "lab/experiment/outcomejson.h"

#include <QJsonDocument>
#include <QJsonObject>

namespace lockkeeper::app {

namespace {

// The columns of the table.
constexpr int factWidth = 23;
constexpr int valueWidth = 16;

QByteArray row(const QString& id, const QString& fact, const QString& outcome, const QString& expected,
               const QString& time) {
    QString text = id.leftJustified(outcomeIdWidth) + fact.leftJustified(factWidth) +
                   outcome.leftJustified(valueWidth) + expected.leftJustified(valueWidth) + time;
    while (text.endsWith(u' '))
        text.chop(1);
    return textForTerminal(text) + '\n';
}

}  // namespace

QByteArray outcomeTitle() {
    return row(CommandLine::tr("experiment"), CommandLine::tr("fact", "column of lab run"),
               CommandLine::tr("outcome", "column of lab run"), CommandLine::tr("expected", "column of lab run"),
               CommandLine::tr("time", "column of lab run"));
}

QByteArray outcomeRows(const lab::Experiment& experiment, lab::Variation variation, const lab::Outcome& outcome) {
    QString id = QString::fromLatin1(experiment.id);
    if (outcome.failure && outcome.moments.empty())
        return row(id, CommandLine::tr("not started"), {}, {}, {});
    QByteArray rows;
    QString time = secondsText(outcome.duration);
    for (const lab::Comparison& one : compared(scenarioOf(experiment, variation).expectations, outcome.facts)) {
        const QString mark = one.isMet ? QString() : QStringLiteral("  ") + CommandLine::tr("differs");
        rows += row(std::exchange(id, {}), QString::fromUtf8(one.expected.fact),
                    QString::fromUtf8(lab::textOf(one.measured)), QString::fromUtf8(lab::textOf(one.expected)),
                    std::exchange(time, {}) + mark);
    }
    return rows;
}

QByteArray outcomeJsonLine(const lab::Experiment& experiment, lab::Variation variation, const lab::Outcome& outcome) {
    const QJsonDocument document(outcomeToJson(experiment, variation, outcome));
    return jsonForTerminal(document.toJson(QJsonDocument::Compact)) + '\n';
}

QString secondsText(Milliseconds time) {
    return CommandLine::tr("%1 s", "seconds").arg(std::chrono::duration<double>(time).count(), 0, 'f', 1);
}

}  // namespace lockkeeper::app
