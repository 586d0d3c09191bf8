#pragma once

#include "monitor/model/throughput.h"

#include <QJsonObject>

namespace lockkeeper::monitor {

// By the names that resources/manual/json.md promises.
[[nodiscard]] QJsonObject toJson(const Throughput& throughput);
// The way back; nothing when it is not whole. The share of time comes back in thousandths.
[[nodiscard]] std::optional<Throughput> throughputFromJson(const QJsonObject& object);
// For a reader at a terminal: "4980.0 releases/s, held 48 % of 150 looks, p50 0 ms, p99 3 ms of 128 holds".
[[nodiscard]] QString toText(const Throughput& throughput);

}  // namespace lockkeeper::monitor
