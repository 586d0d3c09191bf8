#pragma once

#include "base/ids.h"

namespace lockkeeper::ui {

// Negative, zero or positive, as the names stand as they are shown, in any case. Made to be called millions of times:
// names of plain characters, as nearly all are, are compared without being made into what is shown.
[[nodiscard]] int compareAsShown(const LockName& one, const LockName& other);

}  // namespace lockkeeper::ui
