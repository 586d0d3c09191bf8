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

// A standard stream that was closed when the program started would become the first file that it opens, and what is printed
// would go there. This gives it /dev/null, opened so that its use fails as that of a closed one. Call it first in main().
// Portable: does nothing.
LOCKKEEPER_EXPORT void reserveStandardStreams();

// Writes to the standard output and waits while its reader does not read. Meanwhile it asks ten times a second whether
// to give up. Blocks the calling thread. Portable: does not ask while it waits.
LOCKKEEPER_EXPORT Written writeToStandardOutput(const QByteArray& text, const std::function<bool()>& givesUp);

}  // namespace lockkeeper::platform
