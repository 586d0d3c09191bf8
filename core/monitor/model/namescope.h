// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/ids.h"

namespace lockkeeper::monitor {

// Which names the user wants to see at all. Implemented by Discovery, from its settings.
class NameScope {
public:
    [[nodiscard]] virtual bool isInScope(const LockName& name) const = 0;

protected:
    ~NameScope() = default;
};

}  // namespace lockkeeper::monitor
