// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "redis/command.h"

namespace lockkeeper::redis {

// Looked up once for each command, because this is a part of the cost of sending it.
[[nodiscard]] LOCKKEEPER_EXPORT CommandKind commandKindOf(const QByteArray& upperName);
// With commandKindOf(), the only list of commands that may be sent on a read-only connection. Every other command
// counts as a write, so a new command is refused until it is added here on purpose.
[[nodiscard]] LOCKKEEPER_EXPORT bool isReadSubcommand(const QByteArray& upperName, const QByteArray& upperSubcommand);

}  // namespace lockkeeper::redis
