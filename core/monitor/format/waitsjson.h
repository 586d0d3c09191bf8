// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "monitor/format/jsonwriter.h"
#include "monitor/model/aliasof.h"
#include "monitor/model/waits.h"

#include <QJsonObject>

namespace lockkeeper::monitor {

// Add what resources/manual/json.md calls `waiting` and `wait_times`. Nothing without waiters.
void addWaiting(JsonWriter& json, const char* name, const QList<WaitingSince>& waiting, const AliasOf& aliasOf);
void addWaitTimes(JsonWriter& json, const char* name, const WaitTimes& times);
// Parses both fields of an event; what is missing or damaged is left out.
[[nodiscard]] Waits waitsFromJson(const QJsonObject& event);
// The text for a terminal: "  waiting 1 since 12:00:05, 1 since 12:00:10-12:01:00".
[[nodiscard]] QString waitsText(const Waits& waits);

}  // namespace lockkeeper::monitor
