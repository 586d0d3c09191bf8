// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/clock.h"

#include <QJsonObject>

#include <optional>

namespace lockkeeper::monitor {

// Helpers that the lines of `list` and `watch` share.

// Adds the bytes as text if exactText() allows it, else as base64 with the name FIELD_base64.
void addBytes(QJsonObject& object, const QString& field, const QByteArray& bytes);
// Reads a field of addBytes(); nothing if the object has neither form of it.
[[nodiscard]] std::optional<QByteArray> bytesFrom(const QJsonObject& object, const QString& field);
// Adds nothing for a client without an alias.
void addAlias(QJsonObject& object, const QString& field, const QString& alias);
// The beginning of a line for a terminal.
[[nodiscard]] QString textLine(const QString& event, WallTime at);

}  // namespace lockkeeper::monitor
