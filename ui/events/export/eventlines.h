// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "monitor/model/aliasof.h"
#include "ui/events/log/loggedevent.h"

#include <QByteArray>

namespace lockkeeper::ui {

// The events of the log as in monitor/format, with who made the change and why where the audit says so: `operator` and
// `reason`. The format is documented in resources/manual/json.md.
[[nodiscard]] QByteArray toJsonLine(const LoggedEvent& event, const monitor::AliasOf& aliasOf);
[[nodiscard]] QByteArray loggedEventCsvHeader();
[[nodiscard]] QByteArray toCsvLine(const LoggedEvent& event, const monitor::AliasOf& aliasOf);

}  // namespace lockkeeper::ui
