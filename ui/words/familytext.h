// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "monitor/analyse/explain/errorfamily.h"

#include <QString>

namespace lockkeeper::ui {

// What is said about a kind of error; the manual's page errors-explained.md has the same texts.

// "Unlock by a thread that does not hold the lock".
[[nodiscard]] QString familyTitle(monitor::ErrorFamily family);
// What it means, in two sentences.
[[nodiscard]] QString familyMeaning(monitor::ErrorFamily family);
// What to check next.
[[nodiscard]] QString familyAdvice(monitor::ErrorFamily family);
[[nodiscard]] QString seriousnessText(monitor::Seriousness seriousness);
// Where it is known, and which version has corrected it; empty if nothing is known.
[[nodiscard]] QString knownText(monitor::ErrorFamily family);

}  // namespace lockkeeper::ui
