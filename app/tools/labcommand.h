// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/arguments.h"
#include "app/cli/exitcode.h"
#include "async/taskscope.h"
#include "base/systemclock.h"
#include "lab/experiment/catalogue.h"
#include "lab/experiment/outcome.h"

#include <QObject>

#include <map>
#include <vector>

namespace lockkeeper::lab {
class ExperimentRun;
}

namespace lockkeeper::app {

class RecordedRun;

// `lockkeeper lab`: lists the experiments, prints the text of one, or runs them on private servers, two at the same
// time. Prints the outcomes in the order of the experiments. A single experiment can be recorded.
class LabCommand : public QObject {
    Q_OBJECT
public:
    explicit LabCommand(Arguments arguments, QObject* parent = nullptr);
    ~LabCommand() override;

    void start();
    // Ends the running experiments; finished() follows.
    void onSignal(int signal);

Q_SIGNALS:
    void finished(int exitCode);

private:
    void list();
    void show();
    void refuse(const Error& why);
    void startNext();
    Task<void> runOne(size_t index);
    Task<lab::Outcome> play(size_t index);
    Task<lab::Outcome> record(size_t index);
    void complainOfRecording(const recording::RecordingStatus& status);
    void printDone();
    void printSummary();
    void print(const QByteArray& text);
    [[nodiscard]] lab::Variation variation() const;
    void finish();

    const Arguments m_arguments;
    SystemClock m_clock;
    std::vector<lab::Experiment> m_experiments;
    size_t m_next = 0;     // the next one to be started
    size_t m_printed = 0;  // printed so far
    size_t m_met = 0;      // of the printed ones, those that met their expectations
    std::vector<lab::ExperimentRun*> m_running;
    RecordedRun* m_recorded = nullptr;          // null unless it runs
    std::map<size_t, lab::Outcome> m_outcomes;  // not printed yet
    ExitCode m_exitCode = ExitCode::Done;
    std::optional<int> m_signal;
    SteadyTime m_begin{};
    TaskScope m_scope;
};

}  // namespace lockkeeper::app
