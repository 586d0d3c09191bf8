// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/locks/filter/lockfilter.h"

namespace lockkeeper::ui {

// What is wrong with each word, and what was probably meant; a line each. Empty without mistakes.
[[nodiscard]] QString filterMistakesText(const QList<FilterMistake>& mistakes);

}  // namespace lockkeeper::ui
