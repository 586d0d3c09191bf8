// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockkeeper_export.h"

#include <QByteArray>
#include <QString>

#include <optional>

namespace lockkeeper {

// Names and values of a server are bytes. Only these functions decide whether such bytes can be written as text.

// The bytes as UTF-8 text that encodes to the same bytes again; nothing if they are not such text. A byte order mark at
// the start is kept, which QString::fromUtf8() would remove.
[[nodiscard]] LOCKKEEPER_EXPORT std::optional<QString> decodedUtf8(QByteArrayView bytes);

// As decodedUtf8(), for a text that another program reads back (JSON, CSV, SQLite). Nothing for bytes that begin with a
// byte order mark, which decoders remove, or that hold a noncharacter such as U+FFFE, which SQLite and others replace.
// Write such bytes as base64.
[[nodiscard]] LOCKKEEPER_EXPORT std::optional<QString> exactText(QByteArrayView bytes);

// The number that is written in this way. Accepts only the spelling that clients write: no blanks, no plus sign, no
// leading zeros.
[[nodiscard]] LOCKKEEPER_EXPORT std::optional<qint64> canonicalInteger(QByteArrayView text);

}  // namespace lockkeeper
