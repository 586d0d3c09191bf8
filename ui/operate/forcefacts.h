// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "control/operations.h"
#include "monitor/model/lockrow.h"
#include "ui/locks/clients/holderknowledge.h"
#include "ui/words/viewtime.h"

namespace lockkeeper::ui {

// What an operator reads of a lock before it is changed, in lines: its holders, since when, its TTL, its last renewal,
// and whom the change wakes.
[[nodiscard]] QString forceFacts(const monitor::LockRow& row, const control::LockChange& change,
                                 const ViewTime& viewTime, const HolderKnowledge& knowledge);

}  // namespace lockkeeper::ui
