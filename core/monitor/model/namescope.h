// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/ids.h"

namespace lockkeeper::monitor {

// Decides which names the user wants to see. Implemented by Discovery, from its settings.
class NameScope {
public:
    [[nodiscard]] virtual bool isInScope(const LockName& name) const = 0;

protected:
    ~NameScope() = default;
};

}  // namespace lockkeeper::monitor
