// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockkeeper_export.h"

#include <QByteArray>
#include <QString>

#include <vector>

namespace lockkeeper::redis {

// One reply of RESP2 or RESP3. Source: the RESP specification of Redis 7.
struct LOCKKEEPER_EXPORT RespValue {
    enum class Type {
        Null,
        SimpleString,
        BulkString,
        VerbatimString,
        Error,
        Integer,
        BigNumber,
        Double,
        Boolean,
        Array,
        Map,
        Set,
        Push
    };

    Type type = Type::Null;
    qint64 integer = 0;            // Integer; Boolean as 0 or 1
    double real = 0;               // Double
    QByteArray bytes;              // strings, errors, the digits of a BigNumber; binary-safe
    std::vector<RespValue> items;  // Array, Set, Push; a Map as key, value, key, value

    RespValue() = default;
    [[nodiscard]] static RespValue simple(QByteArray text) { return string(Type::SimpleString, std::move(text)); }
    [[nodiscard]] static RespValue bulk(QByteArray bytes) { return string(Type::BulkString, std::move(bytes)); }
    [[nodiscard]] static RespValue error(QByteArray text) { return string(Type::Error, std::move(text)); }
    [[nodiscard]] static RespValue number(qint64 value);
    [[nodiscard]] static RespValue array(std::vector<RespValue> items);

    [[nodiscard]] bool isNull() const noexcept { return type == Type::Null; }
    [[nodiscard]] bool isError() const noexcept { return type == Type::Error; }
    [[nodiscard]] bool isInteger() const noexcept { return type == Type::Integer; }
    [[nodiscard]] bool isString() const noexcept {
        return type == Type::BulkString || type == Type::SimpleString || type == Type::VerbatimString;
    }
    // Array, Map, Set or Push.
    [[nodiscard]] bool isAggregate() const noexcept {
        return type == Type::Array || type == Type::Map || type == Type::Set || type == Type::Push;
    }
    // The value of this name in a map, or in a list of names and values, as which RESP2 sends a map. Null if there is
    // none.
    [[nodiscard]] const RespValue* valueOf(QByteArrayView name) const;
    // The first word of an error, "NOSCRIPT" of "NOSCRIPT No matching script"; empty for anything else.
    [[nodiscard]] QByteArray errorPrefix() const;
    // A short form for messages about unexpected replies.
    [[nodiscard]] QString describe() const;

    friend bool operator==(const RespValue&, const RespValue&) = default;

private:
    [[nodiscard]] static RespValue string(Type type, QByteArray bytes);
};

// Limits for what a peer sends. A reply beyond a limit is refused when its size is announced, before memory is
// allocated.
struct RespLimits {
    // Cut: the part of a line beyond 64 KB is dropped as it arrives. A line of MONITOR may contain any client's data.
    enum class LongLines { Refuse, Cut };

    qint64 bytesPerString = 64LL * 1024 * 1024;
    qint64 itemsPerReply = 4LL * 1024 * 1024;  // counted over all nested aggregates of one reply
    qint64 bytesPerReply = 256LL * 1024 * 1024;
    int depth = 16;
    LongLines longLines = LongLines::Refuse;
};

}  // namespace lockkeeper::redis
