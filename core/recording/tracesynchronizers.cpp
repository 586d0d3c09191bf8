// SPDX-License-Identifier: Apache-2.0
#include "recording/tracesynchronizers.h"

#include "recording/tracestep.h"

#include <QJsonArray>
#include <QRegularExpression>

#include <algorithm>

namespace lockkeeper::recording {

using monitor::Synchronizer;
using monitor::SynchronizerChannel;
using redis::RespValue;

namespace {

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

}  // namespace

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
    reading.waitedFor = static_cast<int>(channels.size());
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

}  // namespace lockkeeper::recording
