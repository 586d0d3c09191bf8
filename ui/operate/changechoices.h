// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "control/operations.h"
#include "monitor/model/lockrow.h"
#include "ui/words/holderaliases.h"

namespace lockkeeper::ui {

// What may be done to this lock of others as it is now, the most usual first. Times are empty: the user chooses them.
[[nodiscard]] QList<control::LockChange> offeredChanges(const monitor::LockRow& row);
// Whether the user chooses a time for it.
[[nodiscard]] bool takesTime(control::ChangeKind kind);
// Whether kind and object are the same; the times may differ.
[[nodiscard]] bool isSameChange(const control::LockChange& one, const control::LockChange& other);

// The change with the facts of the lock as it is now: a reader's present holds, a waiter's present deadline.
[[nodiscard]] control::LockChange changeAsOf(control::LockChange change, const monitor::LockSnapshot& now);

enum class ChangeStanding { Confirmed, Changed, Gone };
// Whether what the change is about is still as it was confirmed.
[[nodiscard]] ChangeStanding standingOf(const control::LockChange& change, const monitor::LockSnapshot& confirmed,
                                        const monitor::LockSnapshot& now);

// ---- words ----

[[nodiscard]] QString choiceText(const control::LockChange& change, const HolderAliases& aliases);
// Verb and object, for the headline and the button. name: of the lock, as it is shown.
[[nodiscard]] QString changeTitle(const control::LockChange& change, const QString& name);
// What it does and does not do.
[[nodiscard]] QString changeWarning(control::ChangeKind kind);
// Why there is nothing to do any more.
[[nodiscard]] QString goneText(control::ChangeKind kind);

}  // namespace lockkeeper::ui
