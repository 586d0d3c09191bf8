// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockkeeper_export.h"

#include <QByteArray>

namespace lockkeeper::platform {

// Sends one datagram to this Unix socket: a path, or the name of an abstract socket behind @, as NOTIFY_SOCKET has it.
// Never blocks. False: it was not sent. Portable: always false.
[[nodiscard]] LOCKKEEPER_EXPORT bool sendDatagram(const QByteArray& socket, const QByteArray& text);

}  // namespace lockkeeper::platform
