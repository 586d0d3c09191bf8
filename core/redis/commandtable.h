#pragma once

#include "redis/command.h"

namespace lockkeeper::redis {

// The one list of what Lockkeeper may send on a read-only connection. Whatever is not in it is a write, known or not, so a new
// command is refused until somebody has thought about it here.
[[nodiscard]] LOCKKEEPER_EXPORT Effect effectOf(const QByteArray& upperName, const QByteArray& upperSubcommand);
// Commands whose first argument is a subcommand that decides what they do.
[[nodiscard]] LOCKKEEPER_EXPORT bool isContainer(const QByteArray& upperName);

}  // namespace lockkeeper::redis
