// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "jvm/threaddump.h"
#include "lockkeeper_monitor_export.h"

#include <QStringList>

namespace lockkeeper::jvm {

using monitor::Activity;
using monitor::RedissonCall;
using monitor::ThreadActivity;

// What the thread does, by its frames and its state. application: prefixes of the packages that are the application's;
// empty: all but the well-known ones of the JDK, Redisson, Netty, Spring and the like. Pure.
[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT ThreadActivity activityOf(const JavaThread& thread,
                                                                  const QStringList& application = {});

// Whether the frame is of the application.
[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT bool isOfApplication(const Frame& frame, const QStringList& application = {});

// Whether the JVM or a library runs the thread: it is never a holder by itself.
[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT bool isOfTheJvm(const JavaThread& thread);

}  // namespace lockkeeper::jvm
