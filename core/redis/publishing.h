// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace lockkeeper::redis {

// To which channels a script publishes. A Cluster of Redis 7 or newer has plain channels and shard channels. A message
// on a shard channel stays within its shard; a message on a plain channel goes to every server.
enum class Publishing { Plain, PlainAndSharded, Sharded };

}  // namespace lockkeeper::redis
