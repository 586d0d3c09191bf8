// SPDX-License-Identifier: Apache-2.0
#include <QString>

QString offset(int minutes) {
    const QString sign = QStringLiteral("%1").arg(minutes < 0 ? u'-' : u'+');
    const QString plus = QStringLiteral("%1").arg(u'+');
    const QString chosen = QStringLiteral("%1").arg(isNegative(minutes) ? u'-' : u'+');
    const QString right =
        QStringLiteral("%1").arg(QChar(u'+')) + QStringLiteral("%1").arg(minutes, 2, 10, QLatin1Char('0'));
    return QStringLiteral("%1").arg(QStringList{sign, plus, chosen, right}.join(u'+'));
}
