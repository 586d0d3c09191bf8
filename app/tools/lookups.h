// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/arguments.h"

namespace lockkeeper::app {

// Everything that a command line may name. To be called once the application has its name.
[[nodiscard]] Lookups allLookups();

}  // namespace lockkeeper::app
