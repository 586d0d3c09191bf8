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

// Writes to the standard output and waits while its reader does not read. Meanwhile it asks ten times a second whether
// to give up. Blocks the calling thread. Portable: does not ask while it waits.
LOCKKEEPER_EXPORT Written writeToStandardOutput(const QByteArray& text, const std::function<bool()>& givesUp);

}  // namespace lockkeeper::platform
