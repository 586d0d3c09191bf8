// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "platform/socketstream.h"
#include "redis/connectionoptions.h"
#include "redis/transport.h"

namespace lockkeeper::redis {

// The real Transport for an endpoint: TCP, TLS (always verified) or a Unix socket.
// kind: how TCP and Unix sockets carry their bytes; TLS always uses Qt's socket.
[[nodiscard]] LOCKKEEPER_EXPORT std::unique_ptr<Transport> makeSocketTransport(
    const Endpoint& endpoint, platform::StreamKind kind = platform::streamKinds().first());

// A Transport over a stream socket that is already connected to the endpoint, however it was connected; open() takes
// the socket over. TLS verifies the endpoint's names as makeSocketTransport() does.
[[nodiscard]] LOCKKEEPER_EXPORT std::unique_ptr<Transport> makeConnectedTransport(qintptr socket,
                                                                                  const Endpoint& endpoint);

}  // namespace lockkeeper::redis
