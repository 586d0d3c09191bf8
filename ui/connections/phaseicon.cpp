// SPDX-License-Identifier: Apache-2.0
#include "ui/connections/phaseicon.h"

#include "ui/base/icons.h"

namespace lockkeeper::ui {

QIcon phaseIcon(const ConnectionStatus& status) {
    if (status.isRecording)
        return icon(QStringLiteral("play"), Tone::Quiet);
    return status.watchesNothing ? phaseIcon(ConnectionPhase::Reconnecting) : phaseIcon(status.phase);
}

QIcon phaseIcon(ConnectionPhase phase) {
    switch (phase) {
        case ConnectionPhase::Disconnected:
            return icon(QStringLiteral("phase-disconnected"), Tone::Quiet);
        case ConnectionPhase::Connecting:
            return icon(QStringLiteral("phase-connecting"), Tone::Info);
        case ConnectionPhase::Connected:
            return icon(QStringLiteral("phase-connected"), Tone::Good);
        case ConnectionPhase::Reconnecting:
            return icon(QStringLiteral("phase-connecting"), Tone::Warning);
        case ConnectionPhase::Failed:
            return icon(QStringLiteral("error"), Tone::Danger);
    }
    return {};
}

}  // namespace lockkeeper::ui
