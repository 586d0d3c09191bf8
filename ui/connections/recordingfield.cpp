// SPDX-License-Identifier: Apache-2.0
#include "ui/connections/recordingfield.h"

#include "ui/base/icons.h"
#include "ui/base/statusfield.h"

#include <QCoreApplication>
#include <QLocale>

namespace lockkeeper::ui {

namespace {

struct RecordingField {
    Q_DECLARE_TR_FUNCTIONS(RecordingField)
};

}  // namespace

void describeRecordingField(StatusField& field) {
    field.describe(RecordingField::tr("Recording"),
                   RecordingField::tr("Whether this session is recorded into a file, and the size of that file."));
}

void showRecording(StatusField& field, const recording::RecordingStatus& status) {
    if (status.phase != recording::RecordingPhase::Running)
        return field.set({}, {});
    field.set(icon(QStringLiteral("phase-connected"), Tone::Danger),
              RecordingField::tr("Recording: %1").arg(field.locale().formattedDataSize(status.bytes)),
              RecordingField::tr("What this session sees is written to %1").arg(status.path));
}

}  // namespace lockkeeper::ui
