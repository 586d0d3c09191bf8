// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/clock.h"
#include "lockkeeper_monitor_export.h"

#include <QByteArray>

namespace lockkeeper {

// What the thread that takes the locks of a client of the demo does in its scripted dump. Ended: the thread is not
// there any more, and neither is the timer that renews.
enum class DemoWorker { Works, Ended };

// A thread dump as jcmd would print it, if the client of the demo were a JVM.
[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT QByteArray demoDump(DemoWorker worker, WallTime at);

}  // namespace lockkeeper
