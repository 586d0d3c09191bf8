// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "profile/configuration/redissonconfig.h"

namespace lockkeeper::ui {

// Where the user reads a note, which decides what can be done about it.
enum class NotePlace { Window, Terminal };

// A setting of a Redisson configuration that Lockkeeper does not follow, and what to do about it.
[[nodiscard]] QString redissonText(const profile::RedissonNote& note, NotePlace place);
// For the window: a line for each note. Empty without notes.
[[nodiscard]] QString redissonText(const QList<profile::RedissonNote>& notes);
// Why a file is not a Redisson configuration. file: its name.
[[nodiscard]] QString redissonErrorText(const Error& error, const QString& file);

}  // namespace lockkeeper::ui
