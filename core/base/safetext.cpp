// SPDX-License-Identifier: Apache-2.0
#include "base/safetext.h"

#include <QList>

#include <algorithm>

namespace lockkeeper {

namespace {

bool isPrintableAscii(const QString& text) {
    return std::all_of(text.begin(), text.end(),
                       [](QChar character) { return character >= u' ' && character <= u'~'; });
}

bool continuesCharacter(char byte) {
    return (static_cast<uchar>(byte) & 0xc0) == 0x80;
}

// The place where the UTF-8 character at `place` begins. A cut there leaves whole characters.
qsizetype startOfCharacter(const QByteArray& bytes, qsizetype place) {
    constexpr qsizetype longestCharacter = 4;
    for (qsizetype start = place; start > place - longestCharacter; --start) {
        if (!continuesCharacter(bytes[start]))
            return start;
    }
    return place;
}

QString withoutHalfCharacterAtEnd(QString text) {
    if (text.back().isHighSurrogate())
        text.chop(1);
    return text;
}

QString withoutHalfCharacterInFront(const QString& text) {
    return text.front().isLowSurrogate() ? text.mid(1) : text;
}

}  // namespace

bool isUnsafe(char32_t character) {
    switch (QChar::category(character)) {
        case QChar::Other_Control:
        case QChar::Other_Format:
        case QChar::Other_NotAssigned:
        case QChar::Other_PrivateUse:
        case QChar::Separator_Line:
        case QChar::Separator_Paragraph:
            return true;
        default:
            return false;
    }
}

QString escaped(char32_t character) {
    switch (character) {
        case U'\n':
            return QStringLiteral("\\n");
        case U'\r':
            return QStringLiteral("\\r");
        case U'\t':
            return QStringLiteral("\\t");
        case U'\\':
            return QStringLiteral("\\\\");
        default:
            break;
    }
    if (character < 0x80)
        return QStringLiteral("\\x%1").arg(static_cast<uint>(character), 2, 16, QLatin1Char('0'));
    return QStringLiteral("\\u{%1}").arg(static_cast<uint>(character), 0, 16);
}

QString safeText(const QString& text) {
    if (isPrintableAscii(text))
        return text;
    QString safe;
    safe.reserve(text.size());
    for (const char32_t character : text.toUcs4())
        safe += isUnsafe(character) ? escaped(character) : QString::fromUcs4(&character, 1);
    return safe;
}

QString bounded(const QString& text) {
    if (text.size() <= longestBoundedText)
        return text;
    constexpr qsizetype half = longestBoundedText / 2;
    return QStringLiteral("%1…%2 (%3 characters)")
        .arg(withoutHalfCharacterAtEnd(text.first(half)), withoutHalfCharacterInFront(text.last(half)),
             QString::number(text.size()));
}

QString boundedName(const LockName& name) {
    const QByteArray& bytes = name.bytes();
    if (bytes.size() <= longestBoundedName)
        return name.display();
    constexpr qsizetype half = longestBoundedName / 2;
    const LockName head(bytes.first(startOfCharacter(bytes, half)));
    const LockName tail(bytes.sliced(startOfCharacter(bytes, bytes.size() - half)));
    return QStringLiteral("%1…%2 (%3 bytes)").arg(head.display(), tail.display(), QString::number(bytes.size()));
}

}  // namespace lockkeeper
