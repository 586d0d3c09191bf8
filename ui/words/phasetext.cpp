// SPDX-License-Identifier: Apache-2.0
#include "ui/words/phasetext.h"

#include "ui/words/errortext.h"

#include <QCoreApplication>

namespace lockkeeper::ui {

namespace {

struct PhaseText {
    Q_DECLARE_TR_FUNCTIONS(PhaseText)
};

}  // namespace

QString phaseText(const ConnectionStatus& status) {
    if (status.isRecording)
        return status.phase == ConnectionPhase::Connected
                   ? PhaseText::tr("%1, not live", "a recording").arg(serverText(status))
                   : PhaseText::tr("%1, not live: not connected then", "a recording").arg(serverText(status));
    switch (status.phase) {
        case ConnectionPhase::Disconnected:
            return PhaseText::tr("Not connected");
        case ConnectionPhase::Connecting:
            return PhaseText::tr("Connecting to %1 …").arg(serverText(status));
        case ConnectionPhase::Connected:
            if (status.watchesNothing)
                return PhaseText::tr("No node of %1 is watched").arg(serverText(status));
            if (status.isReplica)
                return status.master.isEmpty()
                           ? PhaseText::tr("Connected to %1, a replica").arg(serverText(status))
                           : PhaseText::tr("Connected to %1, a replica of %2").arg(serverText(status), status.master);
            return status.master.isEmpty()
                       ? PhaseText::tr("Connected to %1").arg(serverText(status))
                       : PhaseText::tr("Connected to %1, master %2").arg(serverText(status), status.master);
        case ConnectionPhase::Reconnecting:
            return PhaseText::tr("Reconnecting to %1 …").arg(serverText(status));
        case ConnectionPhase::Failed:
            return PhaseText::tr("Connection failed");
    }
    return {};
}

}  // namespace lockkeeper::ui
