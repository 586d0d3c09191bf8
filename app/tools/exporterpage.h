// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "serve/exporter.h"

namespace lockkeeper::app {

// The page at / of an exporter: what it is, its version, and the state of each target. Without scripts.
[[nodiscard]] QByteArray exporterPage(const std::vector<serve::TargetState>& targets);

}  // namespace lockkeeper::app
