// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QByteArray>

class QHostAddress;

namespace lockkeeper::serve {

// Whether a Host header names this machine as its own programs do: localhost, 127.x.y.z or [::1], with any port. A page
// of a web site that has its own name resolved to 127.0.0.1 sends another one (DNS rebinding).
[[nodiscard]] bool isOwnHost(const QByteArray& host);

// Whether only programs of this machine can connect to it.
[[nodiscard]] bool isForOwnMachine(const QHostAddress& address);

}  // namespace lockkeeper::serve
