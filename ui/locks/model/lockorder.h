// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/locks/model/locktablemodel.h"

namespace lockkeeper::ui {

// A lower number is more urgent: faults in their own order, then what never expires, is waited for, is held.
[[nodiscard]] int urgencyOf(const monitor::LockRow& row);
// A value that orders the column: times left by their end, so that counting down moves no row.
[[nodiscard]] QVariant sortValueOf(const monitor::LockRow& row, LockTableModel::Column column,
                                   const HolderAliases& aliases);

// Negative, zero or positive: compares the names as they are shown, ignoring case. May be called millions of times:
// names of plain characters, as nearly all are, are compared without being converted.
[[nodiscard]] int compareAsShown(const LockName& one, const LockName& other);

}  // namespace lockkeeper::ui
