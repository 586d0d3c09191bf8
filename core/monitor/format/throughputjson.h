// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "monitor/model/throughput.h"

#include <QJsonObject>

namespace lockkeeper::monitor {

// The object with the names in resources/manual/json.md.
[[nodiscard]] QJsonObject toJson(const Throughput& throughput);
// Parses an object of toJson(); nothing if it is incomplete. The share of time is rounded to thousandths.
[[nodiscard]] std::optional<Throughput> throughputFromJson(const QJsonObject& object);
// The text for a terminal: "4980.0 releases/s, held 48 % of 150 reads, p50 0 ms, p99 3 ms of 128 holds".
[[nodiscard]] QString toText(const Throughput& throughput);

}  // namespace lockkeeper::monitor
