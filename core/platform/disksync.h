// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockkeeper_export.h"

class QFile;
class QString;

namespace lockkeeper::platform {

// Returns when the written data of the file is on the disk and survives a power failure. False: the disk refused it.
// Blocks for the disk. Portable: the data is only passed to the system.
[[nodiscard]] LOCKKEEPER_EXPORT bool syncFile(QFile& file);
// As syncFile(), for the names of new files in a folder. Portable: does nothing.
[[nodiscard]] LOCKKEEPER_EXPORT bool syncFolder(const QString& path);

}  // namespace lockkeeper::platform
