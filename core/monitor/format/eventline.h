#pragma once

#include "base/clock.h"

#include <QJsonObject>

#include <optional>

namespace lockkeeper::monitor {

// What the lines of `list` and `watch` have in common.

// As text where exactText() allows it, else as FIELD_base64.
void addBytes(QJsonObject& object, const QString& field, const QByteArray& bytes);
// The way back; nothing when the object has neither of the two fields.
[[nodiscard]] std::optional<QByteArray> bytesFrom(const QJsonObject& object, const QString& field);
// Nothing for a client without one.
void addAlias(QJsonObject& object, const QString& field, const QString& alias);
// How a line for a reader at a terminal begins.
[[nodiscard]] QString textLine(const QString& event, WallTime at);

}  // namespace lockkeeper::monitor
