// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "jvm/holderthread.h"
#include "lockkeeper_monitor_export.h"
#include "locks/namemapper.h"

namespace lockkeeper::jvm {

// One JSON object without a line end, as resources/manual/json.md describes it: what a dump shows of one holder or
// waiter, or whether the dump is of a client.
[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT QByteArray toJsonLine(const HolderThread& thread,
                                                              const locks::NameMapper& names = {});
[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT QByteArray toJsonLine(const DumpMatch& match, const ThreadDump& dump,
                                                              bool isTimeAhead);

}  // namespace lockkeeper::jvm
