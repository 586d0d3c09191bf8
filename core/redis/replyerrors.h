// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/error.h"
#include "redis/command.h"
#include "redis/respvalue.h"

namespace lockkeeper::redis {

// The Error for an error reply: the only place that reads a server's error text. NOAUTH and WRONGPASS become Auth,
// NOPERM becomes NotPermitted, all others ServerReply, each with its kind.
[[nodiscard]] LOCKKEEPER_EXPORT Error errorOf(const RespValue& reply);
// The Error for a refusal that a script has caught and returns: the ACL denied a command, or the server does not have
// it.
[[nodiscard]] LOCKKEEPER_EXPORT Error denialOf(const QByteArray& refusal);
// The user may not run the command, or the server does not have it.
[[nodiscard]] LOCKKEEPER_EXPORT bool isRefusal(const Error& error);
// As isRefusal(), but false where the refusal depends on the keys.
[[nodiscard]] LOCKKEEPER_EXPORT bool isRefusalOfCommand(const Error& error);
// The server does not serve the key at this moment, but will later; nothing was executed. (A script that reaches a key
// which has already moved may have removed entries that nobody needs.)
[[nodiscard]] LOCKKEEPER_EXPORT bool isForLater(const Error& error);
// As isForLater(), or another server serves the key; nothing was executed.
[[nodiscard]] LOCKKEEPER_EXPORT bool isRefusedByNode(const Error& error);
// No reply has come and none will: the connection was lost, or the caller was cancelled.
[[nodiscard]] LOCKKEEPER_EXPORT bool isWithoutReply(const Error& error);
// The Error for an answer of another type than the command promises.
[[nodiscard]] LOCKKEEPER_EXPORT Error unexpectedReply(const Command& command, const RespValue& reply);

}  // namespace lockkeeper::redis
