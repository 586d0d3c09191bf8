// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QIcon>

namespace lockkeeper::ui {

// The icon with a count at its lower right corner; as it is for 0. "99+" beyond 99, and fewer digits where it is small.
[[nodiscard]] QIcon badgedIcon(const QIcon& icon, int count);

}  // namespace lockkeeper::ui
