// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockkeeper_monitor_export.h"
#include "monitor/analyse/who/monitorline.h"
#include "recording/monitortrace/clianswers.h"
#include "recording/monitortrace/tracelines.h"
#include "recording/monitortrace/tracemodel.h"

#include <deque>

namespace lockkeeper::recording {

// Turns a text, what MONITOR has printed or what redis-cli has answered, into the records of a recording. The text
// comes in chunks of any size; the records do not depend on them. Of the text nothing is kept but what is known of
// locks: other commands, other values, and whatever has a password, are dropped while it is read. Thread: one.
class LOCKKEEPER_MONITOR_EXPORT TraceTextReader {
public:
    // How the effects of scripts are known.
    enum class Scripts {
        ByLines,  // MONITOR has printed what each script has done
        ByCalls   // only the calls are there
    };

    struct Options {
        QString server;                      // shown as the server's name
        Scripts scripts = Scripts::ByCalls;  // changes to ByLines when there is such a line
        ServerTime stateAt{0};               // the time of a state, which has none itself
    };

    TraceTextReader(Options options, TraceModel::Sink sink);

    void feed(QByteArrayView chunk);
    // The text has ended.
    void end();

    // Whether there was anything of MONITOR or redis-cli.
    [[nodiscard]] bool hasFound() const noexcept { return m_model.hasBegun(); }
    // Of the text, whatever they contain.
    [[nodiscard]] quint64 linesRead() const noexcept { return m_linesRead; }
    [[nodiscard]] const TraceNotes& notes() const noexcept { return m_notes; }
    // The time of the first line of MONITOR, or of the state.
    [[nodiscard]] ServerTime begun() const noexcept { return m_begun; }

private:
    // A command, and the lines of its script behind it.
    struct Step {
        monitor::MonitorLine line;
        std::vector<TraceStep::Command> ofScript;
        qsizetype bytes = 0;
    };

    void readLine(QByteArrayView line);
    void add(monitor::MonitorLine line);
    // Processes all lines that it has read ahead.
    void finish();
    void drain(ServerTime now);
    void process(const Step& step);
    void processScript(const Step& step);
    void interpret(const Step& step);
    void learn(const QByteArray& source);
    [[nodiscard]] bool isUnknownToServer(const Step& step, const QByteArray& hash) const;
    [[nodiscard]] bool hasFailed(const Step& step, const TraceScript& script, const TraceScript::Call& call) const;
    [[nodiscard]] bool isTryOf(const monitor::MonitorLine& line, const TraceScript::Call& call) const;
    [[nodiscard]] qint64 laterReleases(const Step& step, const TraceScript& script,
                                       const TraceScript::Call& call) const;
    [[nodiscard]] const std::optional<TraceScript>* scriptOf(const monitor::MonitorLine& line) const;
    [[nodiscard]] bool isAboutLocks(const TraceScript::Call& call) const;

    const Options m_options;
    const TraceLines::Sink m_lineSink;
    Scripts m_scripts;
    TraceNotes m_notes;
    TraceModel m_model;
    TraceLines m_lines;
    CliAnswers m_answers;
    std::deque<Step> m_window;  // not processed yet: what follows may show how a script has ended
    qsizetype m_windowBytes = 0;
    bool m_isScriptOpen = false;                            // the next line of a script may be of the last step
    QHash<QByteArray, std::optional<TraceScript>> m_known;  // by hash
    quint64 m_linesRead = 0;
    ServerTime m_begun{0};
    ServerTime m_now{0};
    ServerTime m_shift{0};  // from the times of the text to those that are shown
};

// Whether the beginning of a text shows that lines of scripts are in it.
[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT TraceTextReader::Scripts scriptsIn(QByteArrayView beginning);
// Whether the beginning of a file may be such a text.
[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT bool mayBeTrace(QByteArrayView beginning);

}  // namespace lockkeeper::recording
