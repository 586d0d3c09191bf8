// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockkeeper_export.h"

#include <QByteArray>
#include <QString>

#include <optional>

namespace lockkeeper {

// Names and values of a server are bytes. Whether they can be written as text is decided here and nowhere else.

// UTF-8 as text that encodes to the same bytes again; nothing for any other bytes. Keeps a byte order mark at the
// start, which QString::fromUtf8() removes.
[[nodiscard]] LOCKKEEPER_EXPORT std::optional<QString> decodedUtf8(QByteArrayView bytes);

// The same for a text that another program reads back (JSON, CSV, SQLite). Nothing for bytes that begin with a byte
// order mark, which decoders remove, or hold a noncharacter such as U+FFFE, which SQLite and others replace: write
// those as base64.
[[nodiscard]] LOCKKEEPER_EXPORT std::optional<QString> exactText(QByteArrayView bytes);

}  // namespace lockkeeper
