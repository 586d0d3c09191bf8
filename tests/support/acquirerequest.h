// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "control/operations.h"

namespace lockkeeper::test {

inline control::AcquireRequest acquireOf(const char* name, Milliseconds wait = Milliseconds(0)) {
    control::AcquireRequest request;
    request.name = LockName(name);
    request.wait = wait;
    return request;
}

}  // namespace lockkeeper::test
