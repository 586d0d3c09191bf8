// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/synchronizers/synchronizermodel.h"

#include <QString>

namespace lockkeeper::ui {

// What a column of the semaphores and latches shows, and the facts behind it (core/locks/protocol.md).
[[nodiscard]] QString columnHelp(SynchronizerModel::Column column);
// What the key was found to be.
[[nodiscard]] QString counterHelp(monitor::CounterState state);
// Which of them are shown, and why not all.
[[nodiscard]] QString synchronizersHelp();

}  // namespace lockkeeper::ui
