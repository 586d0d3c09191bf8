// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "monitor/model/diagnosis.h"
#include "ui/words/holderaliases.h"
#include "ui/words/tone.h"
#include "ui/words/utctext.h"

#include <QString>

namespace lockkeeper::ui {

// "Watchdog stopped"
[[nodiscard]] QString diagnosisTitle(monitor::DiagnosisKind kind);
// "likely"
[[nodiscard]] QString certaintyText(monitor::Certainty certainty);
// What was seen, in a sentence or two; times of day as a reader sees them at `now`.
[[nodiscard]] QString evidenceText(const monitor::Evidence& evidence, WallTime now, const HolderAliases& aliases);
[[nodiscard]] QString evidenceText(const monitor::Evidence& evidence, const WriteTime& clock,
                                   const HolderAliases& aliases);
// The evidence of each diagnosis with its title, a line each.
[[nodiscard]] QString evidencesText(const QList<monitor::Diagnosis>& diagnoses, WallTime now,
                                    const HolderAliases& aliases);
// What may be done about it, and what it does not mean.
[[nodiscard]] QString adviceText(monitor::DiagnosisKind kind);

// "Watchdog stopped (likely)"
[[nodiscard]] QString diagnosisText(const monitor::Diagnosis& diagnosis);
[[nodiscard]] QString diagnosisText(monitor::DiagnosisKind kind, monitor::Certainty certainty);
// For a cell: the gravest, with a question mark when it is only suspected, and how many more there are. Empty when
// there is none.
[[nodiscard]] QString diagnosesText(const QList<monitor::Diagnosis>& diagnoses);

// The file in resources/icons, and its color.
[[nodiscard]] QString diagnosisIcon(monitor::Severity severity);
[[nodiscard]] Tone diagnosisTone(monitor::Severity severity);

}  // namespace lockkeeper::ui
