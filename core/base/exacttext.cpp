// SPDX-License-Identifier: Apache-2.0
#include "base/exacttext.h"

#include <QList>
#include <QStringDecoder>

#include <algorithm>

namespace lockkeeper {

namespace {

bool isAscii(QByteArrayView bytes) {
    return std::all_of(bytes.begin(), bytes.end(), [](char byte) { return static_cast<uchar>(byte) < 0x80; });
}

bool hasNoncharacter(const QString& text) {
    const QList<uint> characters = text.toUcs4();
    return std::any_of(characters.begin(), characters.end(),
                       [](char32_t character) { return QChar::isNonCharacter(character); });
}

}  // namespace

std::optional<QString> decodedUtf8(QByteArrayView bytes) {
    if (isAscii(bytes))  // as nearly all names are
        return QString::fromLatin1(bytes);
    QStringDecoder decode(QStringDecoder::Utf8,
                          QStringDecoder::Flag::Stateless | QStringDecoder::Flag::ConvertInitialBom);
    const QString text = decode(bytes);
    if (decode.hasError() || text.toUtf8() != bytes)
        return std::nullopt;
    return text;
}

std::optional<QString> exactText(QByteArrayView bytes) {
    std::optional<QString> text = decodedUtf8(bytes);
    if (!text || text->startsWith(QChar::ByteOrderMark) || hasNoncharacter(*text))
        return std::nullopt;
    return text;
}

std::optional<qint64> canonicalInteger(QByteArrayView text) {
    bool ok = false;
    const qint64 number = text.toLongLong(&ok);
    if (!ok || QByteArray::number(number) != text)
        return std::nullopt;
    return number;
}

}  // namespace lockkeeper
