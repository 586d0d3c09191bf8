// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/engine.h"

namespace lockkeeper::ui {

// Where the connection stands, with the server's name.
[[nodiscard]] QString phaseText(const ConnectionStatus& status);

}  // namespace lockkeeper::ui
