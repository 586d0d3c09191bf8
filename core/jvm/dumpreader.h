// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/result.h"
#include "jvm/threaddump.h"
#include "lockkeeper_monitor_export.h"

#include <QTimeZone>

namespace lockkeeper::jvm {

constexpr qsizetype largestDumpFile = 200'000'000;  // bytes, unpacked
constexpr qsizetype largestJsonDump = 60'000'000;   // bytes; a document is held in memory as a whole
constexpr size_t mostThreads = 50'000;              // of one dump; more are left out, and it is not whole
constexpr size_t mostFrames = 300;                  // of one thread

// Every thread dump of a file, the oldest first as they stand in it. The text may have other lines around them, may be
// packed with gzip, and may be cut anywhere. Bytes that are not UTF-8 are replaced.
// zone: of a dump that names none, as those of HotSpot. Pure.
// Errors: InvalidArgument with a JvmCause.
[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT Result<std::vector<ThreadDump>> threadDumpsIn(const QByteArray& file,
                                                                                      const QTimeZone& zone);

}  // namespace lockkeeper::jvm
