// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/ids.h"

namespace lockkeeper::monitor {

// Which locks are watched already, for a caller that searches for others. Implemented by LockStore.
class KnownLocks {
public:
    [[nodiscard]] virtual bool knows(const LockName& name) const = 0;

protected:
    ~KnownLocks() = default;
};

}  // namespace lockkeeper::monitor
