// SPDX-License-Identifier: Apache-2.0
#include "monitor/format/csv/csvline.h"

#include <algorithm>

namespace lockkeeper {

namespace {

// Any client can choose a lock's name. The spreadsheet that opens the file must not execute it as a formula.
bool looksLikeAFormula(const QString& cell) {
    if (cell.isEmpty() || !QStringLiteral("=+-@\t\r\n").contains(cell.front()))
        return false;
    bool isNumber = false;
    cell.toLongLong(&isNumber);
    return !isNumber;
}

QString quoted(const QString& cell) {
    QString text = looksLikeAFormula(cell) ? QLatin1Char('\'') + cell : cell;
    // A semicolon separates cells for spreadsheets of many countries.
    const bool needsQuotes = std::ranges::any_of(text, [](QChar c) { return QStringView(u",;\"\n\r").contains(c); });
    return needsQuotes ? QLatin1Char('"') + text.replace(u'"', QStringLiteral("\"\"")) + QLatin1Char('"') : text;
}

}  // namespace

bool csvKeeps(const QString& cell) {
    return !looksLikeAFormula(cell) && !cell.contains(QChar::Null);
}

QByteArray csvLine(const QStringList& cells) {
    QStringList line;
    line.reserve(cells.size());
    for (const QString& cell : cells)
        line << quoted(cell);
    return line.join(u',').toUtf8() + "\r\n";
}

}  // namespace lockkeeper
