// SPDX-License-Identifier: Apache-2.0
#include "platform/memory.h"

namespace lockkeeper::platform {

void returnLargeBlocks() {}

void returnFreeMemory() {}

}  // namespace lockkeeper::platform
