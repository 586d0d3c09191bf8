// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QHashFunctions>

namespace lockkeeper::topology {

// The part of a deployment that one master serves: the whole deployment, or some slots of a Cluster. The number does
// not change when a replica becomes the master of the shard, or when slots move.
enum class ShardId : quint32 {};
[[nodiscard]] inline size_t qHash(ShardId shard, size_t seed = 0) noexcept {
    return ::qHash(static_cast<quint32>(shard), seed);
}

}  // namespace lockkeeper::topology
