// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "monitor/analyse/who/holderidentity.h"

#include <QString>

namespace lockkeeper::ui {

// Who a client is, and how that is known, or that it is a guess. A line each.
[[nodiscard]] QString identityText(const monitor::HolderIdentity& identity, WallTime now);
// The address in a few words: "10.0.0.7:53422", "perhaps 10.0.0.7"; empty when it is not known.
[[nodiscard]] QString addressText(const monitor::HolderIdentity& identity);

// Only its host, to stand for a UUID: "10.0.0.7", "10.0.0.7?" for a guess; empty when it is not known.
[[nodiscard]] QString hostText(const monitor::HolderIdentity& identity);

}  // namespace lockkeeper::ui
