#include "base/ids.h"

#include <QStringDecoder>
#include <QUuid>

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

// Only the one spelling that a client writes: no blanks, no plus sign, no leading zeros.
std::optional<qint64> canonicalInteger(QByteArrayView text) {
    bool ok = false;
    const qint64 number = text.toLongLong(&ok);
    if (!ok || QByteArray::number(number) != text)
        return std::nullopt;
    return number;
}

QString escaped(char32_t character) {
    switch (character) {
        case U'\n':
            return QStringLiteral("\\n");
        case U'\r':
            return QStringLiteral("\\r");
        case U'\t':
            return QStringLiteral("\\t");
        case U'\0':
            return QStringLiteral("\\0");
        default:
            return QStringLiteral("\\x%1").arg(static_cast<uint>(character), 2, 16, QLatin1Char('0'));
    }
}

// Characters that would break a line, hide, or turn the reading direction: a name must not be able to look like
// another.
bool isUnsafe(QChar character) {
    return character.category() == QChar::Other_Control || character.category() == QChar::Other_Format ||
           character.category() == QChar::Separator_Line || character.category() == QChar::Separator_Paragraph;
}

}  // namespace

bool LockName::isUtf8() const {
    return m_bytes.isValidUtf8();
}

QString LockName::display() const {
    const bool utf8 = isUtf8();
    const QString text = utf8 ? QString::fromUtf8(m_bytes) : QString::fromLatin1(m_bytes);
    QString shown;
    shown.reserve(text.size());
    for (const QChar character : text) {
        const bool notText = !utf8 && character.unicode() >= 0x80;
        if (notText || isUnsafe(character))
            shown += escaped(character.unicode());
        else
            shown += character;
    }
    return shown;
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
