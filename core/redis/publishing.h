// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace lockkeeper::redis {

// To which channels a script publishes. A Cluster of Redis 7 or newer has channels of shards beside the plain ones: their
// messages stay within a shard, those of the plain ones go to every server.
enum class Publishing { Plain, PlainAndSharded, Sharded };

}  // namespace lockkeeper::redis
