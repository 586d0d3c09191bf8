// SPDX-License-Identifier: Apache-2.0
#include "serve/http/audience.h"

#include <QHostAddress>
#include <QRegularExpression>

namespace lockkeeper::serve {

bool isOwnHost(const QByteArray& host) {
    static const QRegularExpression form(
        QStringLiteral("^(?:(localhost)|\\[([0-9A-Fa-f:.]+)\\]|([0-9.]+))(?::\\d{1,5})?$"),
        QRegularExpression::CaseInsensitiveOption);
    const QRegularExpressionMatch match = form.match(QString::fromLatin1(host));
    if (!match.hasMatch())
        return false;
    if (match.hasCaptured(1))
        return true;
    const QHostAddress address(match.hasCaptured(2) ? match.captured(2) : match.captured(3));
    return address.isLoopback();
}

bool isForOwnMachine(const QHostAddress& address) {
    return address.isLoopback();
}

}  // namespace lockkeeper::serve
