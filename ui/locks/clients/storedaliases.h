// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/words/holderaliases.h"

namespace lockkeeper::ui {

// As HolderAliases::load(), for the window: what is no alias is removed, see storedvalues.h. A command only reads the
// settings.
[[nodiscard]] HolderAliases storedAliases(QSettings& settings);

}  // namespace lockkeeper::ui
