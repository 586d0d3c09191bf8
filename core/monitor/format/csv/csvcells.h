#pragma once

#include "monitor/format/csv/csvline.h"
#include "base/exacttext.h"
#include "base/ids.h"

#include <QStringList>

namespace lockkeeper::monitor {

// What the records in CSV have in common.

// Between several in one cell.
inline const QString cellSeparator = QStringLiteral("; ");

// The name, and beside it as base64 where the text alone would not give its bytes back.
[[nodiscard]] inline QStringList nameCells(const LockName& name) {
    const std::optional<QString> text = exactText(name.bytes());
    if (text && csvKeeps(*text))
        return {*text, QString()};
    const bool isReadable = text && !text->contains(QChar::Null);
    return {isReadable ? *text : QString(), QString::fromLatin1(name.bytes().toBase64())};
}

}  // namespace lockkeeper::monitor
