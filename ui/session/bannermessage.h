// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/time/viewtime.h"
#include "ui/words/errortext.h"

namespace lockkeeper::ui {

// What stands above the table when the connection is not as it should be; no text while it is.
[[nodiscard]] Message bannerMessage(const ConnectionStatus& status, const ViewTime& time, int rows);

}  // namespace lockkeeper::ui
