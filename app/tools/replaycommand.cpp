// SPDX-License-Identifier: Apache-2.0
#include "app/tools/replaycommand.h"

#include "app/cli/commandline.h"
#include "app/cli/connectionwords.h"
#include "app/cli/terminal.h"
#include "app/tools/laboutcometext.h"
#include "app/tools/watchprinter.h"
#include "base/isotime.h"
#include "platform/standardoutput.h"
#include "platform/terminationsignals.h"
#include "recording/excerpt.h"
#include "recording/labreports.h"
#include "recording/replay.h"
#include "session/linkstatus.h"
#include "ui/words/causetext.h"
#include "ui/words/tracetext.h"

namespace lockkeeper::app {

namespace {

using recording::FileEnd;
using recording::OpenProblem;
using recording::RecordingFile;
using recording::RecordingPhase;
using recording::Replay;

// Bytes that are printed with one write.
constexpr qsizetype printedAtOnce = 64 * 1024;

// Finds the last outcome in the wanted span.
std::optional<lab::Outcome> outcomeIn(RecordingFile& file, const Arguments::Recording& wanted) {
    std::optional<lab::Outcome> outcome;
    for (const recording::LabReport& report : recording::labReportsIn(file)) {
        const WallTime wall = file.wallAt(report.at);
        const bool isWanted = (!wanted.from || wall >= *wanted.from) && (!wanted.to || wall <= *wanted.to);
        if (isWanted && report.update->outcome)
            outcome = report.update->outcome;
    }
    return outcome;
}

// Prints one recording from the beginning of the wanted span to its end.
class ReplayPrinter {
public:
    ReplayPrinter(RecordingFile& file, const Arguments& arguments, const monitor::AliasOf& aliasOf)
        : m_file(file),
          m_wanted(arguments.recording),
          m_replay(file, Replay::Batches::AsDelivered),
          m_printer(arguments.json ? WatchPrinter::Form::Json : WatchPrinter::Form::Text, aliasOf) {}

    // False if the output cannot be written.
    bool run() {
        for (std::optional<SteadyTime> at = m_replay.nextAt(); at; at = m_replay.nextAt()) {
            const WallTime wall = m_file.wallAt(*at);
            if ((m_wanted.to && wall > *m_wanted.to) || platform::TerminationSignals::arePending())
                break;
            const Replay::Passed passed = m_replay.feed();
            const bool isWanted = !m_wanted.from || wall >= *m_wanted.from;
            if (passed.link && isWanted)
                complainOf(*passed.link);
            if (passed.batch && !add(*passed.batch, isWanted))
                return false;
        }
        return flush();
    }

private:
    // Lines name what has changed, so the batches before the span are passed through the printer, too.
    bool add(const monitor::MonitorBatch& batch, bool isWanted) {
        m_printer.add(batch);
        const QByteArray lines = m_printer.take();
        if (isWanted)
            m_output += lines;
        return m_output.size() < printedAtOnce || flush();
    }
    bool flush() {
        const auto isToEnd = [] { return platform::TerminationSignals::arePending(); };
        return platform::writeToStandardOutput(std::exchange(m_output, {}), isToEnd) != platform::Written::Failed;
    }
    // Printed after the lines that came before it.
    void complainOf(const recording::LinkStatus& link) {
        const QString words = connectionWords(replayedStatus(link));
        if (!words.isEmpty() && flush())
            complain(words);
    }

    RecordingFile& m_file;
    const Arguments::Recording m_wanted;
    Replay m_replay;
    WatchPrinter m_printer;
    QByteArray m_output;
};

// Prints what `lab run` would print. False if the output cannot be written.
bool printLab(RecordingFile& file, const Arguments& arguments) {
    const recording::RecordedExperiment& recorded = *file.info().experiment;
    const std::optional<lab::Experiment> experiment = lab::experimentOf(recorded.id);
    if (!experiment) {
        complain(CommandLine::tr("this version has no experiment %1").arg(QString::fromUtf8(recorded.id)));
        return true;
    }
    const std::optional<lab::Outcome> outcome = outcomeIn(file, arguments.recording);
    if (!outcome) {
        complain(CommandLine::tr("%1 does not have the end of the experiment: show it with --window")
                     .arg(arguments.recording.path));
        return true;
    }
    if (verdictOf(scenarioOf(*experiment, recorded.variation), *outcome) == lab::Verdict::ChangedByHand)
        complain(CommandLine::tr("this run was changed by hand, so it says nothing about the experiment"));
    const QByteArray text = arguments.json ? outcomeJsonLine(*experiment, recorded.variation, *outcome)
                                           : outcomeTitle() + outcomeRows(*experiment, recorded.variation, *outcome);
    return platform::writeToStandardOutput(text, [] { return false; }) != platform::Written::Failed;
}

// %1: the file, %2: a byte, %3: a time.
QString endSentence(FileEnd::Kind kind) {
    switch (kind) {
        case FileEnd::Kind::Whole:
            break;
        case FileEnd::Kind::CutOff:
            return CommandLine::tr(
                "%1 ends at byte %2 without the mark of an ended recording: it was read up to %3. It is still "
                "recorded, "
                "or its program was killed");
        case FileEnd::Kind::Damaged:
            return CommandLine::tr("%1 is damaged behind byte %2: it was read up to %3");
        case FileEnd::Kind::TooLarge:
            return CommandLine::tr(
                "%1 would take more memory behind byte %2 than any recording needs: it was read up to %3");
    }
    return {};
}

void complainOf(const QString& path, const FileEnd& end) {
    if (end.hasSkipped)
        complain(CommandLine::tr("%1 has entries of a newer version of Lockkeeper: they were left out").arg(path));
    if (end.kind != FileEnd::Kind::Whole)
        complain(endSentence(end.kind).arg(path).arg(end.offset).arg(isoTime(end.at)));
}

ExitCode save(RecordingFile& file, const Arguments::Recording& wanted) {
    const WallTime first = file.wallAt(file.first());
    const WallTime last = file.wallAt(file.last());
    if ((wanted.from && *wanted.from > last) || (wanted.to && *wanted.to < first)) {
        complain(
            CommandLine::tr("nothing was recorded in that time, so nothing is saved: %1 is of the time from %2 to %3")
                .arg(wanted.path, isoTime(first), isoTime(last)));
        return ExitCode::Usage;
    }
    recording::RecordingRequest request;
    request.path = wanted.saveTo;
    request.limit = wanted.limit;
    request.masking = wanted.masking;
    const Result<RecordingPhase> saved = recording::saveExcerpt(file, request, wanted.from, wanted.to);
    if (!saved) {
        complain(ui::errorClause(saved.error()));
        return ExitCode::OutputFailed;
    }
    if (*saved == RecordingPhase::LimitReached)
        complain(
            CommandLine::tr("%1 has its greatest size: the rest of the recording is not in it").arg(wanted.saveTo));
    return ExitCode::Done;
}

}  // namespace

QString openProblemWords(const QString& path, const OpenProblem& problem) {
    switch (problem.kind) {
        case OpenProblem::Kind::NotReadable:
            return CommandLine::tr("%1 cannot be read: %2").arg(path, problem.argument);
        case OpenProblem::Kind::NotAFile:
            return CommandLine::tr("%1 is not a file").arg(path);
        case OpenProblem::Kind::NotRecording:
            return CommandLine::
                tr("%1 is neither a recording of Lockkeeper nor a text of MONITOR or redis-cli, or is damaged at its "
                   "beginning")
                    .arg(path);
        case OpenProblem::Kind::Stopped:
            return CommandLine::tr("%1 was not read to its end, because this was cancelled").arg(path);
        case OpenProblem::Kind::TooLarge:
            return CommandLine::tr("%1 would take more memory than any recording needs, so it is not read").arg(path);
        case OpenProblem::Kind::Newer:
            break;
    }
    return CommandLine::tr(
               "%1 was recorded by a newer version of Lockkeeper, in format %2; this one reads formats up to %3")
        .arg(path, problem.argument)
        .arg(recording::formatVersion);
}

QString recordingEndWords(const recording::RecordingStatus& status) {
    if (status.phase == RecordingPhase::LimitReached)
        return CommandLine::tr("the recording %1 has reached its limit and has ended; watching continues")
            .arg(status.path);
    if (status.phase == RecordingPhase::Failed)
        return CommandLine::tr("the recording has ended; watching continues: %1")
            .arg(ui::errorClause(status.error.value_or(Error())));
    return {};
}

ExitCode runReplay(const Arguments& arguments, const monitor::AliasOf& aliasOf) {
    const Arguments::Recording& wanted = arguments.recording;
    std::stop_source stop;
    recording::TraceProgress progress;  // of a long text
    progress.stop = stop.get_token();
    progress.progressed = [&stop](int) {
        if (platform::TerminationSignals::arePending())
            stop.request_stop();
    };
    const RecordingFile::Opened opened = RecordingFile::open(wanted.path, progress);
    if (!opened.file) {
        complain(openProblemWords(wanted.path, opened.problem));
        return ExitCode::NotReadable;
    }
    RecordingFile& file = *opened.file;
    for (const QString& note : file.trace() ? ui::traceNotes(*file.trace()) : QStringList())
        complain(note);
    if (!wanted.saveTo.isEmpty()) {
        const ExitCode saved = save(file, wanted);
        if (saved != ExitCode::Done)
            return saved;
    } else if (file.info().experiment ? !printLab(file, arguments) : !ReplayPrinter(file, arguments, aliasOf).run()) {
        complain(CommandLine::tr("the output cannot be written: %1").arg(qt_error_string()));
        return ExitCode::OutputFailed;
    }
    complainOf(wanted.path, file.end());
    const bool isDamaged = file.end().kind == FileEnd::Kind::Damaged || file.end().kind == FileEnd::Kind::TooLarge;
    return isDamaged ? ExitCode::Damaged : ExitCode::Done;
}

}  // namespace lockkeeper::app
