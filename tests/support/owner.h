// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/ids.h"

namespace lockkeeper::test {

// The thread that takes locks in tests of locks.
inline constexpr ThreadId owner{33};

}  // namespace lockkeeper::test
