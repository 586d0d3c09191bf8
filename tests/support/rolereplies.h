// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QByteArray>

namespace lockkeeper::test {

// The answer of a master without replicas to ROLE.
inline const QByteArray masterReply = "*3\r\n$6\r\nmaster\r\n:42\r\n*0\r\n";

}  // namespace lockkeeper::test
