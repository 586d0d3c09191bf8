// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockkeeper_monitor_export.h"
#include "monitor/model/aliasof.h"
#include "monitor/model/diagnosis.h"

#include <QJsonObject>

namespace lockkeeper::monitor {

// The numbers, times and ids that a diagnosis is based on, with the names in resources/manual/diagnoses.md. Each id has
// the user's name for the client.
[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT QJsonObject toJson(const Evidence& evidence, const AliasOf& aliasOf = noAlias);

// Parses an object of toJson(); nothing if a field is missing or has another format. Times are whole milliseconds.
[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT std::optional<Evidence> evidenceFromJson(DiagnosisKind kind,
                                                                                 const QJsonObject& object);

}  // namespace lockkeeper::monitor
