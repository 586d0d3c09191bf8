#pragma once

#include "base/ids.h"

namespace lockkeeper::ui {

// Negative, zero or positive: compares the names as they are shown, ignoring case. May be called millions of times:
// names of plain characters, as nearly all are, are compared without being converted.
[[nodiscard]] int compareAsShown(const LockName& one, const LockName& other);

}  // namespace lockkeeper::ui
