// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockkeeper_export.h"

#include <QByteArray>

namespace lockkeeper::platform {

// Writes to the standard error, unless this would block: a reader that does not read must not stop this program.
// Returns whether the text was written. Portable: may block.
LOCKKEEPER_EXPORT bool writeToStandardError(const QByteArray& text);

}  // namespace lockkeeper::platform
