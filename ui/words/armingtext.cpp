// SPDX-License-Identifier: Apache-2.0
#include "ui/words/armingtext.h"

#include "ui/words/causetext.h"

#include <QCoreApplication>

namespace lockkeeper::ui {

namespace {

struct ArmingText {
    Q_DECLARE_TR_FUNCTIONS(ArmingText)
};

bool isOpen(const ConnectionStatus& status) {
    return status.phase == ConnectionPhase::Connected || status.phase == ConnectionPhase::Reconnecting;
}

// A second that has begun still counts.
QString leftText(Milliseconds left) {
    const auto seconds = std::max(std::chrono::ceil<std::chrono::seconds>(left).count(), std::chrono::seconds::rep{0});
    return QStringLiteral("%1:%2").arg(seconds / 60).arg(seconds % 60, 2, 10, QLatin1Char('0'));
}

QString refusedText(const control::WritingDenial& denial) {
    const QString command = denial.command.toUpper().replace(QLatin1Char('|'), QLatin1Char(' '));
    switch (denial.what) {
        case control::RefusedRight::Command:
            return command;
        case control::RefusedRight::ScriptCommand:
            return ArmingText::tr("A command of a script");
        case control::RefusedRight::UnknownCommand:
            return ArmingText::tr("%1, which the server does not have (renamed, switched off, or too new for it)")
                .arg(command);
        case control::RefusedRight::UnknownScriptCommand:
            return ArmingText::tr("A command of a script, which the server does not have (renamed or switched off)");
        case control::RefusedRight::Keys:
            return ArmingText::tr("Keys");
        case control::RefusedRight::Channel:
            return ArmingText::tr("Channels");
    }
    return {};
}

QString costText(control::WritingCost cost) {
    switch (cost) {
        case control::WritingCost::NothingChanged:
            return ArmingText::tr("no lock can be acquired, released or changed");
        case control::WritingCost::OperationsRefused:
            return ArmingText::tr("the operations that need it are refused");
        case control::WritingCost::NamesRefused:
            return ArmingText::tr("locks with these keys cannot be acquired, released or changed");
        case control::WritingCost::WaitersNotWoken:
            return ArmingText::tr(
                "a release does not wake those who wait; they sleep until the lease that they read has passed");
        case control::WritingCost::WaitsRefused:
            return ArmingText::tr("an acquire cannot wait for a lock that is held");
        case control::WritingCost::LossesSeenLate:
            return ArmingText::tr("that a lock of this console was taken away is noticed up to 10 s late");
        case control::WritingCost::FormerConnectionStays:
            return ArmingText::tr(
                "after a loss of the connection, a command that was sent before it may still be executed later");
        case control::WritingCost::ReplicasNotAwaited:
            return ArmingText::tr("an acquire does not wait until replicas have the lock");
        case control::WritingCost::ReadsCostMore:
            return ArmingText::tr("a lock takes several commands to read");
    }
    return {};
}

// What is known besides the refusals; empty if they are all that is known.
QString restText(const Arming& arming) {
    const bool isNothingRefused = arming.denied.isEmpty();
    switch (arming.rightsInAdvance) {
        case control::RightsInAdvance::Known:
            return isNothingRefused ? ArmingText::tr("The server refuses no command that is needed.") : QString();
        case control::RightsInAdvance::Unknown:
            return isNothingRefused ? ArmingText::tr("Nothing that was tried so far was refused.")
                                    : ArmingText::tr("More may be refused when it is tried.");
        case control::RightsInAdvance::NotOffered:
            return isNothingRefused
                       ? ArmingText::tr(
                             "Nothing that was tried so far was refused. A server before Redis 7 does not "
                             "say in advance what it refuses.")
                       : ArmingText::tr(
                             "More may be refused when it is tried: a server before Redis 7 does not say it "
                             "in advance.");
    }
    return {};
}

// The key of the window's action "Arm".
QString armShortcutText() {
    return ArmingText::tr("Ctrl+Shift+A", "a key");
}

}  // namespace

QStringList writingDenialTexts(const QList<control::WritingDenial>& denials) {
    QStringList lines;
    for (const control::WritingDenial& denial : denials)
        lines << ArmingText::tr("%1: %2").arg(refusedText(denial), costText(denial.cost));
    lines.sort();
    return lines;
}

QString writingRefusalsText(const Arming& arming) {
    if (!arming.wasEverArmed())
        return ArmingText::tr("Not known until this connection is armed.");
    QStringList lines = writingDenialTexts(arming.denied);
    const QString rest = restText(arming);
    if (!rest.isEmpty())
        lines << rest;
    return lines.join(QLatin1Char('\n'));
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
            return status.readOnly
                       ? ArmingText::tr(
                             "No command that writes can leave this program. This connection cannot be armed.")
                       : ArmingText::tr(
                             "No command that writes can leave this program until you arm this connection: by a click, or %1.")
                             .arg(armShortcutText());
        case ArmingState::Armed:
            return ArmingText::tr(
                "Locks can be acquired and force-released here. A click makes the connection read-only again.");
        case ArmingState::Draining:
            return ArmingText::tr(
                "This connection is not armed any more. The locks that this console holds are renewed until you "
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
