// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/ids.h"

#include <functional>

namespace lockkeeper::monitor {

// The user's own name for a client; empty if the client has none. Called on the thread that writes the record.
using AliasOf = std::function<QString(const ClientId& client)>;

[[nodiscard]] inline QString noAlias(const ClientId&) {
    return {};
}

}  // namespace lockkeeper::monitor
