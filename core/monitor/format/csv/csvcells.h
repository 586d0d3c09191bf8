#pragma once

#include "base/ids.h"

#include <QStringList>

namespace lockkeeper::monitor {

// Helpers that all CSV records share.

// Separates several values in one cell.
inline const QString cellSeparator = QStringLiteral("; ");

// The name, and in a second cell its base64 form if it is not UTF-8.
[[nodiscard]] inline QStringList nameCells(const LockName& name) {
    return name.isUtf8() ? QStringList{QString::fromUtf8(name.bytes()), QString()}
                         : QStringList{QString(), QString::fromLatin1(name.bytes().toBase64())};
}

}  // namespace lockkeeper::monitor
