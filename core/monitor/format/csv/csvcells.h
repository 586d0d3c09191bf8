// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "monitor/format/csv/csvline.h"
#include "base/exacttext.h"
#include "base/ids.h"

#include <QStringList>

namespace lockkeeper::monitor {

// Helpers that all CSV records share.

// Separates several values in one cell.
inline const QString cellSeparator = QStringLiteral("; ");

// The name, and in a second cell its base64 form if the text alone does not keep all its bytes.
[[nodiscard]] inline QStringList nameCells(const LockName& name) {
    const std::optional<QString> text = exactText(name.bytes());
    if (text && csvKeeps(*text))
        return {*text, QString()};
    const bool isReadable = text && !text->contains(QChar::Null);
    return {isReadable ? *text : QString(), QString::fromLatin1(name.bytes().toBase64())};
}

}  // namespace lockkeeper::monitor
