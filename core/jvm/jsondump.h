// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/result.h"
#include "jvm/threaddump.h"

namespace lockkeeper::jvm {

[[nodiscard]] bool looksLikeJson(const QByteArray& bytes);
// What `jcmd Thread.dump_to_file -format=json` or Spring Boot's /threaddump writes.
// Errors: InvalidArgument with JvmCause::Syntax or NoDump.
[[nodiscard]] Result<ThreadDump> jsonDumpIn(const QByteArray& bytes);

}  // namespace lockkeeper::jvm
