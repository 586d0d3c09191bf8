// SPDX-License-Identifier: Apache-2.0
#include "app/cli/terminal.h"

#include "base/safetext.h"
#include "platform/standarderror.h"

#include <QList>

#include <algorithm>

namespace lockkeeper::app {

namespace {

QString jsonEscape(char32_t character) {
    QString escapes;
    for (const char16_t unit : QChar::fromUcs4(character))  // QString::fromUcs4() would drop a byte order mark
        escapes += QStringLiteral("\\u%1").arg(static_cast<uint>(unit), 4, 16, QLatin1Char('0'));
    return escapes;
}

}  // namespace

QByteArray textForTerminal(const QString& line) {
    return safeText(line).toUtf8();
}

QByteArray jsonForTerminal(const QByteArray& line) {
    const auto isPrintable = [](char byte) { return byte >= ' ' && byte <= '~'; };
    if (std::all_of(line.begin(), line.end(), isPrintable))
        return line;
    QString safe;
    safe.reserve(line.size());
    // Outside of strings a line of JSON has printable ASCII only.
    for (const char32_t character : QString::fromUtf8(line).toUcs4())
        safe += isUnsafe(character) ? jsonEscape(character) : QString::fromUcs4(&character, 1);
    return safe.toUtf8();
}

void complain(const QString& what) {
    platform::writeToStandardError("lockkeeper: " + textForTerminal(what) + '\n');
}

}  // namespace lockkeeper::app
