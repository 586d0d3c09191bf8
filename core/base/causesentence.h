// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/error.h"

// The one table of the causes' sentences: Error::text has them in English, and ui/words translates the same ones.
namespace lockkeeper {

// In English, with %1 and %2 where the arguments stand. arguments: how many there are.
[[nodiscard]] LOCKKEEPER_EXPORT const char* sentenceOf(Cause cause, qsizetype arguments);
// sentence: that of this cause, also translated.
[[nodiscard]] LOCKKEEPER_EXPORT QString withArguments(const QString& sentence, Cause cause,
                                                      const QStringList& arguments);

}  // namespace lockkeeper
