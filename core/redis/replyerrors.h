#pragma once

#include "base/error.h"
#include "redis/command.h"
#include "redis/respvalue.h"

namespace lockkeeper::redis {

// The Error that an error reply stands for: NOAUTH and WRONGPASS as Auth, NOPERM as NotPermitted, the rest as
// ServerReply.
[[nodiscard]] LOCKKEEPER_EXPORT Error errorOf(const RespValue& reply);
// "... run the 'x' command", "... can't run this command": as against a key that the user may not touch.
[[nodiscard]] LOCKKEEPER_EXPORT bool deniesCommand(const Error& error);
[[nodiscard]] LOCKKEEPER_EXPORT bool isUnknownCommand(const Error& error);
// The user may not do it, or the server has no such command.
[[nodiscard]] LOCKKEEPER_EXPORT bool isRefusal(const Error& error);
// The same of the command itself, whatever keys it is about.
[[nodiscard]] LOCKKEEPER_EXPORT bool isRefusalOfCommand(const Error& error);
// No reply came, and none will: the connection was lost, or whoever asked was told to stop.
[[nodiscard]] LOCKKEEPER_EXPORT bool isWithoutReply(const Error& error);
// The server does not know the script that EVALSHA named: nothing ran.
[[nodiscard]] LOCKKEEPER_EXPORT bool isUnknownScript(const Error& error);
// The key is there and holds another type of value.
[[nodiscard]] LOCKKEEPER_EXPORT bool isWrongType(const Error& error);
// An answer of another type than the command promises.
[[nodiscard]] LOCKKEEPER_EXPORT Error unexpectedReply(const Command& command, const RespValue& reply);

}  // namespace lockkeeper::redis
