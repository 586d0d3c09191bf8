#pragma once

#include "monitor/diagnosis/diagnosis.h"

#include <QJsonObject>

namespace lockkeeper::monitor {

// The numbers, times and ids that a diagnosis stands on, by the names that README.md, "For scripts", promises.
[[nodiscard]] LOCKKEEPER_EXPORT QJsonObject toJson(const Evidence& evidence);

}  // namespace lockkeeper::monitor
