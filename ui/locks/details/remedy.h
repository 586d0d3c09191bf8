// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "monitor/model/lockrow.h"

#include <QMetaType>
#include <QString>

#include <optional>

namespace lockkeeper::ui {

// What can be done about a diagnosis at once. Each opens a dialog that is filled in, and changes nothing by itself.
enum class Remedy { FindOutWho, WhoWaitsForWhom, ReadThreadDump, SetTtl, RemoveWaiter, WakeWaiters, ForceRelease };

// For this diagnosis of the lock as it is now; nothing if no dialog of the program helps.
[[nodiscard]] std::optional<Remedy> remedyFor(monitor::DiagnosisKind kind, const monitor::LockRow& row);
// What to do, where this remedy is offered: the usual advice, unless that has an alternative for when it is not.
[[nodiscard]] QString remedyAdvice(Remedy remedy, monitor::DiagnosisKind kind);
// "Find out who…"
[[nodiscard]] QString remedyText(Remedy remedy);

}  // namespace lockkeeper::ui

Q_DECLARE_METATYPE(lockkeeper::ui::Remedy)
