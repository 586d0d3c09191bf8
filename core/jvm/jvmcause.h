// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/error.h"
#include "lockkeeper_monitor_export.h"

namespace lockkeeper::jvm {

// Why a file gives no thread dump. In brackets: what Error::arguments holds.
enum class JvmCause {
    TooLarge,     // [the limit in MB]
    NotUnpacked,  // begins as gzip, and is damaged
    NoDump,       // none of the known forms
    Syntax        // JSON [the parser's reason]
};

[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT const CauseTable& causeTable(JvmCause);

}  // namespace lockkeeper::jvm
