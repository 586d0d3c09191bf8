#include "base/ids.h"

#include <QList>
#include <QStringDecoder>
#include <QUuid>

#include <algorithm>

namespace lockkeeper {

namespace {

constexpr qsizetype uuidLength = 36;

bool isUuid(QByteArrayView text) {
    if (text.size() != uuidLength)
        return false;
    for (qsizetype i = 0; i < uuidLength; ++i) {
        const char c = text[i];
        const bool dashHere = i == 8 || i == 13 || i == 18 || i == 23;
        const bool hex = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
        if (dashHere ? c != '-' : !hex)
            return false;
    }
    return true;
}

// Accepts only the spelling that clients write: no blanks, no plus sign, no leading zeros.
std::optional<qint64> canonicalInteger(QByteArrayView text) {
    bool ok = false;
    const qint64 number = text.toLongLong(&ok);
    if (!ok || QByteArray::number(number) != text)
        return std::nullopt;
    return number;
}

// A C escape; \xHH for another byte; \u{H...} for a character beyond ASCII. Two different names never get the same
// display.
QString escapedByte(uchar byte) {
    switch (byte) {
        case '\n':
            return QStringLiteral("\\n");
        case '\r':
            return QStringLiteral("\\r");
        case '\t':
            return QStringLiteral("\\t");
        case '\\':
            return QStringLiteral("\\\\");
        default:
            return QStringLiteral("\\x%1").arg(byte, 2, 16, QLatin1Char('0'));
    }
}

bool isPlain(const QByteArray& bytes) {
    return std::all_of(bytes.begin(), bytes.end(), [](char byte) { return byte >= ' ' && byte <= '~' && byte != '\\'; });
}

// Characters that break a line, are invisible, or reverse the reading direction: they could make one name look like
// another.
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
            return character == U'\\';
    }
}

QString shownText(const QString& text) {
    QString shown;
    shown.reserve(text.size());
    for (const char32_t character : text.toUcs4()) {
        if (!isUnsafe(character))
            shown += QString::fromUcs4(&character, 1);
        else if (character < 0x80)
            shown += escapedByte(static_cast<uchar>(character));
        else
            shown += QStringLiteral("\\u{%1}").arg(character, 0, 16);
    }
    return shown;
}

QString shownBytes(const QByteArray& bytes) {
    QString shown;
    for (const char byte : bytes) {
        const auto value = static_cast<uchar>(byte);
        shown += value >= 0x80 || isUnsafe(value) ? escapedByte(value) : QString(QLatin1Char(byte));
    }
    return shown;
}

}  // namespace

bool LockName::isUtf8() const {
    return m_bytes.isValidUtf8();
}

QString LockName::display() const {
    if (isPlain(m_bytes))  // true for nearly all names; tables call this often
        return QString::fromLatin1(m_bytes);
    if (!isUtf8())
        return shownBytes(m_bytes);
    // fromUtf8() would drop a byte order mark.
    QStringDecoder decode(QStringDecoder::Utf8, QStringDecoder::Flag::ConvertInitialBom);
    return shownText(decode(m_bytes));
}

ClientId ClientId::random() {
    return ClientId(QUuid::createUuid().toByteArray(QUuid::WithoutBraces));
}

std::optional<HolderId> HolderId::parse(QByteArrayView text) {
    if (text.size() <= uuidLength + 1 || text[uuidLength] != ':')
        return std::nullopt;
    const QByteArrayView uuid = text.first(uuidLength);
    const std::optional<qint64> thread = canonicalInteger(text.sliced(uuidLength + 1));
    if (!isUuid(uuid) || !thread)
        return std::nullopt;
    return HolderId(ClientId(uuid.toByteArray()), ThreadId(*thread));
}

QByteArray HolderId::bytes() const {
    const QByteArray thread = QByteArray::number(static_cast<qint64>(m_thread));
    QByteArray text;
    text.reserve(m_client.bytes().size() + 1 + thread.size());
    return text.append(m_client.bytes()).append(':').append(thread);
}

}  // namespace lockkeeper
