#pragma once

#include "base/clock.h"

#include <QJsonObject>

namespace lockkeeper::monitor {

// Helpers that the lines of `list` and `watch` share.

// As text if the bytes are UTF-8, else as FIELD_base64.
void addBytes(QJsonObject& object, const QString& field, const QByteArray& bytes);
// Adds nothing for a client without an alias.
void addAlias(QJsonObject& object, const QString& field, const QString& alias);
// The beginning of a line for a terminal.
[[nodiscard]] QString textLine(const QString& event, WallTime at);

}  // namespace lockkeeper::monitor
