// SPDX-License-Identifier: Apache-2.0
#include "ui/words/recordingtext.h"

#include "ui/words/causetext.h"

#include <QCoreApplication>
#include <QDir>

namespace lockkeeper::ui {

namespace {

struct RecordingText {
    Q_DECLARE_TR_FUNCTIONS(RecordingText)
};

}  // namespace

QString openProblemText(const QString& path, const recording::OpenProblem& problem) {
    const QString file = QDir::toNativeSeparators(path);
    switch (problem.kind) {
        case recording::OpenProblem::Kind::NotReadable:
            return RecordingText::tr("%1 cannot be read: %2.").arg(file, problem.argument);
        case recording::OpenProblem::Kind::NotAFile:
            return RecordingText::tr("%1 is not a file.").arg(file);
        case recording::OpenProblem::Kind::NotRecording:
            return RecordingText::tr(
                       "%1 is neither a recording of Lockkeeper nor a text of MONITOR or redis-cli, or is damaged at "
                       "its beginning.")
                .arg(file);
        case recording::OpenProblem::Kind::Stopped:
            return RecordingText::tr("%1 was not read to its end, because this was cancelled.").arg(file);
        case recording::OpenProblem::Kind::Newer:
            return RecordingText::tr(
                       "%1 was recorded by a newer version of Lockkeeper, in format %2. Open it with that version.")
                .arg(file, problem.argument);
        case recording::OpenProblem::Kind::TooLarge:
            return RecordingText::tr(
                       "%1 would take more memory than any recording needs, so it is not opened. Copy it again from "
                       "where it was recorded.")
                .arg(file);
    }
    return {};
}

Message recordingEndMessage(const recording::RecordingStatus& status) {
    const QString file = QDir::toNativeSeparators(status.path);
    if (status.phase == recording::RecordingPhase::LimitReached)
        return {
            Tone::Warning,
            RecordingText::tr("The recording %1 has reached its greatest size and has ended. The session continues.")
                .arg(file)};
    if (status.phase == recording::RecordingPhase::Failed)
        return {Tone::Danger, RecordingText::tr("The recording has ended: %1. The session continues.")
                                  .arg(reasonText(status.error.value_or(Error())))};
    return {Tone::Good, RecordingText::tr("Recorded into %1.").arg(file)};
}

Message excerptMessage(const QString& path, const Result<recording::RecordingPhase>& saved) {
    const QString file = QDir::toNativeSeparators(path);
    if (!saved)
        return {Tone::Danger, RecordingText::tr("Not saved: %1.").arg(reasonText(saved.error()))};
    if (*saved == recording::RecordingPhase::LimitReached)
        return {Tone::Warning, RecordingText::tr("%1 has its greatest size: the rest is not in it.").arg(file)};
    return {Tone::Good, RecordingText::tr("Saved into %1.").arg(file)};
}

}  // namespace lockkeeper::ui
