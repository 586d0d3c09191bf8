// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockkeeper_export.h"

#include <QString>

#include <optional>

namespace lockkeeper::platform {

// The folder of this program's file. Needs no application object.
[[nodiscard]] LOCKKEEPER_EXPORT QString programFolder();

// Makes this process another program, with the same arguments (argv[0] included), environment, standard streams and
// process id. Returns only if that is not possible: nothing, and why is in errno.
// Portable: starts the other program, waits for its end in an event loop of its own, and returns its exit code. There
// must be no application object yet.
[[nodiscard]] LOCKKEEPER_EXPORT std::optional<int> becomeProgram(const QString& path, char* const argv[]);

}  // namespace lockkeeper::platform
