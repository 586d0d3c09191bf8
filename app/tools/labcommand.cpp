// SPDX-License-Identifier: Apache-2.0
#include "app/tools/labcommand.h"

#include "app/cli/commandline.h"
#include "app/cli/terminal.h"
#include "app/tools/laboutcometext.h"
#include "app/tools/recordedrun.h"
#include "lab/experiment/experimentrun.h"
#include "lab/experiment/experimenttext.h"
#include "lab/servers/serverfolder.h"
#include "platform/standardoutput.h"
#include "ui/words/causetext.h"

#include <QJsonDocument>
#include <QJsonObject>

namespace lockkeeper::app {

namespace {

using lab::Experiment;
using lab::ExperimentText;
using lab::Outcome;
using lab::Trigger;
using lab::Variation;

// Each experiment has servers of its own; more at once would disturb the times of the others.
constexpr size_t mostAtOnce = 2;

QByteArray listLine(const Experiment& experiment, bool json) {
    const ExperimentText text = lab::experimentTextOf(experiment.id).value_or(ExperimentText());
    if (!json)
        return textForTerminal(QStringLiteral("%1%2%3").arg(
                   QString::fromLatin1(experiment.id.leftJustified(outcomeIdWidth)),
                   QString::fromLatin1(wordFor(experiment.family).leftJustified(10)), text.title)) +
               '\n';
    const QJsonObject object{{QStringLiteral("experiment"), QString::fromLatin1(experiment.id)},
                             {QStringLiteral("family"), QString::fromLatin1(wordFor(experiment.family))},
                             {QStringLiteral("title"), text.title},
                             {QStringLiteral("question"), text.question}};
    return jsonForTerminal(QJsonDocument(object).toJson(QJsonDocument::Compact)) + '\n';
}

// The question first, so that a reader can stop there and guess.
QByteArray textOf(const Experiment& experiment, int stretch) {
    const ExperimentText text = lab::experimentTextOf(experiment.id, stretch).value_or(ExperimentText());
    QStringList parts{text.title, text.question};
    QStringList predictions;
    QString answer;
    for (const ExperimentText::Prediction& prediction : text.predictions) {
        predictions += QStringLiteral("  %1. %2").arg(predictions.size() + 1).arg(prediction.text);
        if (prediction.isRight)
            answer = QString::number(predictions.size());
    }
    parts += predictions.join(u'\n');
    const QString option = stretch == 1 ? QString() : QStringLiteral(" --stretch %1").arg(stretch);
    parts += CommandLine::tr("Run it: lockkeeper lab run %1%2").arg(QString::fromLatin1(experiment.id), option);
    parts += CommandLine::tr("Answer: %1. %2").arg(answer, text.explanation);
    parts += CommandLine::tr("Without what caused it (--without-cause): %1").arg(text.withoutCause);
    parts += CommandLine::tr("Now try yourself: %1").arg(text.tryYourself);
    return (parts.join(QStringLiteral("\n\n")) + u'\n').toUtf8();
}

}  // namespace

LabCommand::LabCommand(Arguments arguments, QObject* parent)
    : QObject(parent), m_arguments(std::move(arguments)), m_clock(this), m_experiments(lab::experiments()) {
    const QByteArray& only = m_arguments.lab.experiment;
    if (!only.isEmpty())
        std::erase_if(m_experiments, [&only](const Experiment& one) { return one.id != only; });
}

LabCommand::~LabCommand() = default;

void LabCommand::start() {
    using What = Arguments::Lab::What;
    if (m_arguments.lab.what != What::Run)
        return m_arguments.lab.what == What::List ? list() : show();
    if (const std::optional<Error> failure = lab::whyNoServers())
        return refuse(*failure);
    m_begin = m_clock.now();
    if (!m_arguments.json)
        print(outcomeTitle());
    while (m_running.size() < mostAtOnce && m_next < m_experiments.size())
        startNext();
}

void LabCommand::list() {
    for (const Experiment& experiment : m_experiments)
        print(listLine(experiment, m_arguments.json));
    finish();
}

void LabCommand::show() {
    print(textOf(m_experiments.front(), m_arguments.lab.stretch));
    finish();
}

// Refuses all experiments for the same reason.
void LabCommand::refuse(const Error& why) {
    complain(CommandLine::tr("no experiment can be run: %1").arg(ui::errorClause(why)));
    Q_EMIT finished(codeOf(ExitCode::NoConnection));
}

void LabCommand::onSignal(int signal) {
    m_signal = m_signal.value_or(signalled + signal);
    m_next = m_experiments.size();
    for (lab::ExperimentRun* run : std::vector(m_running))
        run->stop();
    if (m_recorded)
        m_recorded->stop();
}

void LabCommand::startNext() {
    m_scope.spawn(runOne(m_next++));
}

Task<void> LabCommand::runOne(size_t index) {
    Outcome outcome;
    if (m_arguments.recording.path.isEmpty())
        outcome = co_await play(index);
    else
        outcome = co_await record(index);
    m_outcomes.emplace(index, outcome);
    printDone();
    if (m_next < m_experiments.size())
        startNext();
    else if (m_running.empty())
        finish();
}

Task<Outcome> LabCommand::play(size_t index) {
    lab::ExperimentRun run(scenarioOf(m_experiments[index], variation()), m_clock);
    m_running.push_back(&run);
    const Outcome outcome = co_await run.run();
    std::erase(m_running, &run);
    co_return outcome;
}

Task<Outcome> LabCommand::record(size_t index) {
    const lab::LabOrder order{m_experiments[index].id, variation(), Milliseconds(0), {}};
    RecordedRun run(order, m_arguments.recording, m_clock);
    m_recorded = &run;
    const Outcome outcome = co_await run.run();
    m_recorded = nullptr;
    complainOfRecording(run.recording());
    co_return outcome;
}

void LabCommand::complainOfRecording(const recording::RecordingStatus& status) {
    using recording::RecordingPhase;
    if (status.phase == RecordingPhase::LimitReached)
        complain(CommandLine::tr("%1 has its greatest size: the rest of the run is not in it").arg(status.path));
    if (status.phase != RecordingPhase::Failed)
        return;
    complain(CommandLine::tr("cannot record: %1").arg(ui::errorClause(status.error.value_or(Error()))));
    if (status.bytes == 0)
        m_exitCode = ExitCode::OutputFailed;
}

void LabCommand::printDone() {
    for (auto done = m_outcomes.find(m_printed); done != m_outcomes.end(); done = m_outcomes.find(m_printed)) {
        const Experiment& experiment = m_experiments[m_printed++];
        const lab::Scenario scenario = scenarioOf(experiment, variation());
        const Outcome& outcome = done->second;
        print(m_arguments.json ? outcomeJsonLine(experiment, variation(), outcome)
                               : outcomeRows(experiment, variation(), outcome));
        if (outcome.failure && !m_signal && m_exitCode != ExitCode::OutputFailed)
            complain(
                QStringLiteral("%1: %2").arg(QString::fromLatin1(experiment.id), ui::errorClause(*outcome.failure)));
        if (isAsExpected(scenario, outcome))
            ++m_met;
        else if (m_exitCode == ExitCode::Done)
            m_exitCode = outcome.moments.empty() ? ExitCode::NoConnection : ExitCode::OtherOutcome;
    }
}

void LabCommand::printSummary() {
    const QString words = CommandLine::tr("%1 of %2 as expected, %3")
                              .arg(m_met)
                              .arg(m_experiments.size())
                              .arg(secondsText(std::chrono::duration_cast<Milliseconds>(m_clock.now() - m_begin)));
    print(textForTerminal(words) + '\n');
}

void LabCommand::print(const QByteArray& text) {
    if (m_exitCode == ExitCode::OutputFailed)
        return;
    if (platform::writeToStandardOutput(text, [] { return false; }) == platform::Written::Whole)
        return;
    complain(CommandLine::tr("the output cannot be written: %1").arg(qt_error_string()));
    m_exitCode = ExitCode::OutputFailed;
}

Variation LabCommand::variation() const {
    return {m_arguments.lab.isWithoutCause ? Trigger::Removed : Trigger::Present, m_arguments.lab.stretch};
}

void LabCommand::finish() {
    if (m_arguments.lab.what == Arguments::Lab::What::Run && !m_arguments.json && !m_signal)
        printSummary();
    Q_EMIT finished(m_signal.value_or(codeOf(m_exitCode)));
}

}  // namespace lockkeeper::app

#include "moc_labcommand.cpp"
