// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockkeeper_monitor_export.h"
#include "monitor/model/threadverdict.h"

#include <QJsonObject>

namespace lockkeeper::monitor {

class JsonWriter;

// "com.example.Jobs.report(Jobs.java:7)".
[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT QString frameText(const Frame& frame);

// The fields are described in resources/manual/json.md.
[[nodiscard]] QJsonObject toJson(const SeenThread& thread);
void addSeenThread(JsonWriter& json, const char* name, const SeenThread& thread);
// Nothing if it is none.
[[nodiscard]] std::optional<SeenThread> seenThreadFromJson(const QJsonObject& object);

}  // namespace lockkeeper::monitor
