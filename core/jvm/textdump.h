// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "jvm/threaddump.h"

#include <QTimeZone>

namespace lockkeeper::jvm {

// Every dump of a text, in the forms of HotSpot, of Thread.dump_to_file, of tools that print ThreadInfo, and of
// OpenJ9; empty if there is none. Other lines are passed over.
[[nodiscard]] std::vector<ThreadDump> textDumpsIn(const QByteArray& bytes, const QTimeZone& zone);

}  // namespace lockkeeper::jvm
