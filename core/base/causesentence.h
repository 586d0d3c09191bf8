// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/error.h"

namespace lockkeeper {

// A sentence of AnyCause::sentence(), also translated, with the arguments in their places.
[[nodiscard]] LOCKKEEPER_EXPORT QString withArguments(const QString& sentence, const QStringList& arguments);

}  // namespace lockkeeper
