// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockkeeper_export.h"

#include <QByteArrayView>

namespace lockkeeper::redis {

// Whether the server's MATCH with this pattern accepts the key: * ? [abc] [a-z] [^a-z] \x, on bytes (as stringmatchlen
// in Redis's util.c). The time is at most proportional to the product of both lengths, whatever the pattern.
[[nodiscard]] LOCKKEEPER_EXPORT bool matchesPattern(QByteArrayView pattern, QByteArrayView key);

}  // namespace lockkeeper::redis
