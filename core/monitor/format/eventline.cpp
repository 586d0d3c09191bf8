// SPDX-License-Identifier: Apache-2.0
#include "monitor/format/eventline.h"

#include "base/exacttext.h"
#include "base/isotime.h"

namespace lockkeeper::monitor {

namespace {

const auto base64Suffix = QStringLiteral("_base64");

}  // namespace

void addBytes(QJsonObject& object, const QString& field, const QByteArray& bytes) {
    if (const std::optional<QString> text = exactText(bytes))
        object.insert(field, *text);
    else
        object.insert(field + base64Suffix, QString::fromLatin1(bytes.toBase64()));
}

std::optional<QByteArray> bytesFrom(const QJsonObject& object, const QString& field) {
    if (const QJsonValue base64 = object.value(field + base64Suffix); base64.isString())
        return QByteArray::fromBase64(base64.toString().toLatin1());
    if (const QJsonValue text = object.value(field); text.isString())
        return text.toString().toUtf8();
    return std::nullopt;
}

void addAlias(QJsonObject& object, const QString& field, const QString& alias) {
    if (!alias.isEmpty())
        object.insert(field, alias);
}

QString textLine(const QString& event, WallTime at) {
    return QStringLiteral("%1  %2  ").arg(clockTime(at), event.leftJustified(13));
}

}  // namespace lockkeeper::monitor
