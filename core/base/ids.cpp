// SPDX-License-Identifier: Apache-2.0
#include "base/ids.h"

#include "base/exacttext.h"
#include "base/safetext.h"

#include <QList>
#include <QUuid>

#include <algorithm>
#include <limits>

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

bool isPlain(const QByteArray& bytes) {
    return std::all_of(bytes.begin(), bytes.end(),
                       [](char byte) { return byte >= ' ' && byte <= '~' && byte != '\\'; });
}

// A name must not be shown as another one, so its backslashes are escaped, too.
QString shownCharacter(char32_t character) {
    const bool asItIs = character != U'\\' && !isUnsafe(character);
    return asItIs ? QString::fromUcs4(&character, 1) : escaped(character);
}

QString shownText(const QString& text) {
    QString shown;
    shown.reserve(text.size());
    for (const char32_t character : text.toUcs4())
        shown += shownCharacter(character);
    return shown;
}

QString shownBytes(const QByteArray& bytes) {
    QString shown;
    for (const char byte : bytes) {
        const auto value = static_cast<uchar>(byte);
        shown += value < 0x80 ? shownCharacter(value) : QStringLiteral("\\x%1").arg(value, 2, 16, QLatin1Char('0'));
    }
    return shown;
}

size_t hashOf(QByteArrayView bytes) noexcept {
    static const size_t seed = QHashSeed::globalSeed();  // random: a name may come from anybody
    return qHash(bytes, seed);
}

}  // namespace

LockName::Data::Data(QByteArray name) : hash(hashOf(name)), bytes(std::move(name)) {}

LockName::LockName(QByteArray bytes) : m_data(bytes.isEmpty() ? nullptr : new Data(std::move(bytes))) {}

const QByteArray& LockName::noBytes() noexcept {
    static const QByteArray none;
    return none;
}

QString LockName::display() const {
    if (isPlain(bytes()))  // true for nearly all names; tables call this often
        return QString::fromLatin1(bytes());
    const std::optional<QString> text = decodedUtf8(bytes());
    return text ? shownText(*text) : shownBytes(bytes());
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

// Nothing else has this thread together with a client that is no UUID.
constexpr auto noThread = ThreadId(std::numeric_limits<qint64>::min());
constexpr qsizetype longestOtherName = 256;

std::optional<HolderId> HolderId::parseAny(QByteArrayView text) {
    if (std::optional<HolderId> known = parse(text))
        return known;
    // With more behind it, this is a holder of Redisson's in a form that is not known.
    const qsizetype second = text.indexOf(':', uuidLength + 1);
    if (second > 0 && parse(text.first(second)))
        return std::nullopt;
    const bool isShown = std::ranges::all_of(text, [](char byte) { return byte > ' ' && byte <= '~'; });
    const qsizetype colon = text.indexOf(':');
    const bool isName = colon > 0 && !text.endsWith(':') && text.size() <= longestOtherName;
    return isShown && isName ? std::optional(HolderId(ClientId(text.toByteArray()), noThread)) : std::nullopt;
}

bool HolderId::isOfOtherProgram() const noexcept {
    return m_thread == noThread && !isUuid(m_client.bytes());
}

QByteArray HolderId::bytes() const {
    if (isOfOtherProgram())
        return m_client.bytes();
    const QByteArray thread = QByteArray::number(static_cast<qint64>(m_thread));
    QByteArray text;
    text.reserve(m_client.bytes().size() + 1 + thread.size());
    return text.append(m_client.bytes()).append(':').append(thread);
}

}  // namespace lockkeeper
