// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "redis/respvalue.h"

#include <utility>

namespace lockkeeper::monitor {

using ReplyPairs = std::vector<std::pair<QByteArray, QByteArray>>;

// The pairs of a map, of a flat list, or of a list of pairs (ZRANGE in RESP3); numbers as text.
[[nodiscard]] ReplyPairs pairsOf(const redis::RespValue& value);

}  // namespace lockkeeper::monitor
