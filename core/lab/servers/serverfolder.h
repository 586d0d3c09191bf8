// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/error.h"
#include "lockkeeper_monitor_export.h"

#include <optional>

namespace lockkeeper::lab {

// The path of a folder for the servers of one laboratory, below the folder for temporary files. The folder is not
// created. The caller that creates it must refuse an existing one. The name is short, because the paths of sockets in
// it are limited.
[[nodiscard]] QString newServerFolder();

// Why no laboratory can have servers here: there is no program for them, there is no folder for temporary files, or its
// name is too long for their sockets. Nothing if it is possible. serverProgram: empty for the installed one.
[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT std::optional<Error> whyNoServers(const QString& serverProgram = {});

}  // namespace lockkeeper::lab
