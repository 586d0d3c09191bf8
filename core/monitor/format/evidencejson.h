#pragma once

#include "lockkeeper_monitor_export.h"
#include "monitor/model/aliasof.h"
#include "monitor/model/diagnosis.h"

#include <QJsonObject>

namespace lockkeeper::monitor {

// The numbers, times and ids that a diagnosis stands on, by the names that resources/manual/diagnoses.md promises; beside
// each id the user's name for the client.
[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT QJsonObject toJson(const Evidence& evidence, const AliasOf& aliasOf = noAlias);

// The way back; nothing when a field is missing or of another form. Times are whole milliseconds.
[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT std::optional<Evidence> evidenceFromJson(DiagnosisKind kind, const QJsonObject& object);

}  // namespace lockkeeper::monitor
