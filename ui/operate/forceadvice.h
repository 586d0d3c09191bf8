// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "monitor/model/lockrow.h"
#include "ui/words/locktext.h"
#include "ui/words/viewtime.h"

namespace lockkeeper::ui {

// What would happen to this lock if nobody did anything; one sentence.
[[nodiscard]] QString waitingAdvice(const monitor::LockRow& row, const ViewTime& time);
// The steps to try before a change by force, in their order.
[[nodiscard]] QString ladderText(const monitor::LockRow& row, const ViewTime& time, Ownership ownership);

}  // namespace lockkeeper::ui
