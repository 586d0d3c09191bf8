#pragma once

#include "lockkeeper_export.h"

#include <QByteArrayView>

namespace lockkeeper::redis {

// Whether the server's MATCH with this pattern would let the key through: * ? [abc] [a-z] [^a-z] \x, on bytes (util.c
// of Redis, stringmatchlen). Takes time in proportion to both lengths at worst, whatever the pattern.
[[nodiscard]] LOCKKEEPER_EXPORT bool matchesPattern(QByteArrayView pattern, QByteArrayView key);

}  // namespace lockkeeper::redis
