#pragma once

#include "base/clock.h"

#include <QJsonObject>

namespace lockkeeper::monitor {

// What the lines of `list` and `watch` have in common.

// As text where it is UTF-8, else as FIELD_base64.
void addBytes(QJsonObject& object, const QString& field, const QByteArray& bytes);
// Nothing for a client without one.
void addAlias(QJsonObject& object, const QString& field, const QString& alias);
// How a line for a reader at a terminal begins.
[[nodiscard]] QString textLine(const QString& event, WallTime at);

}  // namespace lockkeeper::monitor
