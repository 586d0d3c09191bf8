// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockkeeper_export.h"

class QFile;
class QString;

namespace lockkeeper::platform {

// Returns when what was written to the file is on the disk, and survives a power failure. False: the disk refused it.
// Blocks for the disk. Portable: what was written has left the program.
[[nodiscard]] LOCKKEEPER_EXPORT bool syncFile(QFile& file);
// The same of the names of new files in a folder. Portable: does nothing.
[[nodiscard]] LOCKKEEPER_EXPORT bool syncFolder(const QString& path);

}  // namespace lockkeeper::platform
