#pragma once

#include "base/error.h"
#include "redis/command.h"
#include "redis/respvalue.h"

namespace lockkeeper::redis {

// The Error that an error reply stands for: NOAUTH and WRONGPASS as Auth, NOPERM as NotPermitted, the rest as
// ServerReply.
[[nodiscard]] LOCKKEEPER_EXPORT Error errorOf(const RespValue& reply);
// An answer of another type than the command promises.
[[nodiscard]] LOCKKEEPER_EXPORT Error unexpectedReply(const Command& command, const RespValue& reply);

}  // namespace lockkeeper::redis
