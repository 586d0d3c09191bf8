// SPDX-License-Identifier: Apache-2.0
#include "ui/operate/nameproof.h"

#include <QCryptographicHash>

namespace lockkeeper::ui {

namespace {

constexpr qsizetype longestTyped = 64;  // bytes

// A blank at an end is not visible, and characters that the display escapes are on no keyboard.
bool canBeTyped(const LockName& name) {
    if (name.bytes().isEmpty() || name.bytes().size() > longestTyped)
        return false;
    const QString text = QString::fromUtf8(name.bytes());
    return name.display() == text && text == text.simplified();
}

QString codeOf(const LockName& name) {
    // Without characters that are easily confused: 0 and O, 1, I and L.
    constexpr char characters[] = "23456789ABCDEFGHJKMNPQRSTUVWXYZ";
    constexpr int count = sizeof(characters) - 1;
    const QByteArray hash = QCryptographicHash::hash(name.bytes(), QCryptographicHash::Sha256);
    QString code;
    for (int i = 0; i < 6; ++i)
        code += QLatin1Char(characters[static_cast<uchar>(hash[i]) % count]);
    return code;
}

}  // namespace

NameProof nameProof(const LockName& name) {
    if (canBeTyped(name))
        return {name.display(), false};
    return {codeOf(name), true};
}

}  // namespace lockkeeper::ui
