// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/clock.h"
#include "base/ids.h"
#include "lockkeeper_monitor_export.h"

#include <QByteArray>

namespace lockkeeper::lab {

// What the thread that takes locks does in a played dump. Ended: it is not there any more.
enum class DumpedThread { Works, Ended };

// A thread dump as jcmd would print it, if the client were a JVM. worker: the number of that thread, from 3 to 39.
[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT QByteArray playedDump(ThreadId worker, DumpedThread does, WallTime at);

}  // namespace lockkeeper::lab
