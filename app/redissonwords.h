// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "profile/redissonconfig.h"

namespace lockkeeper::app {

// What a Redisson configuration says and Lockkeeper does not do, in plain English for a terminal.
[[nodiscard]] QString redissonWords(const profile::RedissonNote& note);

}  // namespace lockkeeper::app
