// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "monitor/model/lockrow.h"
#include "ui/words/viewtime.h"

#include <QStringList>

namespace lockkeeper::ui {

// What can be concluded about a lock besides its diagnoses, in careful sentences, the most important first. "Not known"
// is an answer.
[[nodiscard]] QStringList conclusions(const monitor::LockRow& row, const ViewTime& time);

}  // namespace lockkeeper::ui
