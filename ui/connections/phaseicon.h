// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/engine.h"

#include <QIcon>

namespace lockkeeper::ui {

// Where a connection stands.
[[nodiscard]] QIcon phaseIcon(const ConnectionStatus& status);
[[nodiscard]] QIcon phaseIcon(ConnectionPhase phase);

}  // namespace lockkeeper::ui
