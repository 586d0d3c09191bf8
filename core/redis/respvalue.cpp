// SPDX-License-Identifier: Apache-2.0
#include "redis/respvalue.h"

namespace lockkeeper::redis {

RespValue RespValue::string(Type type, QByteArray bytes) {
    RespValue value;
    value.type = type;
    value.bytes = std::move(bytes);
    return value;
}

RespValue RespValue::number(qint64 number) {
    RespValue value;
    value.type = Type::Integer;
    value.integer = number;
    return value;
}

RespValue RespValue::array(std::vector<RespValue> items) {
    RespValue value;
    value.type = Type::Array;
    value.items = std::move(items);
    return value;
}

const RespValue* RespValue::valueOf(QByteArrayView name) const {
    for (size_t i = 0; i + 1 < items.size(); i += 2) {
        if (items[i].bytes == name)
            return &items[i + 1];
    }
    return nullptr;
}

QByteArray RespValue::errorPrefix() const {
    if (!isError())
        return {};
    const qsizetype space = bytes.indexOf(' ');
    return space < 0 ? bytes : bytes.first(space);
}

QString RespValue::describe() const {
    constexpr qsizetype shownBytes = 80;
    switch (type) {
        case Type::Null:
            return QStringLiteral("null");
        case Type::Integer:
        case Type::Boolean:
            return QStringLiteral("integer %1").arg(integer);
        case Type::Double:
            return QStringLiteral("double %1").arg(real);
        case Type::Array:
        case Type::Map:
        case Type::Set:
        case Type::Push:
            return QStringLiteral("aggregate of %1").arg(items.size());
        case Type::Error:
            return QStringLiteral("error '%1'").arg(QString::fromLatin1(bytes.left(shownBytes)));
        case Type::SimpleString:
        case Type::BulkString:
        case Type::VerbatimString:
        case Type::BigNumber:
            break;
    }
    return QStringLiteral("'%1'").arg(QString::fromLatin1(bytes.left(shownBytes)));
}

}  // namespace lockkeeper::redis
