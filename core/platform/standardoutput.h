// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockkeeper_export.h"

#include <QByteArray>

#include <functional>

namespace lockkeeper::platform {

enum class Written {
    Whole,
    GivenUp,  // by the caller
    Failed    // why: errno
};

// Opens each standard stream that was closed when the program started as /dev/null, in a mode in which its use fails as
// that of a closed stream. Otherwise the first file that the program opens would become this stream, and printed text
// would go into the file. Call it first in main().
// Portable: does nothing.
LOCKKEEPER_EXPORT void reserveStandardStreams();

// Writes to the standard output and waits while its reader does not read. Ten times a second it asks givesUp() whether
// to stop waiting. Blocks the calling thread. Portable: does not ask while it waits.
LOCKKEEPER_EXPORT Written writeToStandardOutput(const QByteArray& text, const std::function<bool()>& givesUp);

}  // namespace lockkeeper::platform
