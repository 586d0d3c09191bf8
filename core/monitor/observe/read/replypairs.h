#pragma once

#include "redis/respvalue.h"

#include <utility>

namespace lockkeeper::monitor {

using ReplyPairs = std::vector<std::pair<QByteArray, QByteArray>>;

// The pairs of a map, of a flat list, or (ZRANGE in RESP3) of a list of pairs; numbers as text.
[[nodiscard]] ReplyPairs pairsOf(const redis::RespValue& value);

}  // namespace lockkeeper::monitor
