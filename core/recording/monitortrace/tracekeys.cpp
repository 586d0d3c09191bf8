// SPDX-License-Identifier: Apache-2.0
#include "recording/monitortrace/tracekeys.h"

#include "base/exacttext.h"
#include "locks/lockkeys.h"
#include "monitor/model/holderfield.h"

#include <algorithm>
#include <limits>

namespace lockkeeper::recording {

namespace {

// Holders, numbers and hashed values are shorter. A name may be longer, but the key of a lock is bounded, too.
constexpr qsizetype longestPart = 512;
constexpr qsizetype longestKey = 64 * 1024;
// What the containers add to the bytes of a key.
constexpr qsizetype keyOverhead = 200;

bool isTrackedString(const QByteArray& key) {
    constexpr QByteArrayView latch = "redisson_unlock_latch:";
    return !key.startsWith(latch);
}

std::optional<qint64> numberIn(const QByteArray& text) {
    bool isNumber = false;
    const qint64 number = text.toLongLong(&isNumber);
    if (isNumber)
        return number;
    // The score of a sorted set may be written as 1.7e12.
    const double score = text.toDouble(&isNumber);
    constexpr double most = 9.0e18;
    return isNumber && score > -most && score < most ? std::optional(static_cast<qint64>(score)) : std::nullopt;
}

qint64 boundedSum(qint64 one, qint64 other) {
    qint64 result = 0;
    return __builtin_add_overflow(one, other, &result) ? one : result;
}

qsizetype weight(const QByteArray& field, const QByteArray& value) {
    return field.size() + value.size() + qsizetype{2 * sizeof(QByteArray)};
}

// A time that is no further than a hundred years, so that it can be added.
std::optional<ServerTime> spanIn(const QByteArray& text, ServerTime unit) {
    const std::optional<qint64> number = numberIn(text);
    constexpr qint64 most = 3'155'760'000'000;  // ms
    if (!number || *number > most * 1000 / std::max<qint64>(unit.count(), 1) || *number < -most)
        return std::nullopt;
    return unit * *number;
}

}  // namespace

bool isLockField(const QByteArray& field, const QByteArray& value) {
    if (field.size() > longestPart || value.size() > longestPart)
        return false;
    if (field == "mode")
        return value == "read" || value == "write";
    if (field.endsWith(":expire_time") || field.endsWith(":lock_count"))
        return canonicalInteger(value).has_value();
    return monitor::HolderField::parse(field) || HolderId::parse(value);
}

// ---- the content of a key ----

const QByteArray* TraceKeys::Content::value(const QByteArray& field) const {
    const auto found = std::ranges::find(pairs, field, &Pairs::value_type::first);
    return found == pairs.end() ? nullptr : &found->second;
}

void TraceKeys::Content::set(const QByteArray& field, const QByteArray& value) {
    const auto found = std::ranges::find(pairs, field, &Pairs::value_type::first);
    if (found != pairs.end())
        found->second = value;
    else if (pairs.size() < mostPairs)
        pairs.emplace_back(field, value);
}

void TraceKeys::Content::remove(const QByteArray& field) {
    std::erase_if(pairs, [&field](const auto& pair) { return pair.first == field; });
}

// ---- the keys ----

const TraceKeys::Content* TraceKeys::find(const TraceKey& key) const {
    const auto found = m_keys.constFind(key);
    return found == m_keys.cend() ? nullptr : &*found;
}

TraceKeys::Content* TraceKeys::find(const TraceKey& key) {
    const auto found = m_keys.find(key);
    return found == m_keys.end() ? nullptr : &*found;
}

TraceKeys::Content* TraceKeys::make(const TraceKey& key) {
    if (Content* known = find(key))
        return known;
    const qsizetype size = key.name.size() + keyOverhead;
    if (m_keys.size() >= mostKeys || key.name.size() > longestKey || m_bytes + size > mostBytes) {
        ++m_leftOut;
        return nullptr;
    }
    m_bytes += size;
    return &m_keys[key];
}

void TraceKeys::clear(std::optional<int> database) {
    for (const TraceKey& key : m_keys.keys()) {
        if (!database || key.database == *database)
            remove(key);
    }
}

void TraceKeys::remove(const TraceKey& key) {
    const auto found = m_keys.find(key);
    if (found == m_keys.end())
        return;
    unqueue(key);
    m_bytes -= key.name.size() + keyOverhead;
    for (const auto& [field, value] : found->pairs)
        m_bytes -= weight(field, value);
    m_keys.erase(found);
}

void TraceKeys::add(const TraceKey& key, const QByteArray& field, const QByteArray& value) {
    Content* content = make(key);
    if (!content || field.size() > longestPart || value.size() > longestPart)
        return;
    const qsizetype more = weight(field, value);
    if (const QByteArray* before = content->value(field))
        m_bytes += value.size() - before->size();
    else if (content->pairs.size() < mostPairs && m_bytes + more <= mostBytes)
        m_bytes += more;
    else
        return;
    content->set(field, value);
}

void TraceKeys::addNumber(const TraceKey& key, const QByteArray& field, const QByteArray& increment) {
    const Content* content = find(key);
    const QByteArray* before = content ? content->value(field) : nullptr;
    const qint64 now = boundedSum(before ? numberIn(*before).value_or(0) : 0, numberIn(increment).value_or(0));
    add(key, field, QByteArray::number(now));
}

// A key without content does not exist.
void TraceKeys::erase(const TraceKey& key, const QByteArray& field) {
    Content* content = find(key);
    const QByteArray* value = content ? content->value(field) : nullptr;
    if (!value)
        return;
    m_bytes -= weight(field, *value);
    content->remove(field);
    if (content->pairs.empty())
        remove(key);
}

// A later end is queued when the present entry is taken: most leases are renewed.
void TraceKeys::setEnd(const TraceKey& key, std::optional<ServerTime> end) {
    Content* content = find(key);
    if (!content)
        return;
    content->end = end;
    content->isEndKnown = true;
    const auto queued = m_queued.constFind(key);
    if (!end || (queued != m_queued.cend() && *queued <= *end))
        return;
    unqueue(key);
    m_queued.insert(key, *end);
    m_ends.emplace(*end, key);
}

void TraceKeys::unqueue(const TraceKey& key) {
    const auto queued = m_queued.constFind(key);
    if (queued == m_queued.cend())
        return;
    auto [entry, last] = m_ends.equal_range(*queued);
    while (entry != last && !(entry->second == key))
        ++entry;
    if (entry != last)
        m_ends.erase(entry);
    m_queued.erase(queued);
}

std::optional<TraceKeys::Expired> TraceKeys::takeExpired(ServerTime now) {
    while (!m_ends.empty() && m_ends.begin()->first <= now) {
        const TraceKey key = m_ends.begin()->second;
        unqueue(key);
        const Content* content = find(key);
        const std::optional<ServerTime> end = content ? content->end : std::nullopt;
        if (end && *end > now) {
            setEnd(key, end);
        } else if (end) {
            remove(key);
            return Expired{key, *end};
        }
    }
    return std::nullopt;
}

// ---- commands ----

std::vector<TraceKey> TraceKeys::execute(int database, const QByteArrayList& command, ServerTime now) {
    std::vector<TraceKey> changed;
    const QByteArray name = command.first().toLower();
    if (name == "del" || name == "unlink") {
        for (const QByteArray& deleted : command.sliced(1)) {
            const TraceKey key{database, deleted};
            if (find(key))
                changed.push_back(key);
            remove(key);
        }
        return changed;
    }
    if (command.size() < 2)
        return changed;
    if (name == "swapdb")
        return swap(command[1].toInt(), command.value(2).toInt());
    const TraceKey key{database, command[1]};
    if (name == "rename" || name == "renamenx" || name == "copy" || name == "move")
        return transfer(name, key, command);
    if (name == "restore") {
        // Its content is not readable.
        if (find(key))
            changed.push_back(key);
        remove(key);
        return changed;
    }
    const bool isExecuted = executeOnHash(name, key, command) || executeOnList(name, key, command) ||
                            executeOnSortedSet(name, key, command) || executeOnString(name, key, command, now) ||
                            executeExpiry(name, key, command, now);
    if (isExecuted)
        changed.push_back(key);
    return changed;
}

// RENAME, RENAMENX, COPY and MOVE.
TraceKeys::Changed TraceKeys::transfer(const QByteArray& name, const TraceKey& key, const QByteArrayList& command) {
    if (command.size() < 3)
        return {};
    TraceKey target{key.database, command[2]};
    if (name == "move")
        target = {command[2].toInt(), key.name};
    bool replaces = name == "rename";
    for (qsizetype i = 3; name == "copy" && i < command.size(); ++i) {
        if (command[i].toLower() == "db")
            target.database = command.value(i + 1).toInt();
        replaces = replaces || command[i].toLower() == "replace";
    }
    const Content* source = find(key);
    if (target == key || (!replaces && find(target)) || (!source && !find(target)))
        return {};
    const Content content = source ? *source : Content();
    remove(target);
    if (name != "copy")
        remove(key);
    put(target, content);
    return {key, target};
}

TraceKeys::Changed TraceKeys::swap(int one, int other) {
    std::vector<std::pair<TraceKey, Content>> moved;
    for (const auto& [key, content] : m_keys.asKeyValueRange()) {
        if (one != other && (key.database == one || key.database == other))
            moved.emplace_back(TraceKey{key.database == one ? other : one, key.name}, content);
    }
    Changed changed;
    if (moved.empty())
        return changed;
    clear(one);
    clear(other);
    for (const auto& [key, content] : moved) {
        put(key, content);
        changed.push_back(key);
        changed.push_back({key.database == one ? other : one, key.name});
    }
    return changed;
}

void TraceKeys::put(const TraceKey& key, const Content& content) {
    for (const auto& [field, value] : content.pairs)
        add(key, field, value);
    if (Content* made = find(key)) {
        setEnd(key, content.end);
        made->isEndKnown = content.isEndKnown;
    }
}

bool TraceKeys::executeOnHash(const QByteArray& name, const TraceKey& key, const QByteArrayList& command) {
    constexpr qsizetype firstField = 2;
    if (name == "hset" || name == "hmset" || name == "hsetnx") {
        bool isOfLock = false;
        for (qsizetype i = firstField; i + 1 < command.size(); i += 2) {
            if (!isLockField(command[i], command[i + 1]))
                continue;
            isOfLock = true;
            const Content* content = find(key);
            if (name != "hsetnx" || !content || !content->value(command[i]))
                add(key, command[i], command[i + 1]);
        }
        return isOfLock;
    }
    if (name == "hincrby" && command.size() > firstField + 1) {
        if (!isLockField(command[firstField], command[firstField + 1]))
            return false;
        addNumber(key, command[firstField], command[firstField + 1]);
        return true;
    }
    if (name != "hdel" || !find(key))
        return false;
    for (const QByteArray& field : command.sliced(std::min(firstField, command.size())))
        erase(key, field);
    return true;
}

bool TraceKeys::executeOnList(const QByteArray& name, const TraceKey& key, const QByteArrayList& command) {
    constexpr QByteArrayView queue = "redisson_lock_queue:";
    if (!key.name.startsWith(queue))
        return false;
    if (name == "rpush" || name == "lpush") {
        for (const QByteArray& element : command.sliced(2)) {
            if (HolderId::parse(element))
                add(key, element, {});
        }
        Content* content = find(key);
        if (content && name == "lpush")
            std::rotate(content->pairs.begin(), content->pairs.end() - 1, content->pairs.end());
        return true;
    }
    Content* content = find(key);
    if (name == "lpop" && content && !content->pairs.empty())
        erase(key, QByteArray(content->pairs.front().first));
    else if (name == "rpop" && content && !content->pairs.empty())
        erase(key, QByteArray(content->pairs.back().first));
    else if (name == "lrem" && command.size() > 3)
        erase(key, command[3]);
    else
        return false;
    return true;
}

bool TraceKeys::executeOnSortedSet(const QByteArray& name, const TraceKey& key, const QByteArrayList& command) {
    constexpr qsizetype member = 3;
    if (name == "zadd" && command.size() > member) {
        // Options such as NX stand before the pairs.
        for (qsizetype i = 2; i + 1 < command.size(); i += 2) {
            if (!numberIn(command[i]))
                return false;
            add(key, command[i + 1], command[i]);
        }
        return true;
    }
    if (!find(key))
        return false;
    if (name == "zincrby" && command.size() > member) {
        if (find(key)->value(command[member]))
            addNumber(key, command[member], command[2]);
        return true;
    }
    if (name != "zrem")
        return false;
    for (const QByteArray& element : command.sliced(std::min<qsizetype>(2, command.size())))
        erase(key, element);
    return true;
}

// Of strings only numbers are kept: tokens, permits, the count of a latch, and timeout keys, which are 1.
bool TraceKeys::executeOnString(const QByteArray& name, const TraceKey& key, const QByteArrayList& command,
                                ServerTime now) {
    if (!isTrackedString(key.name))
        return false;
    // The number before is known only if it was set in the trace.
    const bool isKnown = find(key) != nullptr;
    if (name == "incr" || name == "decr") {
        if (isKnown)
            addNumber(key, {}, name == "incr" ? "1" : "-1");
        return isKnown;
    }
    if ((name == "incrby" || name == "decrby") && command.size() > 2) {
        if (!isKnown)
            return false;
        const qint64 number = numberIn(command[2]).value_or(0);
        addNumber(key, {}, QByteArray::number(name == "incrby" ? number : -number));
        return true;
    }
    if ((name != "set" && name != "setex" && name != "psetex") || command.size() < 3)
        return false;
    const qsizetype valueAt = name == "set" ? 2 : 3;
    const auto has = [&command](const char* option) {
        return std::ranges::any_of(command.mid(3), [&](const QByteArray& given) { return given.toLower() == option; });
    };
    if (name == "set" && ((isKnown && has("nx")) || (!isKnown && has("xx"))))
        return false;
    if (!canonicalInteger(command.value(valueAt))) {
        remove(key);
        return isKnown;
    }
    remove(key);
    add(key, {}, command[valueAt]);
    std::optional<ServerTime> span;
    if (name != "set")
        span = spanIn(command[2], name == "setex" ? ServerTime(1'000'000) : ServerTime(1000));
    for (qsizetype i = 3; name == "set" && i + 1 < command.size(); ++i) {
        if (command[i].toLower() == "px")
            span = spanIn(command[i + 1], ServerTime(1000));
        else if (command[i].toLower() == "ex")
            span = spanIn(command[i + 1], ServerTime(1'000'000));
    }
    if (span)
        setEnd(key, now + *span);
    return true;
}

namespace {

// Whether NX, XX, GT or LT lets the new end stand; nothing if the present end would decide it, but is not known.
std::optional<bool> optionApplies(const TraceKeys::Content& content, const QByteArrayList& options,
                                  std::optional<ServerTime> end) {
    constexpr ServerTime never = ServerTime::max();
    const ServerTime present = content.end.value_or(never);
    for (const QByteArray& given : options) {
        const QByteArray option = given.toLower();
        const bool isMet = (option == "nx" && present == never) || (option == "xx" && present != never) ||
                           (option == "gt" && end.value_or(never) > present) ||
                           (option == "lt" && end.value_or(never) < present);
        if (!content.isEndKnown)
            return std::nullopt;
        if (!isMet)
            return false;
    }
    return true;
}

}  // namespace

bool TraceKeys::executeExpiry(const QByteArray& name, const TraceKey& key, const QByteArrayList& command,
                              ServerTime now) {
    if (!find(key))
        return false;
    if (name == "persist") {
        setEnd(key, std::nullopt);
        return true;
    }
    const bool isExpiry = name == "pexpire" || name == "expire" || name == "pexpireat" || name == "expireat";
    if (!isExpiry || command.size() < 3)
        return false;
    const std::optional<ServerTime> span =
        spanIn(command[2], name.startsWith('p') ? ServerTime(1000) : ServerTime(1'000'000));
    // Further in the future than a hundred years: never.
    const std::optional<ServerTime> end =
        span ? std::optional(name.endsWith("at") ? *span : now + *span) : std::nullopt;
    const std::optional<bool> applies = optionApplies(*find(key), command.mid(3), end);
    if (applies == false)
        return false;
    if (!applies)
        find(key)->isEndKnown = false;
    else if (end && *end <= now)
        remove(key);
    else
        setEnd(key, end);
    return true;
}

}  // namespace lockkeeper::recording
