// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/clock.h"
#include "ui/words/locktext.h"

namespace lockkeeper::ui {

// For a cell that is too narrow for the usual text.

// "Waited for"; otherwise as stateText().
[[nodiscard]] QString shortStateText(LockState state);
// The first eight characters of its id and its thread, "8f14e45f:33", unless it has another name.
[[nodiscard]] QString shortHolderText(const HolderId& holder, const HolderAliases& aliases);
// If there is one holder, the first eight characters of its id and its thread, "8f14e45f:33", unless it has another
// name; otherwise how many holders there are. Empty if the lock is free.
[[nodiscard]] QString shortHoldersText(const monitor::LockSnapshot& lock, const HolderAliases& aliases);
// "4.2 s", "12 s", "9 min", "2 h", "3 d": the largest unit alone, rounded down. Negative counts as zero.
[[nodiscard]] QString shortCountText(Milliseconds duration);
// "3 min", or ">3 min" if the begin of the hold was not seen. Empty when free.
[[nodiscard]] QString shortHeldForText(const monitor::LockRow& row, Milliseconds heldFor);

}  // namespace lockkeeper::ui
