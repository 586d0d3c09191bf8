#pragma once

#include "base/error.h"
#include "redis/command.h"
#include "redis/respvalue.h"

namespace lockkeeper::redis {

// The Error for an error reply: NOAUTH and WRONGPASS become Auth, NOPERM becomes NotPermitted, all others ServerReply.
[[nodiscard]] LOCKKEEPER_EXPORT Error errorOf(const RespValue& reply);
// The error denies the command itself ("... run the 'x' command", "... can't run this command"), not a key.
[[nodiscard]] LOCKKEEPER_EXPORT bool deniesCommand(const Error& error);
[[nodiscard]] LOCKKEEPER_EXPORT bool isUnknownCommand(const Error& error);
// The user may not run the command, or the server does not have it.
[[nodiscard]] LOCKKEEPER_EXPORT bool isRefusal(const Error& error);
// As isRefusal(), but only where the refusal is independent of the keys.
[[nodiscard]] LOCKKEEPER_EXPORT bool isRefusalOfCommand(const Error& error);
// There is no reply and there will be none: the connection was lost, or the caller was cancelled.
[[nodiscard]] LOCKKEEPER_EXPORT bool isWithoutReply(const Error& error);
// The server does not know the script that EVALSHA named; nothing was executed.
[[nodiscard]] LOCKKEEPER_EXPORT bool isUnknownScript(const Error& error);
// The key exists but holds another type of value.
[[nodiscard]] LOCKKEEPER_EXPORT bool isWrongType(const Error& error);
// The Error for an answer of another type than the command promises.
[[nodiscard]] LOCKKEEPER_EXPORT Error unexpectedReply(const Command& command, const RespValue& reply);

}  // namespace lockkeeper::redis
