// SPDX-License-Identifier: Apache-2.0
#include "monitor/format/eventjson.h"
#include "monitor/model/internallock.h"

#include "base/fromword.h"
#include "base/isotime.h"
#include "base/safetext.h"
#include "monitor/format/eventline.h"
#include "monitor/format/evidencejson.h"
#include "monitor/format/jsonwriter.h"
#include "monitor/format/threadseenjson.h"
#include "monitor/format/throughputjson.h"
#include "monitor/format/waitsjson.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

namespace lockkeeper::monitor {

namespace {

void writeAlias(JsonWriter& json, const char* name, const QString& alias) {
    if (!alias.isEmpty())
        json.field(name, alias);
}

// The remaining time of a lease when its lock was read, as PTTL returned it.
qint64 restOf(const std::optional<Expiry>& expiry, const LockSnapshot& lock) {
    if (!expiry)
        return -1;
    const auto rest = std::chrono::duration_cast<Milliseconds>(expiry->latest - lock.seenAt) - Milliseconds(1);
    return std::max<qint64>(rest.count(), 0);
}

// The remaining times of the leases of this reader's holds; empty for other holders.
QList<qint64> leasesOf(const LockSnapshot& lock, const Holder& holder) {
    QList<qint64> leases;
    for (const ReadLease& lease : lock.readLeases()) {
        if (holder.mode == HoldMode::Read && lease.reader == holder.id && lease.hold <= holder.count)
            leases.append(restOf(lease.expiry, lock));
    }
    return leases;
}

// Adds the fields of a holder to the open object.
void addHolder(JsonWriter& json, const Holder& holder, const QList<qint64>& leases, const AliasOf& aliasOf) {
    writeAlias(json, "alias", aliasOf(holder.id.client()));
    json.field("count", holder.count);
    json.bytes("id", holder.id.bytes());
    if (!leases.isEmpty()) {
        json.beginArray("leases_ms");
        for (const qint64 lease : leases)
            json.number(lease);
        json.endArray();
    }
    json.field("mode", wordFor(holder.mode));
    if (holder.transaction)
        json.field("transaction", QString::fromLatin1(*holder.transaction));
}

void addHolders(JsonWriter& json, const LockSnapshot& lock, const AliasOf& aliasOf) {
    json.beginArray("holders");
    for (const Holder& holder : lock.holders) {
        json.beginObject();
        addHolder(json, holder, leasesOf(lock, holder), aliasOf);
        json.endObject();
    }
    json.endArray();
    if (lock.isCut())
        json.field("holders_cut", true);
}

// The hash of another program's lock as it is: its rules are not known.
void addOtherProgram(JsonWriter& json, const QList<LockField>& fields) {
    if (fields.isEmpty())
        return;
    json.beginArray("other_program");
    for (const LockField& field : fields) {
        json.beginObject();
        json.bytes("field", field.name);
        json.bytes("value", field.value);
        json.endObject();
    }
    json.endArray();
}

QList<LockField> otherProgramFrom(const QJsonObject& object) {
    QList<LockField> fields;
    for (const QJsonValue& value : object.value(QStringLiteral("other_program")).toArray()) {
        const QJsonObject field = value.toObject();
        fields.append(LockField{bytesFrom(field, QStringLiteral("field")).value_or(QByteArray()),
                                bytesFrom(field, QStringLiteral("value")).value_or(QByteArray())});
    }
    return fields;
}

void addValues(JsonWriter& json, const QList<HeldValue>& values, const AliasOf& aliasOf) {
    if (values.isEmpty())
        return;
    json.beginArray("values");
    for (const HeldValue& held : values) {
        json.beginObject();
        json.field("count", held.count);
        if (held.expires)
            json.field("expires", *held.expires);
        json.bytes("owner", held.owner.bytes());
        writeAlias(json, "owner_alias", aliasOf(held.owner.client()));
        json.bytes("value", held.value);
        json.endObject();
    }
    json.endArray();
}

// The fields of a lock's state whose names come after `read_at`.
void addState(JsonWriter& json, const LockSnapshot& lock) {
    if (lock.token)
        json.field("token", *lock.token);
    if (lock.ttl)
        json.field("ttl_ms", static_cast<qint64>(lock.ttl->count()));
    else if (lock.neverExpires())
        json.field("ttl_ms", qint64{-1});
}

void addIssues(JsonWriter& json, DiagnosisKind kind) {
    json.beginArray("issues");
    for (const int issue : issuesOf(kind))
        json.number(issue);
    json.endArray();
}

// The fields are in the order of their names, as in every line of JSON here.
void addDatabase(JsonWriter& json, const LockEvent& event) {
    json.field("at", event.at);
    json.field("event", wordFor(event.type));
    if (event.type == EventType::Swept)
        json.field("keys", static_cast<qint64>(event.sweptKeys));
    json.field("locks", static_cast<qint64>(event.sweptLocks));
    if (event.lock.node)
        json.field("node", event.lock.node->address);
}

void addEvent(JsonWriter& json, const LockEvent& event, const AliasOf& aliasOf, const locks::NameMapper& names) {
    const LockSnapshot& lock = event.lock;
    if (event.releaseSign == ReleaseSign::NoMessage)
        json.field("announced", false);
    json.field("at", event.at);
    if (event.diagnosis) {
        json.field("certainty", wordFor(event.diagnosis->certainty));
        json.field("diagnosis", wordFor(event.diagnosis->kind()));
    }
    json.field("event", wordFor(event.type));
    if (event.diagnosis)
        json.field("evidence", toJson(event.diagnosis->evidence, aliasOf));
    if (event.type == EventType::NotWatched)
        json.field("gap_ms", static_cast<qint64>(event.gap.count()));
    if (event.holder) {
        json.beginObject("holder");
        addHolder(json, *event.holder, {}, aliasOf);
        json.endObject();
    }
    addHolders(json, lock, aliasOf);
    if (event.releaseSign == ReleaseSign::Inferred)
        json.field("inferred", true);
    if (const std::optional<InternalLock> internal = InternalLock::parse(lock.name)) {
        json.field("internal", wordFor(internal->of));
        json.bytes("internal_of", internal->object.bytes());
    }
    if (event.diagnosis)
        addIssues(json, event.diagnosis->kind());
    json.field("kind", wordFor(lock.kind));
    json.bytes("lock", lock.name.bytes());
    if (lock.monitorsAmongWaiters > 0)
        json.field("monitors_among_waiters", qint64{lock.monitorsAmongWaiters});
    if (lock.node)
        json.field("node", lock.node->address);
    if (event.seenBefore) {
        json.field("not_watched_from", event.seenBefore->unwatchedFrom);
        json.field("not_watched_to", event.seenBefore->unwatchedTo);
    }
    if (event.notWritten)
        json.field("not_written", true);
    addOtherProgram(json, lock.otherProgram());
    if (event.diagnosis)
        json.field("phase", wordFor(event.phase));
    if (const LockName own = programName(lock.name, names); own != lock.name)
        json.bytes("program_name", own.bytes());
    // For a count of waiters or a diagnosis between two reads, the keys are those of the earlier read.
    if (lock.isHeld() && lock.seenAtWall != event.at)
        json.field("read_at", lock.seenAtWall);
    if (lock.isCut())
        json.field("readers", lock.holderCount());
    if (event.reason)
        json.field("reason", event.reason->text);
    if (event.seenBefore)
        json.field("seen_since", event.seenBefore->since);
    if (event.suspect)
        json.field("suspect", true);
    if (event.thread)
        addSeenThread(json, "thread", *event.thread);
    if (event.throughput)
        addThroughput(json, "throughput", *event.throughput);
    addState(json, lock);
    addValues(json, lock.values(), aliasOf);
    if (event.waits->past)
        addWaitTimes(json, "wait_times", *event.waits->past);
    if (lock.waiters)
        json.field("waiters", qint64{*lock.waiters});
    addWaiting(json, "waiting", event.waits->present, aliasOf);
}

QString holderText(const Holder& holder) {
    QString text = holder.id.display();
    if (holder.mode != HoldMode::Exclusive)
        text += QLatin1Char(' ') + wordFor(holder.mode);
    if (holder.count > 1)
        text += QStringLiteral(" x%1").arg(holder.count);
    if (holder.transaction)
        text += QStringLiteral(" transaction %1").arg(QString::fromLatin1(*holder.transaction));
    return text;
}

QString holdersText(const LockSnapshot& lock) {
    if (lock.isCut())
        return QStringLiteral("%1 readers: %2 and %3 more")
            .arg(lock.holderCount())
            .arg(holderText(lock.holders.first()))
            .arg(lock.holderCount() - 1);
    QStringList texts;
    for (const Holder& holder : lock.holders)
        texts += holderText(holder);
    return texts.join(QStringLiteral(", "));
}

// The holder that the event is about, and the holders of the lock after it if they differ.
QString whoText(const LockEvent& event) {
    const QList<Holder>& holders = event.lock.holders;
    if (!event.holder)
        return holdersText(event.lock);
    const QString who = holderText(*event.holder);
    const bool isAlone = holders.isEmpty() || holders == QList<Holder>{*event.holder};
    return isAlone ? who : QStringLiteral("%1  held by %2").arg(who, holdersText(event.lock));
}

QString ttlText(const LockSnapshot& lock) {
    if (!lock.isHeld())
        return {};
    if (!lock.ttl)
        return lock.neverExpires() ? QStringLiteral("  no expiry") : QString();
    return QStringLiteral("  ttl %1 s").arg(static_cast<double>(lock.ttl->count()) / 1000, 0, 'f', 1);
}

QString diagnosisText(const Diagnosis& diagnosis) {
    return QStringLiteral("%1: %2").arg(wordFor(diagnosis.kind()), wordFor(diagnosis.certainty));
}

QString threadText(const SeenThread& thread) {
    if (thread.fate != Fate::Lives)
        return QStringLiteral("thread %1: %2").arg(wordFor(thread.fate), wordFor(thread.certainty));
    QString text = QStringLiteral("thread \"%1\" %2").arg(safeText(thread.name), wordFor(thread.activity.activity));
    if (thread.activity.code)
        text += QStringLiteral(" in ") + safeText(frameText(*thread.activity.code));
    return thread.taken == TakenWhen::BeforeHold ? text + QStringLiteral(" before this hold") : text;
}

std::optional<Holder> holderFromJson(const QJsonObject& object) {
    const std::optional<HolderId> id = HolderId::parseAny(object.value(QStringLiteral("id")).toString().toLatin1());
    const std::optional<HoldMode> mode = fromWord<HoldMode>(object.value(QStringLiteral("mode")).toString());
    if (!id || !mode)
        return std::nullopt;
    Holder holder{*id, *mode, object.value(QStringLiteral("count")).toInteger(1)};
    if (const QByteArray transaction = object.value(QStringLiteral("transaction")).toString().toLatin1();
        !transaction.isEmpty())
        holder.transaction = transaction;
    return holder;
}

bool readLock(const QJsonObject& object, LockSnapshot& lock) {
    lock.name = LockName(bytesFrom(object, QStringLiteral("lock")).value_or(QByteArray()));
    const std::optional<LockKind> kind = fromWord<LockKind>(object.value(QStringLiteral("kind")).toString());
    lock.kind = kind.value_or(LockKind::Unknown);
    if (const QString node = object.value(QStringLiteral("node")).toString(); !node.isEmpty())
        lock.node = NodePointer(new Node(topology::ShardId(), node));
    for (const QJsonValue& value : object.value(QStringLiteral("holders")).toArray()) {
        const std::optional<Holder> holder = holderFromJson(value.toObject());
        if (!holder)
            return false;
        lock.holders.append(*holder);
    }
    if (object.value(QStringLiteral("holders_cut")).toBool()) {
        LockParts parts;
        parts.moreHolders = object.value(QStringLiteral("readers")).toInteger() - lock.holders.size();
        lock.parts = std::make_shared<const LockParts>(parts);
    }
    if (const QList<LockField> fields = otherProgramFrom(object); !fields.isEmpty()) {
        LockParts parts;
        parts.otherProgram = fields;
        lock.parts = std::make_shared<const LockParts>(parts);
    }
    const qint64 ttl = object.value(QStringLiteral("ttl_ms")).toInteger(-1);
    if (ttl >= 0)
        lock.ttl = Milliseconds(ttl);
    if (object.contains(QStringLiteral("waiters")))
        lock.waiters = static_cast<int>(object.value(QStringLiteral("waiters")).toInteger());
    lock.monitorsAmongWaiters = static_cast<int>(object.value(QStringLiteral("monitors_among_waiters")).toInteger());
    if (object.contains(QStringLiteral("token")))
        lock.token = object.value(QStringLiteral("token")).toInteger();
    return kind.has_value();
}

ReleaseSign releaseSignFromJson(const QJsonObject& object) {
    if (object.value(QStringLiteral("inferred")).toBool())
        return ReleaseSign::Inferred;
    return object.value(QStringLiteral("announced")).toBool(true) ? ReleaseSign::Message : ReleaseSign::NoMessage;
}

bool readDiagnosis(const QJsonObject& object, LockEvent& event) {
    const std::optional<DiagnosisKind> kind =
        fromWord<DiagnosisKind>(object.value(QStringLiteral("diagnosis")).toString());
    const std::optional<Certainty> certainty =
        fromWord<Certainty>(object.value(QStringLiteral("certainty")).toString());
    const std::optional<DiagnosisPhase> phase =
        fromWord<DiagnosisPhase>(object.value(QStringLiteral("phase")).toString());
    if (!kind || !certainty || !phase)
        return false;
    const std::optional<Evidence> evidence =
        evidenceFromJson(*kind, object.value(QStringLiteral("evidence")).toObject());
    if (!evidence)
        return false;
    event.diagnosis = Diagnosis{*certainty, *evidence};
    event.phase = *phase;
    return true;
}

}  // namespace

std::optional<LockEvent> eventFromJsonLine(const QByteArray& line) {
    const QJsonObject object = QJsonDocument::fromJson(line).object();
    const std::optional<WallTime> at = timeFromIso(object.value(QStringLiteral("at")).toString());
    const std::optional<EventType> type = fromWord<EventType>(object.value(QStringLiteral("event")).toString());
    if (!at || !type)
        return std::nullopt;
    LockEvent event;
    event.at = *at;
    event.type = *type;
    event.lock.seenAtWall = timeFromIso(object.value(QStringLiteral("read_at")).toString()).value_or(*at);
    event.suspect = object.value(QStringLiteral("suspect")).toBool();
    event.releaseSign = releaseSignFromJson(object);
    event.gap = Milliseconds(object.value(QStringLiteral("gap_ms")).toInteger());
    event.notWritten = object.value(QStringLiteral("not_written")).toBool();
    const QString reason = object.value(QStringLiteral("reason")).toString();
    if (event.type == EventType::NotWatched && !reason.isEmpty())
        event.reason = Error(ErrorCode::ConnectionLost, reason);
    event.sweptKeys = static_cast<quint64>(object.value(QStringLiteral("keys")).toInteger());
    event.sweptLocks = static_cast<quint64>(object.value(QStringLiteral("locks")).toInteger());
    if (object.contains(QStringLiteral("holder")))
        event.holder = holderFromJson(object.value(QStringLiteral("holder")).toObject());
    if (!isOfDatabase(event.type) && !readLock(object, event.lock))
        return std::nullopt;
    if (event.type == EventType::Diagnosed && !readDiagnosis(object, event))
        return std::nullopt;
    if (const auto thread = seenThreadFromJson(object.value(QStringLiteral("thread")).toObject()))
        event.thread = *thread;
    if (const auto throughput = throughputFromJson(object.value(QStringLiteral("throughput")).toObject()))
        event.throughput = *throughput;
    if (const Waits waits = waitsFromJson(object); !waits.isEmpty())
        event.waits = waits;
    return event;
}

QJsonObject lockToJson(const LockSnapshot& lock) {
    QJsonObject object = QJsonDocument::fromJson(toJsonLine(foundEvent(lock))).object();
    object.remove(QStringLiteral("at"));
    object.remove(QStringLiteral("event"));
    return object;
}

std::optional<LockSnapshot> lockFromJson(const QJsonObject& object) {
    LockSnapshot lock;
    return readLock(object, lock) ? std::optional(lock) : std::nullopt;
}

LockEvent foundEvent(const LockSnapshot& lock) {
    LockEvent found;
    found.at = lock.seenAtWall;
    found.lock = lock;
    return found;
}

QByteArray toJsonLine(const LockEvent& event, const AliasOf& aliasOf, const locks::NameMapper& names) {
    JsonWriter json;
    json.beginObject();
    if (isOfDatabase(event.type))
        addDatabase(json, event);
    else
        addEvent(json, event, aliasOf, names);
    json.endObject();
    return json.json();
}

LockName programName(const LockName& key, const locks::NameMapper& names) {
    const LockName own = names.inProgram(key);
    return own.isEmpty() ? key : own;
}

QString toTextLine(const LockEvent& event, const locks::NameMapper& names) {
    QString line = QStringLiteral("%1  %2").arg(clockTime(event.at), wordFor(event.type).leftJustified(13));
    if (event.type == EventType::Swept)
        return line + QStringLiteral("  keys %1, locks %2").arg(event.sweptKeys).arg(event.sweptLocks);
    if (event.type == EventType::Emptied) {
        line += QStringLiteral("  the server has no data any more: held locks that ended: %1").arg(event.sweptLocks);
        return event.lock.node ? line + QStringLiteral("  on ") + event.lock.node->address : line;
    }
    const LockName own = programName(event.lock.name, names);
    line += QStringLiteral("  %1  %2").arg(boundedName(own), whoText(event));
    if (own != event.lock.name)
        line += QStringLiteral("  key ") + boundedName(event.lock.name);
    if (event.lock.node)
        line += QStringLiteral("  on ") + event.lock.node->address;
    line += ttlText(event.lock);
    if (event.lock.waiters.value_or(0) > 0)
        line += (event.lock.monitorsAmongWaiters > 0 ? QStringLiteral("  waiters up to %1")
                                                     : QStringLiteral("  waiters %1"))
                    .arg(*event.lock.waiters);
    line += waitsText(*event.waits);
    if (event.seenBefore)
        line += QStringLiteral("  the same since %1, not watched from %2 to %3")
                    .arg(isoTime(event.seenBefore->since), isoTime(event.seenBefore->unwatchedFrom),
                         isoTime(event.seenBefore->unwatchedTo));
    if (event.type == EventType::NotWatched)
        line += QStringLiteral("  for %1 s").arg(static_cast<double>(event.gap.count()) / 1000, 0, 'f', 1);
    if (event.reason)
        line += QStringLiteral("  ") + event.reason->text;
    if (event.notWritten)
        line += QStringLiteral("  not written");
    if (event.diagnosis)
        line += QStringLiteral("  %1 ").arg(wordFor(event.phase)) + diagnosisText(*event.diagnosis);
    if (event.thread)
        line += QStringLiteral("  ") + threadText(*event.thread);
    if (event.throughput)
        line += QStringLiteral("  ") + toText(*event.throughput);
    if (event.suspect)
        line += QStringLiteral("  SUSPECT: no release was seen");
    if (event.releaseSign == ReleaseSign::NoMessage)
        line += QStringLiteral("  without a message; it may have been deleted, too");
    if (event.releaseSign == ReleaseSign::Inferred)
        line += QStringLiteral("  inferred from its queue");
    return line;
}

}  // namespace lockkeeper::monitor
