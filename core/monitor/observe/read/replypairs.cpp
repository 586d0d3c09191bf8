// SPDX-License-Identifier: Apache-2.0
#include "monitor/observe/read/replypairs.h"

namespace lockkeeper::monitor {

using redis::RespValue;

namespace {

QByteArray textOf(const RespValue& value) {
    if (value.type == RespValue::Type::Integer)
        return QByteArray::number(value.integer);
    return value.type == RespValue::Type::Double ? QByteArray::number(value.real, 'f', 0) : value.bytes;
}

}  // namespace

ReplyPairs pairsOf(const RespValue& value) {
    ReplyPairs pairs;
    const std::vector<RespValue>& items = value.items;
    for (size_t i = 0; i < items.size(); ++i) {
        if (items[i].items.size() == 2)
            pairs.emplace_back(textOf(items[i].items[0]), textOf(items[i].items[1]));
        else if (i + 1 < items.size())
            pairs.emplace_back(textOf(items[i]), textOf(items[i + 1])), ++i;
    }
    return pairs;
}

}  // namespace lockkeeper::monitor
