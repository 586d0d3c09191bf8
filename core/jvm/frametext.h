// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "jvm/threaddump.h"

#include <QStringView>

namespace lockkeeper::jvm {

// A frame as the JVM prints it, without "at": "java.base/java.lang.Thread.sleep(Thread.java:509)" or
// "java.lang.Thread.sleep(java.base@17.0.15/Native Method)". Nothing if the text is no frame.
[[nodiscard]] std::optional<Frame> frameOf(QStringView text);
// Adds the frame, if there is one; of more than mostFrames, the outermost are left out.
void addFrame(JavaThread& thread, std::optional<Frame> frame);
// "TIMED_WAITING", also with more behind it.
[[nodiscard]] ThreadState stateOf(QStringView text);
// The major version in "17.0.15+6" or "1.8.0_392".
[[nodiscard]] std::optional<int> javaVersionOf(QStringView text);
// A name as it is kept: bounded.
[[nodiscard]] QString threadName(QStringView text);

}  // namespace lockkeeper::jvm
