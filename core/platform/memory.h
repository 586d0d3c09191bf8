// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockkeeper_export.h"

namespace lockkeeper::platform {

// Large blocks, such as replies and long names, go back to the system as soon as they are free. The C library would keep
// more and more of them for later: 30 names of 1 MB left 490 MB behind. Call at the start of main(). Portable: does
// nothing.
LOCKKEEPER_EXPORT void returnLargeBlocks();

}  // namespace lockkeeper::platform
