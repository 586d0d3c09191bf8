// SPDX-License-Identifier: Apache-2.0
#include "serve/signature.h"

#include <QMessageAuthenticationCode>

namespace lockkeeper::serve {

namespace {

QByteArray hmac(const QByteArray& key, const QByteArray& text) {
    return QMessageAuthenticationCode::hash(text, key, QCryptographicHash::Sha256);
}

}  // namespace

QByteArray signedTime(WallTime at) {
    return QByteArray::number(
        static_cast<qint64>(std::chrono::duration_cast<std::chrono::seconds>(at.time_since_epoch()).count()));
}

QByteArray signatureOf(const QByteArray& secret, WallTime at, const QByteArray& body) {
    return "v1=" + hmac(secret, signedTime(at) + '.' + body).toHex();
}

// DingTalk's own documentation of robots: the secret is the key, and a part of the text, too.
QByteArray dingTalkQuery(const QByteArray& secret, WallTime at) {
    const QByteArray time = QByteArray::number(
        static_cast<qint64>(std::chrono::duration_cast<Milliseconds>(at.time_since_epoch()).count()));
    const QByteArray sign = hmac(secret, time + '\n' + secret).toBase64();
    return "timestamp=" + time + "&sign=" + sign.toPercentEncoding();
}

// Feishu's own documentation of robots: time and secret are the key, and the text is empty.
QByteArray feishuSign(const QByteArray& secret, WallTime at) {
    return hmac(signedTime(at) + '\n' + secret, {}).toBase64();
}

}  // namespace lockkeeper::serve
