// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/events/eventlogmodel.h"

#include <QString>

namespace lockkeeper::ui {

// What a column of the event log shows.
[[nodiscard]] QString columnHelp(EventLogModel::Column column);
// What was seen when an event is called so (core/locks/protocol.md, "What the seen changes mean").
[[nodiscard]] QString eventHelp(monitor::EventType type);

}  // namespace lockkeeper::ui
