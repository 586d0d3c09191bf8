// SPDX-License-Identifier: Apache-2.0
#include "recording/clienttrace.h"

#include "locks/lockkeys.h"
#include "monitor/model/synchronizer.h"
#include "monitor/observe/read/lockdecoder.h"
#include "monitor/observe/read/synchronizerdecoder.h"
#include "recording/block.h"
#include "recording/recordcodec.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QMap>
#include <QRegularExpression>
#include <QSet>

#include <algorithm>

namespace lockkeeper::recording {

namespace {

using namespace std::chrono_literals;

using monitor::Synchronizer;
using monitor::SynchronizerChannel;
using redis::RespValue;

// The time of the first step. The year shows that the file has no date.
constexpr WallTime traceBegun{946'684'800'000ms};  // 2000-01-01
constexpr SteadyTime traceBegunSteady{1h};
// The time from the begin of a step until its keys were read, if the file does not contain it.
constexpr Milliseconds usualStep = 200ms;
constexpr Milliseconds longestStep = 24h;
// A step takes a thousand bytes of memory, and fourteen in a file that was forged.
constexpr qsizetype mostSteps = 10'000;

// "<A>" stands for the first client: aaaaaaaa-0000-4000-8000-000000000000.
QByteArray withClientIds(QString text) {
    static const QRegularExpression client(QStringLiteral("<([A-E])>"));
    for (QRegularExpressionMatch match = client.match(text); match.hasMatch(); match = client.match(text)) {
        const QString id = match.captured(1).toLower().repeated(8) + QStringLiteral("-0000-4000-8000-000000000000");
        text.replace(match.captured(0), id);
    }
    return text.toUtf8();
}

// Converts a deadline in a scenario to the text that a server would have: milliseconds since 1970. "<now+N>" is N
// milliseconds after readAt. Nothing for "<deadline>", whose time is not in the file. Other words stay.
std::optional<QString> deadlineIn(const QString& value, WallTime readAt) {
    static const QRegularExpression later(QStringLiteral("^<now\\+(\\d{1,12})>$"));
    if (value == u"<deadline>")
        return std::nullopt;
    const QRegularExpressionMatch match = later.match(value);
    if (!match.hasMatch())
        return value;
    return QString::number(std::chrono::duration_cast<Milliseconds>(readAt.time_since_epoch()).count() +
                           match.captured(1).toLongLong());
}

struct Key {
    QString type;
    QJsonValue value;
    qint64 pttl = -2;  // as PTTL answers
};
using Keys = QHash<QByteArray, Key>;

Milliseconds timeOf(const QJsonValue& value, Milliseconds otherwise) {
    return std::clamp(Milliseconds(value.toInteger(otherwise.count())), 0ms, longestStep);
}

Keys keysOf(const QJsonObject& step) {
    Keys keys;
    const QJsonObject all = step[u"keys"].toObject();
    for (auto it = all.begin(); it != all.end(); ++it) {
        const QJsonObject entry = it->toObject();
        constexpr qint64 longestLease = 1'000'000'000'000;
        const qint64 pttl = std::clamp<qint64>(entry[u"pttl"].toInteger(-1), -1, longestLease);
        keys.insert(withClientIds(it.key()), {entry[u"type"].toString(), entry[u"value"], pttl});
    }
    return keys;
}

// The pairs without deadlines of an unknown time.
monitor::RawLock::Pairs pairsOf(const Key& key, WallTime readAt) {
    monitor::RawLock::Pairs pairs;
    const QJsonObject fields = key.value.toObject();
    for (auto it = fields.begin(); it != fields.end(); ++it) {
        if (const std::optional<QString> value = deadlineIn(it->toString(), readAt))
            pairs.emplace_back(withClientIds(it.key()), withClientIds(*value));
    }
    return pairs;
}

void addReadLeases(monitor::RawLock& raw, const Keys& keys, const locks::LockKeys& names) {
    for (const auto& [field, count] : raw.fields) {
        const std::optional<HolderId> reader = HolderId::parse(field);
        for (qint64 hold = 1; reader && hold <= monitor::maxReadLeases; ++hold) {
            const auto found = keys.find(names.readTimeout(*reader, hold));
            if (found != keys.end())
                raw.readLeases.push_back({field, hold, found->pttl});
        }
    }
    raw.areLeasesWhole = true;
}

monitor::RawLock rawLock(const LockName& name, const Keys& keys, WallTime readAt) {
    const locks::LockKeys names(name);
    monitor::RawLock raw;
    raw.name = name;
    const Key hash = keys.value(names.hash());
    raw.fields = hash.type == u"hash" ? pairsOf(hash, readAt) : monitor::RawLock::Pairs();
    raw.pttl = raw.fields.empty() ? -2 : hash.pttl;
    for (const QJsonValue& waiter : keys.value(names.fairQueue()).value.toArray())
        raw.queue += withClientIds(waiter.toString());
    raw.queueLength = raw.queue.size();
    raw.deadlines = pairsOf(keys.value(names.fairTimeouts()), readAt);
    if (const auto token = keys.find(names.token()); token != keys.end())
        raw.token = token->value.toString().toUtf8();
    addReadLeases(raw, keys, names);
    return raw;
}

bool isDeletedBy(const QJsonObject& step, const QByteArray& key) {
    return std::ranges::any_of(step[u"effects"].toArray(), [&](const QJsonValue& effect) {
        const QJsonArray command =
            (effect[u"in_script"].isArray() ? effect[u"in_script"] : effect[u"command"]).toArray();
        const bool isDelete = command.at(0).toString().compare(u"del", Qt::CaseInsensitive) == 0;
        return isDelete && std::ranges::any_of(
                               command, [&](const QJsonValue& word) { return withClientIds(word.toString()) == key; });
    });
}

// The time from the begin of a step until its keys were read. Older files do not contain it. A lease that continued
// shows it, an expired lease was over, and some steps name it in their text.
Milliseconds durationOf(const QJsonObject& step, const Keys& before, const Keys& after) {
    if (step.contains(u"keys_at"))
        return timeOf(step[u"keys_at"], usualStep);
    static const QRegularExpression waited(QStringLiteral("^(\\d{1,4}(?:\\.\\d+)?) s later"));
    if (const QRegularExpressionMatch match = waited.match(step[u"do"].toString()); match.hasMatch())
        return Milliseconds(static_cast<qint64>(match.captured(1).toDouble() * 1000));
    Milliseconds longest = 0ms;
    for (auto it = before.begin(); it != before.end(); ++it) {
        const auto now = after.find(it.key());
        if (now != after.end())
            longest = std::max(longest, Milliseconds(it->pttl - now->pttl));
        else if (it->type == u"hash" && it->pttl > 0 && !isDeletedBy(step, it.key()))
            longest = std::max(longest, Milliseconds(it->pttl) + usualStep);
    }
    return longest > 0ms ? std::min(longest, longestStep) : usualStep;
}

// The messages of a step about one lock.
monitor::BetweenReads between(const QJsonObject& step, const LockName& name, SteadyTime stepBegan,
                              quint64 messagesBefore) {
    monitor::BetweenReads between;
    for (const QJsonValue& message : step[u"published"].toArray()) {
        const QByteArray channel = withClientIds(message[u"channel"].toString());
        if (!locks::locksOfChannel(channel).contains(name))
            continue;
        if (between.messages++ == 0)
            between.firstMessageAt = stepBegan + timeOf(message[u"at"], 1ms);
    }
    between.releasesReceived = messagesBefore + static_cast<quint64>(between.messages);
    return between;
}

// ---- semaphores and latches ----

struct Call {
    QString client;
    LockName name;
};

// "C.acquire S 4 permits starts waiting" is a call of C about S.
std::optional<Call> callIn(const QString& text) {
    static const QRegularExpression call(QStringLiteral("^([A-E])\\.\\w+ (\\S+)"));
    const QRegularExpressionMatch match = call.match(text);
    return match.hasMatch() ? std::optional(Call{match.captured(1), LockName(match.captured(2).toUtf8())})
                            : std::nullopt;
}

// "C is killed: nothing comes back"
QString killedIn(const QString& text) {
    static const QRegularExpression killed(QStringLiteral("^([A-E]) is killed"));
    return killed.match(text).captured(1);
}

QMap<LockName, SynchronizerChannel> channelsOf(const QJsonObject& step) {
    QMap<LockName, SynchronizerChannel> channels;
    for (const QJsonValue& entry : step[u"channels"].toArray()) {
        const QString name = entry.isObject() ? entry[u"channel"].toString() : entry.toString();
        if (const std::optional<SynchronizerChannel> channel = SynchronizerChannel::parse(name.toUtf8()))
            channels.insert(channel->owners().first(), *channel);
    }
    return channels;
}

// A raw id has 16 bytes; "<permit-2>" stands for one, here 16 times the byte 2.
QByteArray permitId(const QString& text) {
    static const QRegularExpression permit(QStringLiteral("^<permit-(\\d{1,2})>$"));
    const QRegularExpressionMatch match = permit.match(text);
    return match.hasMatch() ? QByteArray(16, static_cast<char>(match.captured(1).toInt())) : text.toUtf8();
}

// The leases as ZRANGE WITHSCORES would answer them. Empty if one of the ends is not known, because another lease would
// then seem to end first.
std::vector<RespValue> leasesIn(const QJsonObject& permits, WallTime wall) {
    std::vector<std::pair<QString, QString>> byEnd;
    for (auto it = permits.begin(); it != permits.end(); ++it) {
        const std::optional<QString> end = deadlineIn(it->toString(), wall);
        if (!end)
            return {};
        byEnd.emplace_back(*end, it.key());
    }
    std::ranges::stable_sort(byEnd, {}, [](const auto& lease) { return lease.first.toLongLong(); });
    std::vector<RespValue> items;
    for (const auto& [end, id] : byEnd) {
        items.push_back(RespValue::bulk(permitId(id)));
        items.push_back(RespValue::bulk(end.toUtf8()));
    }
    return items;
}

// The answers to the commands of questionsAbout().
std::vector<Result<RespValue>> answersAbout(const monitor::AwaitedName& awaited, const QJsonObject& keys,
                                            WallTime wall) {
    const QJsonObject counter = keys[QString::fromUtf8(awaited.name.bytes())].toObject();
    const bool isThere = !counter.isEmpty();
    const bool isText = !isThere || counter[u"type"] == QStringLiteral("string");
    std::vector<Result<RespValue>> answers{RespValue::number(isThere ? 1 : 0)};
    if (isText)
        answers.emplace_back(RespValue::bulk(counter[u"value"].toString().toUtf8()));
    else
        answers.emplace_back(Error(ErrorCode::ServerReply, Cause::None));
    if (awaited.kind == monitor::SynchronizerKind::CountDownLatch)
        return answers;
    const QJsonObject permits = keys[QString::fromUtf8(awaited.tag) + QStringLiteral(":timeout")][u"value"].toObject();
    answers.emplace_back(RespValue::number(permits.size()));
    answers.emplace_back(RespValue::array(leasesIn(permits, wall)));
    return answers;
}

// The semaphores and latches of a scenario that clients wait for, as a server shows them. The scenario has the channels
// on which clients wait, but not the number of these clients: it follows from the texts of the steps, and is 1 where
// they do not name it. Where ends of leases are missing, the leases are only counted.
class TraceSynchronizers {
public:
    // step: the next step of the scenario. at: when its keys were read.
    [[nodiscard]] monitor::SynchronizerReading after(const QJsonObject& step, SteadyTime at, WallTime wall);

private:
    // By the most likely name of the channel.
    using Channels = QMap<LockName, monitor::SynchronizerChannel>;

    void followClients(const QJsonObject& step, const Channels& channels);
    [[nodiscard]] monitor::Synchronizer read(const QJsonObject& keys, LockName name,
                                             const monitor::SynchronizerChannel& channel, SteadyTime at,
                                             WallTime wall) const;

    QMap<LockName, QSet<QString>> m_waiting;  // by name: the letters of the clients
    std::vector<monitor::Synchronizer> m_last;
};

monitor::SynchronizerReading TraceSynchronizers::after(const QJsonObject& step, SteadyTime at, WallTime wall) {
    const Channels channels = channelsOf(step);
    followClients(step, channels);
    monitor::SynchronizerReading reading;
    for (const auto& [name, channel] : channels.asKeyValueRange()) {
        if (std::ssize(reading.seen) == monitor::SynchronizerReading::mostSeen)
            break;
        Synchronizer now = read(step[u"keys"].toObject(), name, channel, at, wall);
        const auto before = std::ranges::find(m_last, now.name, &Synchronizer::name);
        reading.seen.push_back(before != m_last.end() && isSameState(*before, now) ? *before : now);
    }
    std::ranges::sort(reading.seen, {}, &Synchronizer::name);
    reading.inAll = static_cast<int>(channels.size());
    m_last = reading.seen;
    return reading;
}

void TraceSynchronizers::followClients(const QJsonObject& step, const Channels& channels) {
    m_waiting.removeIf([&channels](const auto& waiting) { return !channels.contains(waiting.key()); });
    const QString killed = killedIn(step[u"do"].toString());
    for (QSet<QString>& clients : m_waiting)
        clients.remove(killed);
    for (const QString& answered : step[u"answers"].toObject().keys()) {
        const std::optional<Call> call = callIn(answered);
        if (call && m_waiting.contains(call->name))
            m_waiting[call->name].remove(call->client);
    }
    const std::optional<Call> call = callIn(step[u"do"].toString());
    if (call && step[u"answer"].toString().isEmpty() && channels.contains(call->name))
        m_waiting[call->name].insert(call->client);
}

Synchronizer TraceSynchronizers::read(const QJsonObject& keys, LockName name, const SynchronizerChannel& channel,
                                      SteadyTime at, WallTime wall) const {
    const auto hasKey = [&keys](const LockName& owner) { return keys.contains(QString::fromUtf8(owner.bytes())); };
    const int clients = std::max(static_cast<int>(m_waiting.value(name).size()), 1);
    const QList<LockName> owners = channel.owners();
    if (const auto owner = std::ranges::find_if(owners, hasKey); owner != owners.end())
        name = *owner;
    const monitor::AwaitedName awaited{name, channel.tag, channel.kind, clients};
    return decodeSynchronizer(awaited, answersAbout(awaited, keys, wall), at, wall);
}

// ---- the whole scenario ----

// Turns one step after the other into what a session would have read.
class TraceReader {
public:
    explicit TraceReader(const QString& server) {
        LinkStatus link;
        link.phase = LinkStatus::Phase::Connected;
        link.server = server;
        link.lastHeard = traceBegun;
        add(link);
        add(monitor::StoreInput(monitor::ShardSwept()));
        add(monitor::StoreInput(monitor::SweepEnded{0, traceBegun}));
        endBatch({});
    }

    void read(const QJsonObject& step) {
        const Keys after = keysOf(step);
        const SteadyTime began = m_now;
        m_now += durationOf(step, m_keys, after);
        m_keys = after;
        add(Caption{step[u"do"].toString()});
        for (auto it = after.begin(); it != after.end(); ++it) {
            if (it->type == u"hash")
                m_names.insert(LockName(it.key()));
        }
        QList<LockName> names = m_names.values();
        std::ranges::sort(names);
        for (const LockName& name : names)
            read(name, step, began);
        endBatch(m_synchronizers.after(step, m_now, wallNow()));
    }
    [[nodiscard]] std::vector<Record> take() { return std::move(m_records); }

private:
    [[nodiscard]] WallTime wallNow() const {
        return traceBegun + std::chrono::duration_cast<Milliseconds>(m_now - traceBegunSteady);
    }
    template <typename T>
    void add(const T& entry) {
        m_records.push_back({m_now, entry});
    }

    // Other hashes are not locks. A free lock is read once.
    void read(const LockName& name, const QJsonObject& step, SteadyTime stepBegan) {
        const monitor::LockReading reading =
            monitor::decodeLock(rawLock(name, m_keys, wallNow()), {m_now, m_now, wallNow()});
        const auto* lock = std::get_if<monitor::LockSnapshot>(&reading);
        if (!lock || (!lock->isHeld() && lock->fairQueue.isEmpty()))
            m_names.remove(name);
        if (!lock)
            return;
        const monitor::BetweenReads since = between(step, name, stepBegan, m_messages[name]);
        m_messages[name] = since.releasesReceived;
        add(monitor::StoreInput(monitor::LockRead{*lock, since}));
    }

    void endBatch(const monitor::SynchronizerReading& reading) {
        BatchEnded ended;
        ended.at = wallNow();
        if (reading != m_reading)
            ended.synchronizers = m_reading = reading;
        add(ended);
        add(BatchDelivered());
    }

    SteadyTime m_now = traceBegunSteady;
    Keys m_keys;
    QSet<LockName> m_names;
    QHash<LockName, quint64> m_messages;
    TraceSynchronizers m_synchronizers;
    monitor::SynchronizerReading m_reading;  // the last one
    std::vector<Record> m_records;
};

}  // namespace

std::optional<ClientTrace> clientTraceIn(const QByteArray& json) {
    const QJsonObject root = QJsonDocument::fromJson(json).object();
    const QJsonArray steps = root[u"steps"].toArray();
    const bool areSteps = std::ranges::all_of(steps, [](const QJsonValue& step) { return step[u"keys"].isObject(); });
    if (steps.isEmpty() || steps.size() > mostSteps || !areSteps || !root[u"scenario"].isString())
        return std::nullopt;
    ClientTrace trace;
    trace.info.server = root[u"scenario"].toString();
    trace.info.program = root[u"client"].toString();
    trace.info.begun = traceBegun;
    trace.info.begunSteady = traceBegunSteady;
    TraceReader reader(trace.info.server);
    for (const QJsonValue& step : steps)
        reader.read(step.toObject());
    trace.records = reader.take();
    return trace;
}

QByteArray recordingOf(const ClientTrace& trace) {
    BlockBuilder block;
    for (const Record& record : trace.records)
        block.add(record,
                  trace.info.begun + std::chrono::duration_cast<Milliseconds>(record.at - trace.info.begunSteady));
    Block last;
    last.head.kind = BlockKind::End;
    return fileHead() + sealed(infoBlock(trace.info, nullptr)) + sealed(block.take()) + sealed(last);
}

}  // namespace lockkeeper::recording
