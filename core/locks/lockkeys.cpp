// SPDX-License-Identifier: Apache-2.0
#include "locks/lockkeys.h"

namespace lockkeeper::locks {

namespace {

constexpr QByteArrayView channelPrefix = "redisson_lock__channel";
constexpr QByteArrayView rwChannelPrefix = "redisson_rwlock";
constexpr QByteArrayView queuePrefix = "redisson_lock_queue";
constexpr QByteArrayView timeoutsPrefix = "redisson_lock_timeout";
constexpr QByteArrayView tokenPrefix = "redisson_lock_token";
constexpr QByteArrayView latchPrefix = "redisson_unlock_latch";
constexpr QByteArrayView readTimeoutMark = ":rwlock_timeout:";
constexpr QByteArrayView permitLeasesSuffix = ":timeout";

// `{NAME}`, so that all keys of a lock are in its hash slot. A name that already contains braces stays as it is.
QByteArray tagged(const QByteArray& name) {
    if (name.contains('{'))
        return name;
    QByteArray withBraces;
    withBraces.reserve(name.size() + 2);
    return withBraces.append('{').append(name).append('}');
}

QByteArray prefixed(QByteArrayView prefix, const QByteArray& taggedName) {
    QByteArray key;
    key.reserve(prefix.size() + 1 + taggedName.size());
    return key.append(prefix).append(':').append(taggedName);
}

// What tagged() makes of the names that match. A pattern with wildcards may match names with and without braces; a
// brace in a set (`[{a]`) need not be in the name.
QByteArrayList taggedPatterns(const QByteArray& pattern) {
    if (pattern.contains('{') && !pattern.contains('['))
        return {pattern};
    const QByteArray inBraces = '{' + pattern + '}';
    const bool isOpen = pattern.contains('*') || pattern.contains('?') || pattern.contains('[');
    return isOpen ? QByteArrayList{inBraces, pattern} : QByteArrayList{inBraces};
}

std::optional<QByteArrayView> afterPrefix(QByteArrayView text, QByteArrayView prefix) {
    if (text.size() <= prefix.size() + 1 || !text.startsWith(prefix) || text[prefix.size()] != ':')
        return std::nullopt;
    return text.sliced(prefix.size() + 1);
}

// Removes a trailing `:UUID:THREAD` if there is one.
QByteArrayView withoutHolder(QByteArrayView text) {
    const qsizetype threadColon = text.lastIndexOf(':');
    if (threadColon <= 0)
        return text;
    const qsizetype uuidColon = text.first(threadColon).lastIndexOf(':');
    if (uuidColon <= 0 || !HolderId::parse(text.sliced(uuidColon + 1)))
        return text;
    return text.first(uuidColon);
}

std::optional<LockName> lockOfReadTimeout(QByteArrayView key) {
    const qsizetype mark = key.lastIndexOf(readTimeoutMark);
    if (mark <= 0)
        return std::nullopt;
    const qlonglong hold = key.sliced(mark + readTimeoutMark.size()).toLongLong();
    const QByteArrayView reader = key.first(mark);
    const QByteArrayView name = withoutHolder(reader);
    if (hold < 1 || name.size() == reader.size())
        return std::nullopt;
    return untagged(name).first();
}

}  // namespace

QList<LockName> untagged(QByteArrayView text) {
    QList<LockName> names{LockName(text.toByteArray())};
    const bool wrapped = text.size() > 2 && text.front() == '{' && text.back() == '}';
    if (wrapped && !text.sliced(1).contains('{'))
        names.prepend(LockName(text.sliced(1, text.size() - 2).toByteArray()));
    return names;
}

QByteArrayList helperKeyPatterns(const QByteArray& pattern) {
    QByteArrayList patterns;
    for (const QByteArray& tag : taggedPatterns(pattern)) {
        for (const QByteArrayView prefix : {queuePrefix, timeoutsPrefix, tokenPrefix})
            patterns << prefixed(prefix, tag);
        patterns << tag + ":*" + readTimeoutMark.toByteArray() + '*' << tag + permitLeasesSuffix.toByteArray();
    }
    return patterns;
}

QByteArrayList declaredChannelPatterns(const QByteArray& pattern) {
    QByteArrayList patterns;
    for (const QByteArray& tag : taggedPatterns(pattern))
        patterns << prefixed(rwChannelPrefix, tag);
    return patterns;
}

LockKeys::LockKeys(const LockName& name) : m_name(name), m_tagged(tagged(name.bytes())) {}

QByteArray LockKeys::channel() const {
    return prefixed(channelPrefix, m_tagged);
}

QByteArray LockKeys::rwChannel() const {
    return prefixed(rwChannelPrefix, m_tagged);
}

QByteArray LockKeys::fairQueue() const {
    return prefixed(queuePrefix, m_tagged);
}

QByteArray LockKeys::fairTimeouts() const {
    return prefixed(timeoutsPrefix, m_tagged);
}

QByteArray LockKeys::token() const {
    return prefixed(tokenPrefix, m_tagged);
}

QByteArray LockKeys::readTimeout(const HolderId& reader, qint64 hold) const {
    return readTimeoutBase() + reader.bytes() + readTimeoutMark.toByteArray() + QByteArray::number(hold);
}

QByteArray LockKeys::fairWaiterChannel(const HolderId& waiter) const {
    return channel() + ':' + waiter.bytes();
}

QList<LockName> locksOfChannel(QByteArrayView channel) {
    if (const auto name = afterPrefix(channel, rwChannelPrefix))
        return untagged(*name);
    const auto name = afterPrefix(channel, channelPrefix);
    if (!name)
        return {};
    QList<LockName> names = untagged(withoutHolder(*name));
    const LockName whole(name->toByteArray());
    if (!names.contains(whole) && whole.bytes().contains('{'))
        names += whole;
    return names;
}

bool announcesRelease(QByteArrayView channel, QByteArrayView message) {
    return message != "1" || afterPrefix(channel, rwChannelPrefix);
}

std::optional<LockName> lockOfChannel(QByteArrayView channel) {
    const QList<LockName> names = locksOfChannel(channel);
    return names.isEmpty() ? std::nullopt : std::optional(names.first());
}

std::optional<HolderId> fairWaiterOfChannel(QByteArrayView channel) {
    const auto name = afterPrefix(channel, channelPrefix);
    const qsizetype lockEnd = name ? withoutHolder(*name).size() : 0;
    if (!name || lockEnd == name->size())
        return std::nullopt;
    return HolderId::parse(name->sliced(lockEnd + 1));
}

std::optional<LockName> lockOfHelperKey(QByteArrayView key) {
    for (const QByteArrayView prefix : {queuePrefix, timeoutsPrefix, tokenPrefix}) {
        if (const auto name = afterPrefix(key, prefix))
            return untagged(*name).first();
    }
    if (const auto latch = afterPrefix(key, latchPrefix)) {
        const qsizetype request = latch->lastIndexOf(':');
        return request > 0 ? std::optional(untagged(latch->first(request)).first()) : std::nullopt;
    }
    return lockOfReadTimeout(key);
}

}  // namespace lockkeeper::locks
