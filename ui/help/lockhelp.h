// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/table/locktablemodel.h"

#include <QString>

namespace lockkeeper::ui {

// What a column of the table of locks shows, and the facts behind it (core/locks/protocol.md).
[[nodiscard]] QString columnHelp(LockTableModel::Column column);
// What the state means, and what proves it.
[[nodiscard]] QString stateHelp(LockState state);

}  // namespace lockkeeper::ui
