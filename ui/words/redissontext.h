// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "profile/redissonconfig.h"

namespace lockkeeper::ui {

// What a Redisson configuration says and Lockkeeper does not do: a line for each note. Empty without notes.
[[nodiscard]] QString redissonText(const QList<profile::RedissonNote>& notes);
// Why a file is not a Redisson configuration. file: its name.
[[nodiscard]] QString redissonErrorText(const Error& error, const QString& file);

}  // namespace lockkeeper::ui
