// SPDX-License-Identifier: Apache-2.0
#include "ui/words/armingtext.h"

#include "ui/words/causetext.h"

#include <QCoreApplication>
#include <QKeySequence>

namespace lockkeeper::ui {

namespace {

struct ArmingText {
    Q_DECLARE_TR_FUNCTIONS(ArmingText)
};

bool isOpen(const ConnectionStatus& status) {
    return status.phase == ConnectionPhase::Connected || status.phase == ConnectionPhase::Reconnecting;
}

// A second that has begun is still there.
QString leftText(Milliseconds left) {
    const auto seconds = std::max(std::chrono::ceil<std::chrono::seconds>(left).count(), std::chrono::seconds::rep{0});
    return QStringLiteral("%1:%2").arg(seconds / 60).arg(seconds % 60, 2, 10, QLatin1Char('0'));
}

}  // namespace

QString armShortcutText() {
    return QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_A).toString(QKeySequence::NativeText);
}

QString armingWord(const ConnectionStatus& status, const Arming& arming) {
    if (!isOpen(status))
        return {};
    if (status.isRecording)
        return ArmingText::tr("RECORDING");
    switch (arming.state) {
        case ArmingState::ReadOnly:
            return ArmingText::tr("READ-ONLY");
        case ArmingState::Armed:
            return ArmingText::tr("ARMED");
        case ArmingState::Draining:
            return ArmingText::tr("RELEASE ONLY");
    }
    return {};
}

QString armingBadgeText(const ConnectionStatus& status, const Arming& arming, SteadyTime now) {
    const QString word = armingWord(status, arming);
    if (word.isEmpty() || !arming.isArmed())
        return word;
    if (!arming.until)
        return status.isDemo ? ArmingText::tr("DEMO, ARMED") : word;
    const auto left = std::chrono::duration_cast<Milliseconds>(*arming.until - now);
    return ArmingText::tr("ARMED %1", "minutes and seconds that are left").arg(leftText(left));
}

QString armingToolTip(const ConnectionStatus& status, const Arming& arming) {
    if (status.isRecording)
        return ArmingText::tr("What is shown was recorded: there is no server, and nothing can be changed.");
    switch (arming.state) {
        case ArmingState::ReadOnly:
            return status.readOnly ? ArmingText::tr("No command that writes can leave this program. This connection cannot be armed.")
                                   : ArmingText::tr("No command that writes can leave this program until you arm this connection: by a click, or %1.")
                                         .arg(armShortcutText());
        case ArmingState::Armed:
            return ArmingText::tr("Locks can be acquired and force-released here. A click makes the connection read-only again.");
        case ArmingState::Draining:
            return ArmingText::tr("This connection is not armed any more. The locks that this console holds are renewed until you "
                                  "release them; nothing else is written.");
    }
    return {};
}

QString armingRefusal(const ConnectionStatus& status, const Arming& arming) {
    if (status.readOnly)
        return ArmingText::tr("This connection is read-only and never writes. Edit it to change that.");
    if (arming.isArmed())
        return {};
    return ArmingText::tr("This connection is read-only until you arm it (%1).").arg(armShortcutText());
}

QString armingEndText(const Arming& arming) {
    if (arming.isArmed())
        return {};
    switch (arming.ended) {
        case ArmingEnd::None:
        case ArmingEnd::ByHand:
            return {};
        case ArmingEnd::TimeOver:
            return ArmingText::tr("The connection is read-only again: the time is over.");
        case ArmingEnd::ConnectionLost:
            return ArmingText::tr("The connection is read-only again: the one that writes was lost (%1).")
                .arg(arming.error ? reasonText(*arming.error) : QString());
    }
    return {};
}

}  // namespace lockkeeper::ui
