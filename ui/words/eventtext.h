// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "monitor/model/lockevent.h"

#include <QString>

namespace lockkeeper::ui {

[[nodiscard]] QString eventText(monitor::EventType type);
// What the event adds to its name: counts, the lease, how sure it is.
[[nodiscard]] QString eventDetail(const monitor::LockEvent& event);

}  // namespace lockkeeper::ui
