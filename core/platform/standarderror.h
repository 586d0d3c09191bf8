// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockkeeper_export.h"

#include <QByteArray>

namespace lockkeeper::platform {

// Writes to the standard error, unless this would block: a reader that does not read must not stop this program.
// Returns whether the text was written. Portable: may block.
LOCKKEEPER_EXPORT bool writeToStandardError(const QByteArray& text);
// Whether it leads to systemd's journal. A program that a service has started inherits the variable that says so, but
// perhaps another standard error. Portable: false.
[[nodiscard]] LOCKKEEPER_EXPORT bool isStandardErrorJournal();

}  // namespace lockkeeper::platform
