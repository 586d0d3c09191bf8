// SPDX-License-Identifier: Apache-2.0
#include "monitor/observe/read/lockdecoder.h"

#include "base/exacttext.h"
#include "monitor/model/holderfield.h"
#include "monitor/observe/read/epochtime.h"

#include <QHash>

#include <algorithm>

namespace lockkeeper::monitor {

namespace {

using namespace std::chrono_literals;

struct DecodedContent {
    LockKind kind = LockKind::Unknown;
    QList<Holder> holders;
    QList<HeldValue> values;
};
using DecodedOrReason = std::variant<DecodedContent, NotALock>;

std::optional<qint64> holdCount(const QByteArray& text) {
    const std::optional<qint64> count = canonicalInteger(text);
    return count && *count >= 1 ? count : std::nullopt;
}

bool isCut(const RawLock& raw) {
    return raw.fieldCount > std::ssize(raw.fields);
}

DecodedOrReason decodeExclusive(const QByteArray& field, const QByteArray& value) {
    const std::optional<HolderField> holder = HolderField::parse(field);
    const std::optional<qint64> count = holdCount(value);
    if (!holder || holder->writes || !count)
        return NotALock();
    return DecodedContent{
        LockKind::Reentrant, {Holder{holder->id, HoldMode::Exclusive, *count, holder->transaction}}, {}};
}

std::optional<Holder> readWriteHolder(const QByteArray& field, const QByteArray& value) {
    const std::optional<HolderField> holder = HolderField::parse(field);
    const std::optional<qint64> count = holdCount(value);
    if (!holder || !count)
        return std::nullopt;
    return Holder{holder->id, holder->writes ? HoldMode::Write : HoldMode::Read, *count, holder->transaction};
}

// Redisson writes `read` if there are only readers, and `write` if there is one writer, who may also read. Another mix
// of these fields means that the lock is held, but by unknown rules.
bool isConsistent(bool writeMode, const QList<Holder>& holders) {
    const auto isWriter = [](const Holder& holder) { return holder.mode == HoldMode::Write; };
    const auto writers = std::count_if(holders.begin(), holders.end(), isWriter);
    if (!writeMode)
        return writers == 0;
    return writers == 1 && std::all_of(holders.begin(), holders.end(),
                                       [&](const Holder& holder) { return holder.id == holders.first().id; });
}

DecodedOrReason decodeReadWrite(const QByteArray& mode, const RawLock::Pairs& fields) {
    if (mode != "read" && mode != "write")
        return NotALock();
    DecodedContent content{LockKind::ReadWrite, {}, {}};
    for (const auto& [field, value] : fields) {
        if (field == "mode")
            continue;
        const std::optional<Holder> holder = readWriteHolder(field, value);
        if (!holder)
            return NotALock();
        content.holders.append(*holder);
    }
    if (content.holders.isEmpty())
        return NotALock();
    if (!isConsistent(mode == "write", content.holders))
        content.kind = LockKind::Unknown;
    return content;
}

// A page of a scan may be empty although the hash is not.
DecodedOrReason decodePartOfReaders(const RawLock::Pairs& fields) {
    const bool hasReader = std::ranges::any_of(fields, [](const auto& pair) { return pair.first != "mode"; });
    return hasReader ? decodeReadWrite("read", fields) : NotALock{.isUnreadable = true};
}

// H:HOLDER:expire_time or H:HOLDER:lock_count of a faster multi lock.
bool belongsToAValue(QByteArrayView field, const QByteArray& number) {
    for (const QByteArrayView suffix : {":expire_time", ":lock_count"}) {
        if (!field.endsWith(suffix))
            continue;
        const QByteArrayView rest = field.chopped(suffix.size());
        const qsizetype thread = std::max<qsizetype>(rest.lastIndexOf(':'), 0);
        const qsizetype holder = rest.first(thread).lastIndexOf(':');
        return holder >= 0 && HolderId::parse(rest.sliced(holder + 1)) && canonicalInteger(number);
    }
    return false;
}

// The faster multi lock of Redisson 3.37+: for each value H the fields H = owner, H:OWNER:expire_time and
// H:OWNER:lock_count. Expired values may still be there, so the expiry times decide nothing. A client that takes over a
// value leaves the two fields of the earlier owner behind. After its release these may be the only fields (recording
// faster_multi).
DecodedOrReason decodeFasterMulti(const RawLock::Pairs& fields) {
    const QHash<QByteArray, QByteArray> byField(fields.begin(), fields.end());
    DecodedContent content{LockKind::FasterMulti, {}, {}};
    for (const auto& [value, ownerText] : fields) {
        const std::optional<HolderId> owner = HolderId::parse(ownerText);
        if (!owner && belongsToAValue(value, ownerText))
            continue;
        if (!owner)
            return NotALock();
        const QByteArray prefix = value + ':' + ownerText;
        const std::optional<qint64> count = holdCount(byField.value(prefix + ":lock_count"));
        const QByteArray expires = byField.value(prefix + ":expire_time");
        if (!count || !canonicalInteger(expires))
            return NotALock();
        content.values.append(HeldValue{value, *owner, *count, wallTimeIn(expires)});
        const auto known = std::find_if(content.holders.begin(), content.holders.end(),
                                        [&](const Holder& holder) { return holder.id == *owner; });
        if (known == content.holders.end())
            content.holders.append(Holder{*owner, HoldMode::Exclusive, *count});
        else
            known->count = std::min(known->count, *count);
    }
    return content;
}

DecodedOrReason decodeHash(const RawLock& raw) {
    const RawLock::Pairs& fields = raw.fields;
    // Only a read lock is read in part, and this part need not contain the mode.
    if (isCut(raw))
        return decodePartOfReaders(fields);
    if (std::ssize(fields) > maxLockFields)
        return NotALock{.isUnreadable = true};
    const auto mode = std::find_if(fields.begin(), fields.end(), [](const auto& pair) { return pair.first == "mode"; });
    if (mode != fields.end())
        return decodeReadWrite(mode->second, fields);
    if (fields.size() == 1 && !belongsToAValue(fields.front().first, fields.front().second))
        return decodeExclusive(fields.front().first, fields.front().second);
    return decodeFasterMulti(fields);
}

QList<FairWaiter> decodeQueue(const RawLock& raw) {
    const QHash<QByteArray, QByteArray> deadlines(raw.deadlines.begin(), raw.deadlines.end());
    QList<FairWaiter> queue;
    for (const QByteArray& text : raw.queue) {
        const std::optional<HolderId> id = HolderId::parse(text);
        if (!id)
            return {};  // one item that is no holder is enough: the list is not a fair lock's
        queue.append(
            FairWaiter{*id, wallTimeIn(deadlines.value(text)), raw.areDeadlinesWhole && !deadlines.contains(text)});
    }
    return queue;
}

// PTTL is cut to a whole millisecond, and the key exists until this millisecond has ended: so the upper bound is one
// more.
std::optional<Expiry> expiryOf(qint64 pttl, const ReadTimes& times) {
    if (pttl < 0)
        return std::nullopt;
    // A lease longer than SteadyTime can hold (292 years) counts as one that never ends.
    constexpr Milliseconds longest = 24h * 365 * 100;
    if (Milliseconds(pttl) > longest)
        return Expiry{SteadyTime::max(), SteadyTime::max()};
    return Expiry{times.sentAt + Milliseconds(pttl), times.receivedAt + Milliseconds(pttl) + 1ms};
}

// Sorted: a hash has no order of its own.
void addParts(LockSnapshot& lock, const RawLock& raw, QList<HeldValue> values, const ReadTimes& times) {
    LockParts parts;
    parts.values = std::move(values);
    std::ranges::sort(parts.values, {}, &HeldValue::value);
    parts.areLeasesWhole = raw.areLeasesWhole && !isCut(raw);
    constexpr qint64 modeField = 1;
    if (isCut(raw))
        parts.moreHolders = std::max<qint64>(raw.fieldCount - modeField - lock.holders.size(), 0);
    for (const RawLock::ReadLease& lease : raw.readLeases) {
        if (const std::optional<HolderField> reader = HolderField::parse(lease.reader))
            parts.readLeases.append(ReadLease{reader->id, lease.hold, expiryOf(lease.pttl, times)});
    }
    std::ranges::sort(parts.readLeases, {},
                      [](const ReadLease& lease) { return std::pair(lease.reader.bytes(), lease.hold); });
    if (parts != LockParts())
        lock.parts = std::make_shared<const LockParts>(std::move(parts));
}

void addHelperKeys(LockSnapshot& lock, const RawLock& raw) {
    lock.token = raw.token ? canonicalInteger(*raw.token) : std::nullopt;
    lock.fairQueue = decodeQueue(raw);
    const bool mayRefine = !lock.isHeld() || lock.kind == LockKind::Reentrant;
    // A token is never deleted, but a queue is. So if both exist, the lock is fair, and the token is left from an
    // earlier use of the name.
    if (mayRefine && !lock.fairQueue.isEmpty())
        lock.kind = LockKind::Fair;
    else if (mayRefine && lock.token)
        lock.kind = LockKind::Fenced;
    if (lock.kind == LockKind::Fair)
        lock.waiters = static_cast<int>(std::min<qint64>(raw.queueLength, std::numeric_limits<int>::max()));
}

}  // namespace

LockReading decodeLock(const RawLock& raw, const ReadTimes& times) {
    LockSnapshot lock;
    lock.name = raw.name;
    lock.seenAt = times.receivedAt;
    lock.seenAtWall = times.receivedAtWall;
    QList<HeldValue> values;
    constexpr qint64 noKey = -2;
    if (!raw.fields.empty() && raw.pttl != noKey) {
        DecodedOrReason decoded = decodeHash(raw);
        if (NotALock* refusal = std::get_if<NotALock>(&decoded))
            return *refusal;
        lock.kind = std::get<DecodedContent>(decoded).kind;
        lock.holders = std::get<DecodedContent>(decoded).holders;
        values = std::get<DecodedContent>(decoded).values;
        lock.expiry = lock.isHeld() ? expiryOf(raw.pttl, times) : std::nullopt;
        if (lock.expiry)
            lock.ttl = Milliseconds(raw.pttl);
    }
    addHelperKeys(lock, raw);
    addParts(lock, raw, std::move(values), times);
    return lock;
}

}  // namespace lockkeeper::monitor
