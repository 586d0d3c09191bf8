// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QString>

namespace lockkeeper::app {

// What --help prints.
[[nodiscard]] QString helpText();

}  // namespace lockkeeper::app
