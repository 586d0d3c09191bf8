// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "platform/socketstream.h"

namespace lockkeeper::platform {

// Streams of StreamKind::QtSocket.
[[nodiscard]] std::unique_ptr<SocketStream> qtStream(QTcpSocket& socket);
[[nodiscard]] std::unique_ptr<SocketStream> qtStream(QLocalSocket& socket);

}  // namespace lockkeeper::platform
