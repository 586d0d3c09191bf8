// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "recording/archive.h"
#include "recording/record.h"

#include <memory>

// What is written of each value of a lock, and in which order: one description for both directions. A change here needs
// a new format version.
namespace lockkeeper::recording {

template <typename A, typename T>
using Of = typename A::template Field<T>;

template <typename A, typename T, typename Each>
void optionalOf(A& archive, T& value, Each each) {
    bool isThere = false;
    if constexpr (!A::isReading)
        isThere = value.has_value();
    archive.flag(isThere);
    if (!isThere)
        return;
    if constexpr (A::isReading)
        value.emplace();
    each(*value);
}

template <typename A, typename T, typename Each>
void listOf(A& archive, T& list, Each each) {
    if constexpr (A::isReading) {
        const quint64 size = archive.unsignedNumber();
        if (size > static_cast<quint64>(archive.left()))
            return archive.fail();
        for (quint64 i = 0; i < size && archive.isGood(); ++i) {
            typename T::value_type entry{};
            archive.pay(2 * qsizetype{sizeof entry});  // a list that grows has room for as many again
            each(entry);
            list.push_back(std::move(entry));
        }
    } else {
        archive.unsignedNumber(static_cast<quint64>(list.size()));
        for (const auto& entry : list)
            each(entry);
    }
}

template <typename A, typename T>
void listOf(A& a, T& list) {
    listOf(a, list, [&a](auto& entry) { fields(a, entry); });
}

template <typename A>
void fields(A& a, Of<A, Error>& error) {
    a.choice(error.code);
    a.words(error.text);
    a.choice(error.reply);
    a.cause(error.cause);
    listOf(a, error.arguments, [&a](auto& argument) { a.words(argument); });
}

template <typename A, typename T>
void fieldsIfAny(A& a, T& value) {
    optionalOf(a, value, [&a](auto& one) { fields(a, one); });
}

// ---- locks ----

template <typename A>
void fields(A& a, Of<A, monitor::Expiry>& expiry) {
    a.time(expiry.latest);
    a.time(expiry.earliest);
}

template <typename A>
void transaction(A& a, Of<A, monitor::Rare<QByteArray>>& transaction) {
    QByteArray id = *transaction;
    a.id(id);
    if constexpr (A::isReading) {
        if (!id.isEmpty())
            transaction = id;
    }
}

template <typename A>
void fields(A& a, Of<A, monitor::Holder>& holder) {
    a.holder(holder.id);
    a.choice(holder.mode);
    a.number(holder.count);
    transaction(a, holder.transaction);
}

template <typename A>
void fields(A& a, Of<A, monitor::FairWaiter>& waiter) {
    a.holder(waiter.id);
    optionalOf(a, waiter.deadline, [&a](auto& deadline) { a.time(deadline); });
    if (a.has(9))
        a.flag(waiter.hasNoDeadline);
}

template <typename A>
void fields(A& a, Of<A, monitor::ReadLease>& lease) {
    a.holder(lease.reader);
    a.number(lease.hold);
    fieldsIfAny(a, lease.expiry);
}

template <typename A>
void fields(A& a, Of<A, monitor::HeldValue>& value) {
    a.id(value.value);
    a.holder(value.owner);
    a.number(value.count);
    optionalOf(a, value.expires, [&a](auto& expires) { a.time(expires); });
}

template <typename A>
void fields(A& a, Of<A, monitor::LockParts>& parts) {
    listOf(a, parts.readLeases);
    a.flag(parts.areLeasesWhole);
    listOf(a, parts.values);
    a.number(parts.moreHolders);
    if (a.has(9))
        listOf(a, parts.otherProgram, [&a](auto& field) {
            a.id(field.name);
            a.id(field.value);
        });
}

template <typename A>
void parts(A& a, Of<A, std::shared_ptr<const monitor::LockParts>>& parts) {
    if constexpr (A::isReading) {
        std::optional<monitor::LockParts> read;
        fieldsIfAny(a, read);
        parts = read ? std::make_shared<const monitor::LockParts>(*read) : nullptr;
    } else {
        const std::optional<monitor::LockParts> written = parts ? std::optional(*parts) : std::nullopt;
        fieldsIfAny(a, written);
    }
}

template <typename A>
void fields(A& a, Of<A, monitor::LockSnapshot>& lock) {
    a.name(lock.name);
    a.choice(lock.kind);
    a.time(lock.seenAt);
    a.time(lock.seenAtWall);
    listOf(a, lock.holders);
    optionalOf(a, lock.ttl, [&a](auto& ttl) { a.duration(ttl); });
    fieldsIfAny(a, lock.expiry);
    optionalOf(a, lock.waiters, [&a](auto& waiters) { a.number(waiters); });
    a.number(lock.monitorsAmongWaiters);
    listOf(a, lock.fairQueue);
    optionalOf(a, lock.token, [&a](auto& token) { a.number(token); });
    parts(a, lock.parts);
    a.node(lock.node);
}

template <typename A>
void gapReason(A& a, Of<A, std::shared_ptr<const Error>>& reason) {
    if constexpr (A::isReading) {
        std::optional<Error> read;
        fieldsIfAny(a, read);
        reason = read ? std::make_shared<const Error>(*read) : nullptr;
    } else {
        const std::optional<Error> written = reason ? std::optional(*reason) : std::nullopt;
        fieldsIfAny(a, written);
    }
}

template <typename A>
void fields(A& a, Of<A, monitor::BetweenReads>& between) {
    a.number(between.messages);
    a.time(between.firstMessageAt);
    a.choice(between.reception);
    a.choice(between.touch);
    a.time(between.touchedAt);
    a.duration(between.gap);
    a.number(between.releasesReceived);
    optionalOf(a, between.newServerRole, [&a](auto& role) { a.plain(role); });
    optionalOf(a, between.newMaster, [&a](auto& master) { a.address(master); });
    if (!a.has(8))
        return;
    gapReason(a, between.gapReason);
    a.choice(between.countdown);
    if (a.has(9))
        a.flag(between.isFlushed);
}

template <typename A>
void fields(A& a, Of<A, monitor::Listeners>& listeners) {
    a.number(listeners.clients);
    listOf(a, listeners.fairWaiters, [&a](auto& waiter) { a.holder(waiter); });
    optionalOf(a, listeners.sharded, [&a](auto& sharded) { a.number(sharded); });
    a.number(listeners.monitors);
}

template <typename A>
void waiting(A& a, Of<A, monitor::WaitingCounts::Waiting>& waiting) {
    if constexpr (A::isReading) {
        std::vector<std::pair<LockName, monitor::Listeners>> all;
        listOf(a, all, [&a](auto& entry) {
            a.name(entry.first);
            fields(a, entry.second);
        });
        for (auto& [name, listeners] : all)
            waiting.insert(name, listeners);
    } else {
        a.unsignedNumber(static_cast<quint64>(waiting.size()));
        for (auto [name, listeners] : waiting.asKeyValueRange()) {
            a.name(name);
            fields(a, listeners);
        }
    }
}

}  // namespace lockkeeper::recording
