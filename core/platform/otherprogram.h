// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockkeeper_export.h"

#include <QString>

#include <optional>

namespace lockkeeper::platform {

// Makes this process another program, with the same arguments (argv[0] included), environment, standard streams and
// process id. Returns only if that is not possible: nothing, and why is in errno.
// Portable: starts the other program, waits for its end in the event loop, and returns its exit code.
[[nodiscard]] LOCKKEEPER_EXPORT std::optional<int> becomeProgram(const QString& path, char* const argv[]);

}  // namespace lockkeeper::platform
