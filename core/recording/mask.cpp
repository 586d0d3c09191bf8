// SPDX-License-Identifier: Apache-2.0
#include "recording/mask.h"

#include <QMessageAuthenticationCode>
#include <QRandomGenerator>
#include <QUuid>

namespace lockkeeper::recording {

namespace {

constexpr qsizetype keySize = 32;
constexpr qsizetype shownDigits = 12;
constexpr qsizetype clientSize = 36;  // of a UUID

// Whether the bytes are an id as clients write it: in small letters, without braces.
bool isClient(QByteArrayView bytes) {
    for (qsizetype at = 0; at < bytes.size(); ++at) {
        const char one = bytes.at(at);
        const bool isDash = at == 8 || at == 13 || at == 18 || at == 23;
        const bool isDigit = (one >= '0' && one <= '9') || (one >= 'a' && one <= 'f');
        if (isDash ? one != '-' : !isDigit)
            return false;
    }
    return bytes.size() == clientSize;
}

QByteArray randomKey() {
    QByteArray key(keySize, Qt::Uninitialized);
    QRandomGenerator::system()->generate(key.begin(), key.end());
    return key;
}

}  // namespace

Mask::Mask() : m_key(randomKey()) {}

// Hexadecimal. The kind is part of the hash, so that a name and an id of the same bytes get different words.
QByteArray Mask::word(const char* kind, const QByteArray& original) const {
    return QMessageAuthenticationCode::hash(QByteArray(kind) + '\0' + original, m_key, QCryptographicHash::Sha256)
        .toHex();
}

QByteArray Mask::name(const QByteArray& original) const {
    return original.isEmpty() ? original : "lock-" + word("name", original).first(shownDigits);
}

QByteArray Mask::client(const QByteArray& original) const {
    if (original.isEmpty())
        return original;
    const QByteArray digits = word("client", original);
    return QUuid::fromRfc4122(QByteArray::fromHex(digits.first(32))).toByteArray(QUuid::WithoutBraces);
}

QByteArray Mask::id(const QByteArray& original) const {
    return original.isEmpty() ? original : "id-" + word("id", original).first(shownDigits);
}

QByteArray Mask::content(const QByteArray& original) const {
    QByteArray masked = original;
    for (qsizetype at = 0; at + clientSize <= masked.size(); ++at) {
        if (!isClient(QByteArrayView(masked).sliced(at, clientSize)))
            continue;
        masked.replace(at, clientSize, client(masked.sliced(at, clientSize)));
        at += clientSize - 1;
    }
    return masked;
}

QByteArray Mask::address(const QByteArray& original) const {
    if (original.isEmpty())
        return original;
    const qsizetype colon = original.lastIndexOf(':');
    const QByteArray host = colon < 0 ? original : original.first(colon);
    return "host-" + word("host", host).first(shownDigits) + (colon < 0 ? QByteArray() : original.sliced(colon));
}

}  // namespace lockkeeper::recording
