#include "monitor/format/eventline.h"

#include "base/ids.h"
#include "base/isotime.h"

namespace lockkeeper::monitor {

void addBytes(QJsonObject& object, const QString& field, const QByteArray& bytes) {
    if (LockName(bytes).isUtf8())
        object.insert(field, QString::fromUtf8(bytes));
    else
        object.insert(field + QStringLiteral("_base64"), QString::fromLatin1(bytes.toBase64()));
}

void addAlias(QJsonObject& object, const QString& field, const QString& alias) {
    if (!alias.isEmpty())
        object.insert(field, alias);
}

QString textLine(const QString& event, WallTime at) {
    return QStringLiteral("%1  %2  ").arg(clockTime(at), event.leftJustified(13));
}

}  // namespace lockkeeper::monitor
