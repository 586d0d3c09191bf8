// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/result.h"
#include "lockkeeper_monitor_export.h"

#include <QByteArray>

#include <optional>

namespace lockkeeper::profile {

// Reads the whole file; nothing if there is no file. Reads at most one byte more than `largest`, so that a larger file
// is noticed. Errors: Storage.
[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT Result<std::optional<QByteArray>> readWholeFile(const QString& path,
                                                                                        qsizetype largest);
// Replaces the whole file or nothing; only the user may read it. The folder is created. Errors: Storage.
[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT Result<Done> writeWholeFile(const QString& path, const QByteArray& bytes);

}  // namespace lockkeeper::profile
