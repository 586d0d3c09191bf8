// SPDX-License-Identifier: Apache-2.0
#include "monitor/analyse/explain/withoutsecrets.h"

#include <QRegularExpression>

namespace lockkeeper::monitor {

QString withoutSecrets(QString line) {
    static const QRegularExpression userOfUrl(QStringLiteral("([A-Za-z][A-Za-z0-9+.-]{0,30}://)[^\\s\"'<>]*@"));
    // The key of a fenced lock is no secret.
    static const QRegularExpression named(
        QStringLiteral("((?<!redisson_lock_)(?:password|passwd|secret|token)[\"']?\\s*[=:]\\s*)"
                       "(?:\"[^\"]*\"?|'[^']*'?|[^\\s,;&}\\])]+)"),
        QRegularExpression::CaseInsensitiveOption);
    static const QRegularExpression sent(
        QStringLiteral("(\\b(?:AUTH|HELLO)\\b[^\\[\\]]{0,40}params\\s*[:=]\\s*\\[)[^\\]]*"));
    static const QRegularExpression hello(QStringLiteral("(\\bHELLO\\s+\\d\\s+AUTH)\\s+\\S+(?:\\s+\\S+)?"));
    const QString masked = QStringLiteral("\\1***");
    line.replace(userOfUrl, QStringLiteral("\\1***@"));
    line.replace(named, masked);
    line.replace(sent, masked);
    return line.replace(hello, QStringLiteral("\\1 ***"));
}

}  // namespace lockkeeper::monitor
