// SPDX-License-Identifier: Apache-2.0
#include "monitor/format/evidencejson.h"

#include "base/fromword.h"
#include "base/isotime.h"
#include "monitor/format/eventline.h"

#include <QJsonArray>

#include <concepts>
#include <utility>

namespace lockkeeper::monitor {

namespace {

template <typename Number>
concept Count = std::integral<Number> && !std::same_as<Number, bool>;

// Builds an object, with one format for each type of value.
class Writer {
public:
    explicit Writer(const AliasOf& aliasOf) : m_aliasOf(aliasOf) {}

    void operator()(const char* name, const HolderId& id) {
        insert(name, id.display());
        addAlias(m_object, QLatin1String(name) + QLatin1String("_alias"), m_aliasOf(id.client()));
    }
    void operator()(const char* name, const ClientId& client) {
        insert(name, QString::fromLatin1(client.bytes()));
        addAlias(m_object, QLatin1String(name) + QLatin1String("_alias"), m_aliasOf(client));
    }
    void operator()(const char* name, const QList<LockName>& locks) {
        QJsonArray names;
        for (const LockName& lock : locks) {
            QJsonObject object;
            addBytes(object, QStringLiteral("lock"), lock.bytes());
            names += object;
        }
        insert(name, names);
    }
    void operator()(const char* name, SignOfLife sign) { insert(name, wordFor(sign)); }
    void operator()(const char* name, WallTime time) { insert(name, isoTime(time)); }
    void operator()(const char* name, Milliseconds time) { insert(name, static_cast<qint64>(time.count())); }
    void operator()(const char* name, bool yes) { insert(name, yes); }
    void operator()(const char* name, Count auto number) { insert(name, static_cast<qint64>(number)); }
    void operator()(const char* name, const QByteArray& text) { addBytes(m_object, QLatin1String(name), text); }
    void operator()(const char* name, const LockName& lock) { (*this)(name, lock.bytes()); }
    template <typename Value>
    void operator()(const char* name, const std::optional<Value>& value) {
        if (value)
            (*this)(name, *value);
    }

    [[nodiscard]] QJsonObject object() const { return m_object; }

private:
    void insert(const char* name, const QJsonValue& value) { m_object.insert(QLatin1String(name), value); }

    const AliasOf& m_aliasOf;
    QJsonObject m_object;
};

// Parses the same formats; if a field is missing or has another format, the whole object is invalid.
class Reader {
public:
    explicit Reader(const QJsonObject& object) : m_object(object) {}

    void operator()(const char* name, HolderId& id) { take(HolderId::parseAny(text(name).toLatin1()), id); }
    void operator()(const char* name, ClientId& client) { client = ClientId(text(name).toLatin1()); }
    void operator()(const char* name, QList<LockName>& locks) {
        const QJsonValue names = m_object.value(QLatin1String(name));
        m_valid = m_valid && names.isArray();
        for (const QJsonValue& lock : names.toArray()) {
            const std::optional<QByteArray> bytes = bytesFrom(lock.toObject(), QStringLiteral("lock"));
            m_valid = m_valid && bytes;
            locks += LockName(bytes.value_or(QByteArray()));
        }
    }
    void operator()(const char* name, SignOfLife& sign) { take(fromWord<SignOfLife>(text(name)), sign); }
    void operator()(const char* name, WallTime& time) { take(timeFromIso(text(name)), time); }
    void operator()(const char* name, Milliseconds& time) { time = Milliseconds(number(name)); }
    void operator()(const char* name, bool& yes) { yes = m_object.value(QLatin1String(name)).toBool(true); }
    void operator()(const char* name, Count auto& count) {
        count = static_cast<std::decay_t<decltype(count)>>(number(name));
    }
    void operator()(const char* name, QByteArray& bytes) { take(bytesFrom(m_object, QLatin1String(name)), bytes); }
    void operator()(const char* name, LockName& lock) {
        QByteArray bytes;
        (*this)(name, bytes);
        lock = LockName(bytes);
    }
    template <typename Value>
    void operator()(const char* name, std::optional<Value>& value) {
        if (m_object.contains(QLatin1String(name)))
            (*this)(name, value.emplace());
    }

    [[nodiscard]] bool isValid() const { return m_valid; }

private:
    template <typename Value>
    void take(const std::optional<Value>& found, Value& value) {
        m_valid = m_valid && found;
        if (found)
            value = *found;
    }
    QString text(const char* name) {
        const QJsonValue value = m_object.value(QLatin1String(name));
        m_valid = m_valid && value.isString();
        return value.toString();
    }
    qint64 number(const char* name) {
        const QJsonValue value = m_object.value(QLatin1String(name));
        m_valid = m_valid && value.isDouble();
        return value.toInteger();
    }

    const QJsonObject& m_object;
    bool m_valid = true;
};

template <typename Fields, typename Stopped>
void exchangeStopped(Fields& field, Stopped& stopped) {
    field("client", stopped.client);
    field("locks_stopped", stopped.count);
    field("locks", stopped.locks);
    field("last_renewal", stopped.lastRenewal);
    field("lease_ms", stopped.lease);
    field("first_ends_at", stopped.firstEnds);
}

// One table of fields for both directions. `found` is const for the writer.
template <typename Fields, typename Found>
void exchange(Fields& field, Found& found) {
    using Kind = std::remove_const_t<Found>;
    if constexpr (std::same_as<Kind, PossibleDoubleHolder>) {
        field("earlier_holder", found.earlier);
        field("earlier_lease_ends", found.earlierEnds);
        field("gap_ms", found.gap);
        field("server_role", found.serverRole);
        field("new_master", found.newMaster);
    } else if constexpr (std::same_as<Kind, Deadlock>) {
        field("holder", found.holder);
        field("waits_for", found.waitsFor);
        field("held_by", found.heldBy);
        field("holders", found.holders);
        field("proven_at", found.provenAt);
        field("by_threads", found.byThreads);
    } else if constexpr (std::same_as<Kind, HolderThreadEnded>) {
        field("holder", found.holder);
        field("dump_at", found.dumpAt);
        field("newest_thread", found.newestThread);
        field("during_hold", found.isDuringHold);
        field("all_threads", found.hasAllThreads);
        field("client_sure", found.isClientSure);
    } else if constexpr (std::same_as<Kind, RenewalBroken>) {
        exchangeStopped(field, found.stopped);
        field("sign", found.sign.what);
        field("sign_at", found.sign.at);
        field("sign_lock", found.sign.lock);
    } else if constexpr (std::same_as<Kind, ClientRenewsNothing>) {
        exchangeStopped(field, found.stopped);
        field("others_renewed_at", found.othersRenewed);
    } else if constexpr (std::same_as<Kind, WatchdogStopped>) {
        field("holder", found.holder);
        field("renewals", found.renewals);
        field("last_renewal", found.lastRenewal);
        field("lease_ms", found.lease);
        field("ends_at", found.endsAt);
    } else if constexpr (std::same_as<Kind, NeverRenewed>) {
        field("holder", found.holder);
        field("lease_ms", found.lease);
        field("held_since", found.heldSince);
        field("ends_at", found.endsAt);
        field("since_acquired", found.beginSeen);
        field("without_replica", found.withoutReplica);
    } else if constexpr (std::same_as<Kind, NeverExpires>) {
        field("holder", found.holder);
        field("held_since", found.heldSince);
    } else if constexpr (std::same_as<Kind, FairQueueStorm>) {
        field("head", found.head);
        field("deadline", found.deadline);
        field("free_since", found.freeSince);
        field("awake", found.awake);
        field("commands_per_second", found.commandsPerSecond);
    } else if constexpr (std::same_as<Kind, FairQueueBlocked>) {
        field("head", found.head);
        field("deadline", found.deadline);
        field("free_since", found.freeSince);
        field("queued", found.queued);
    } else if constexpr (std::same_as<Kind, HeadWithoutDeadline>) {
        field("head", found.head);
        field("since", found.since);
        field("queued", found.queued);
    } else if constexpr (std::same_as<Kind, TwoNames>) {
        field("other", found.other);
        field("prefix", found.prefix);
        field("together", found.heldAtOnce);
    } else if constexpr (std::same_as<Kind, LeaseCut>) {
        field("holder", found.holder);
        field("lease_ms", found.lease);
        field("cut_to_ms", found.cutTo);
        field("cut_at", found.cutAt);
        field("renewals", found.renewals);
        field("last_renewal", found.lastRenewal);
    } else if constexpr (std::same_as<Kind, WaitersAsleep>) {
        field("clients", found.clients);
        field("free_since", found.freeSince);
        field("hold_seen", found.holdSeen);
        field("wake_by", found.wakeBy);
        field("no_end", found.noEnd);
    } else if constexpr (std::same_as<Kind, DeafWaiters>) {
        field("clients", found.clients);
        field("earlier_node", found.earlierNode);
        field("node", found.node);
        field("moved_at", found.movedAt);
    } else if constexpr (std::same_as<Kind, PermitsUnclaimed>) {
        field("free_permits", found.free);
        field("clients", found.clients);
        field("since", found.since);
    } else if constexpr (std::same_as<Kind, PermitLeaseOver>) {
        field("permit", found.permit);
        field("ended_at", found.endedAt);
        field("permits", found.permits);
        field("clients", found.clients);
    } else if constexpr (std::same_as<Kind, FairWaiterDropped>) {
        field("waiter", found.waiter);
        field("since", found.since);
    } else if constexpr (std::same_as<Kind, ReaderCutShort>) {
        field("reader", found.reader);
        field("lease_ends", found.leaseEnds);
        field("lock_ends", found.lockEnds);
        field("shortened_by", found.shortenedBy);
    } else if constexpr (std::same_as<Kind, ZombieReader>) {
        field("reader", found.reader);
        field("holds", found.holds);
        field("timeout_keys", found.keys);
        field("since", found.since);
    } else if constexpr (std::same_as<Kind, LeaseRanOut>) {
        field("holder", found.holder);
        field("lease_ms", found.lease);
        field("held_since", found.heldSince);
        field("ended_at", found.endedAt);
    } else if constexpr (std::same_as<Kind, AcquireTakenBack>) {
        field("holder", found.holder);
        field("times", found.times);
        field("first", found.first);
        field("last", found.last);
        field("replicas", found.replicas);
        field("earlier_replicas", found.earlierReplicas);
        field("silent_replicas", found.silentReplicas);
    } else if constexpr (std::same_as<Kind, UnlockFromOtherThread>) {
        field("caller", found.caller);
        field("holder", found.holder);
        field("held_since", found.heldSince);
        field("held_until", found.heldUntil);
        field("failed_at", found.failedAt);
    } else if constexpr (std::same_as<Kind, SuspectedOrphan>) {
        field("holder", found.holder);
        field("held_since", found.heldSince);
        field("renewals", found.renewals);
        field("usual_hold_ms", found.usualHold);
        field("holds_seen", found.holdsSeen);
    } else if constexpr (std::same_as<Kind, ReentryLeak>) {
        field("holder", found.holder);
        field("count", found.count);
        field("steps_up", found.stepsUp);
        field("held_since", found.heldSince);
    } else if constexpr (std::same_as<Kind, ChannelLeftOver>) {
        field("clients", found.clients);
        field("free_since", found.freeSince);
        field("longest_sleep_ms", found.longestSleep);
    } else {
        static_assert(std::same_as<Kind, FixedLease>, "an evidence without fields");
        field("holder", found.holder);
        field("lease_ms", found.lease);
        field("held_since", found.heldSince);
        field("ends_at", found.endsAt);
    }
}

// Empty evidence of this kind.
template <size_t index = 0>
std::optional<Evidence> emptyEvidence(DiagnosisKind kind) {
    if constexpr (index < std::variant_size_v<AnyEvidence>) {
        using Found = std::variant_alternative_t<index, AnyEvidence>;
        return Found::kind == kind ? std::optional<Evidence>(Found()) : emptyEvidence<index + 1>(kind);
    } else {
        return std::nullopt;
    }
}

}  // namespace

QJsonObject toJson(const Evidence& evidence, const AliasOf& aliasOf) {
    Writer writer(aliasOf);
    std::visit([&writer](const auto& found) { exchange(writer, found); }, evidence);
    return writer.object();
}

std::optional<Evidence> evidenceFromJson(DiagnosisKind kind, const QJsonObject& object) {
    std::optional<Evidence> evidence = emptyEvidence(kind);
    if (!evidence)
        return std::nullopt;
    Reader reader(object);
    std::visit([&reader](auto& found) { exchange(reader, found); }, *evidence);
    return reader.isValid() ? evidence : std::nullopt;
}

}  // namespace lockkeeper::monitor
