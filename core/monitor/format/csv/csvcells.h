#pragma once

#include "base/ids.h"

#include <QStringList>

namespace lockkeeper::monitor {

// What the records in CSV have in common.

// Between several in one cell.
inline const QString cellSeparator = QStringLiteral("; ");

// The name, and beside it what stands for it where it is not UTF-8.
[[nodiscard]] inline QStringList nameCells(const LockName& name) {
    return name.isUtf8() ? QStringList{QString::fromUtf8(name.bytes()), QString()}
                         : QStringList{QString(), QString::fromLatin1(name.bytes().toBase64())};
}

}  // namespace lockkeeper::monitor
