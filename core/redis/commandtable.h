// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "redis/command.h"

namespace lockkeeper::redis {

// The only list of commands that may be sent on a read-only connection. Every other command counts as a write, so a new
// command is refused until it is added here on purpose.
[[nodiscard]] LOCKKEEPER_EXPORT Effect effectOf(const QByteArray& upperName, const QByteArray& upperSubcommand);
// Commands whose first argument is a channel or a pattern.
[[nodiscard]] LOCKKEEPER_EXPORT bool isSubscription(const QByteArray& upperName);
// Commands whose first argument is a subcommand, such as CLIENT: the subcommand decides the effect.
[[nodiscard]] LOCKKEEPER_EXPORT bool isContainer(const QByteArray& upperName);

}  // namespace lockkeeper::redis
