// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockkeeper_export.h"

namespace lockkeeper::platform {

// Makes the C library return large blocks, such as replies and long names, to the system as soon as they are free.
// Otherwise it would keep more and more of them: 30 names of 1 MB left 490 MB behind. Call it at the start of main().
// Portable: does nothing.
LOCKKEEPER_EXPORT void returnLargeBlocks();

// Returns to the system what the program has freed in small blocks. The C library otherwise keeps it: 80 MB of 2 MB in
// use after 200,000 locks. Takes some milliseconds for each 100 MB. Portable: does nothing.
LOCKKEEPER_EXPORT void returnFreeMemory();

}  // namespace lockkeeper::platform
