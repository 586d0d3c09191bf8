// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "monitor/analyse/explain/errorstate.h"
#include "ui/words/holderaliases.h"
#include "ui/words/programnames.h"
#include "ui/words/utctext.h"

#include <QString>
#include <QStringList>

namespace lockkeeper::ui {

// An error of a text in sentences. Times are written by `clock`, in the zone that it knows.

// One line: the title, and the lock or the holder it is about.
[[nodiscard]] QString findingTitle(const monitor::ErrorFinding& finding, const HolderAliases& aliases);
// "Lock: ...", "Holder: ...", "When: ..."; what the text does not name is said as such.
[[nodiscard]] QStringList findingSubjects(const monitor::ErrorFinding& finding, const WriteTime& clock,
                                          const HolderAliases& aliases);
// What it means, how serious it is, its cause, what to check next, and where it is known.
[[nodiscard]] QStringList findingExplanation(const monitor::ErrorFinding& finding);
// How sure it is, and why.
[[nodiscard]] QString findingCertainty(const monitor::ErrorFinding& finding);
// The lock as it was read now, and the client's other locks, with the names that the program has.
[[nodiscard]] QStringList presentLines(const monitor::ErrorFinding& finding, const monitor::ErrorState& state,
                                       const HolderAliases& aliases, const ProgramNames& names = {});
// What was read, and that nothing was found in it, or that some is left out. Empty if all is said.
[[nodiscard]] QStringList reportLines(const monitor::ErrorReport& report);
// That times without a zone were taken as those of `zone`; empty if each time has its zone.
[[nodiscard]] QString zoneText(const monitor::ErrorReport& report, const QString& zone);

}  // namespace lockkeeper::ui
