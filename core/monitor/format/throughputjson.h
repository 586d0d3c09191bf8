// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "monitor/format/jsonwriter.h"
#include "monitor/model/throughput.h"

#include <QJsonObject>

namespace lockkeeper::monitor {

// Adds an object with the names in resources/manual/json.md.
void addThroughput(JsonWriter& json, const char* name, const Throughput& throughput);
// Parses an object of addThroughput(); nothing if it is incomplete. The shares of time are rounded to thousandths.
[[nodiscard]] std::optional<Throughput> throughputFromJson(const QJsonObject& object);
// The text for a terminal: "4980.0 releases/s, held 40-56 % by 150 reads, p50 0 ms, p99 3 ms of 128 holds".
[[nodiscard]] QString toText(const Throughput& throughput);

}  // namespace lockkeeper::monitor
