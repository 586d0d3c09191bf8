// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "redis/connectionoptions.h"
#include "redis/transport.h"

namespace lockkeeper::redis {

// The real Transport for an endpoint: TCP, TLS (always verified) or a Unix socket.
[[nodiscard]] LOCKKEEPER_EXPORT std::unique_ptr<Transport> makeSocketTransport(const Endpoint& endpoint);

}  // namespace lockkeeper::redis
