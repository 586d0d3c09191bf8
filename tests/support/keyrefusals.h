// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QByteArray>

namespace lockkeeper::test {

// Errors of a server about one key.
inline const QByteArray wrongType = "-WRONGTYPE Operation against a key holding the wrong kind of value\r\n";
inline const QByteArray keyDenied = "-NOPERM No permissions to access a key\r\n";

}  // namespace lockkeeper::test
