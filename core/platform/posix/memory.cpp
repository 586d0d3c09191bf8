// SPDX-License-Identifier: Apache-2.0
#include "platform/memory.h"

#include <cstdlib>  // defines __GLIBC__

#ifdef __GLIBC__
#include <malloc.h>
#endif

namespace lockkeeper::platform {

void returnLargeBlocks() {
#ifdef __GLIBC__
    constexpr int large = 256 * 1024;  // bytes; a set value no longer grows with what the program frees
    ::mallopt(M_MMAP_THRESHOLD, large);
#endif
}

void returnFreeMemory() {
#ifdef __GLIBC__
    ::malloc_trim(0);
#endif
}

}  // namespace lockkeeper::platform
