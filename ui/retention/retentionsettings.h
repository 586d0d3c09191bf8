// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "history/eventstore.h"

class QSettings;

namespace lockkeeper::ui {

// "history/days" (0 keeps nothing) and "history/rows"; a week and a million events when nothing is set.
[[nodiscard]] history::Retention retentionFrom(const QSettings& settings);
void saveRetention(QSettings& settings, const history::Retention& retention);

}  // namespace lockkeeper::ui
