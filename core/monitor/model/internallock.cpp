// SPDX-License-Identifier: Apache-2.0
#include "monitor/model/internallock.h"

#include <QByteArrayView>

#include <algorithm>

namespace lockkeeper::monitor {

namespace {

constexpr QByteArrayView sortedSetPrefix = "redisson_sortedset_lock:";
constexpr qsizetype hashLength = 22;  // 128 bits in Base64, without padding

bool isHash(QByteArrayView text) {
    return text.size() == hashLength && std::ranges::all_of(text, [](char c) {
               return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '+' ||
                      c == '/';
           });
}

// Redisson puts a name into braces, unless it has some.
LockName objectIn(QByteArrayView text) {
    const bool isInBraces = text.size() > 2 && text.front() == '{' && text.back() == '}';
    const bool hasOthers = isInBraces && text.sliced(1).chopped(1).contains('{');
    return LockName((isInBraces && !hasOthers ? text.sliced(1).chopped(1) : text).toByteArray());
}

std::optional<InternalLock> ofEntry(QByteArrayView name) {
    for (const QByteArrayView suffix : {":lock", ":fairlock", ":rw_lock"}) {
        if (!name.endsWith(suffix))
            continue;
        const QByteArrayView rest = name.chopped(suffix.size());
        const qsizetype colon = rest.lastIndexOf(':');
        if (colon < 1 || !isHash(rest.sliced(colon + 1)) || !rest.first(colon).contains('{'))
            return std::nullopt;
        return InternalLock{InternalLock::Of::Entry, objectIn(rest.first(colon))};
    }
    return std::nullopt;
}

}  // namespace

std::optional<InternalLock> InternalLock::parse(const LockName& name) {
    const QByteArrayView bytes = name.bytes();
    if (!bytes.startsWith(sortedSetPrefix))
        return ofEntry(bytes);
    const QByteArrayView object = bytes.sliced(sortedSetPrefix.size());
    if (!object.contains('{'))
        return std::nullopt;
    return InternalLock{Of::SortedSet, objectIn(object)};
}

QString wordFor(InternalLock::Of of) {
    switch (of) {
        case InternalLock::Of::SortedSet:
            return QStringLiteral("sorted_set");
        case InternalLock::Of::Entry:
            return QStringLiteral("entry");
    }
    return {};
}

}  // namespace lockkeeper::monitor
