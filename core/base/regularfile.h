// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/result.h"
#include "lockkeeper_export.h"

#include <functional>

class QByteArray;
class QFile;
class QFileDevice;
class QIODevice;
class QString;

namespace lockkeeper {

// Opens a regular file to read it. Nothing else is opened: a FIFO would block until another program writes to it, and a
// device may have no end. Errors: Storage (NotAFile, FileNotRead).
[[nodiscard]] LOCKKEEPER_EXPORT Result<Done> openRegularFile(QFile& file);

// Writes all bytes, or fails. QIODevice::write() may return without an error although the disk has taken only a part;
// the write of the rest then has the error.
[[nodiscard]] LOCKKEEPER_EXPORT bool writeWhole(QIODevice& file, const QByteArray& bytes);

// The system's reason after a failed write or flush of a file with a buffer. Qt knows none if the disk has taken a part
// of the buffer, so this writes the rest of it.
[[nodiscard]] LOCKKEEPER_EXPORT QString writeFailure(QFileDevice& file);

// Writes the whole file or none of it. content: writes it, and returns whether all of it was written. Errors: Storage,
// with the system's reason.
[[nodiscard]] LOCKKEEPER_EXPORT Result<Done> saveFile(const QString& path,
                                                      const std::function<bool(QIODevice& file)>& content);

}  // namespace lockkeeper
