// SPDX-License-Identifier: Apache-2.0
#include "support/recordedstate.h"
#include "support/places.h"

#include <QDateTime>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>

#include <algorithm>

namespace lockkeeper::test {

namespace {

QStringList valueCommand(const QString& key, const QJsonObject& entry) {
    const QJsonValue value = entry[u"value"];
    if (entry[u"type"].toString() == u"string")
        return {QStringLiteral("SET"), key, value.toString()};
    if (entry[u"type"].toString() == u"list") {
        QStringList command{QStringLiteral("RPUSH"), key};
        for (const QJsonValue& item : value.toArray())
            command += item.toString();
        return command;
    }
    QStringList command{QStringLiteral("HSET"), key};
    const QJsonObject fields = value.toObject();
    for (const QString& field : fields.keys())
        command << field << fields[field].toString();
    return command;
}

// Replaces "<now+N>", in which N counts milliseconds, by the moment that it stands for.
QString deadlineText(QString recorded, int timesAsLong) {
    const qint64 fromNow = recorded.remove(u"<now+"_qs).remove(u'>').toLongLong();
    return QString::number(QDateTime::currentMSecsSinceEpoch() + fromNow * timesAsLong);
}

QStringList deadlinesCommand(const QString& key, const QJsonObject& deadlines, int timesAsLong) {
    QStringList command{QStringLiteral("ZADD"), key};
    for (const QString& waiter : deadlines.keys())
        command << deadlineText(deadlines[waiter].toString(), timesAsLong) << waiter;
    return command;
}

// Writes the deadlines in the order of the queue.
QStringList deadlinesCommand(const QString& key, const QJsonArray& queue, Milliseconds ttl, Milliseconds wait) {
    QStringList command{QStringLiteral("ZADD"), key};
    Milliseconds deadline = Milliseconds(QDateTime::currentMSecsSinceEpoch()) + ttl;
    for (const QJsonValue& waiter : queue) {
        deadline += wait;
        command << QString::number(deadline.count()) << waiter.toString();
    }
    return command;
}

}  // namespace

RecordedState::RecordedState(const QString& file, const QString& step) {
    QFile recording(places::data() + QStringLiteral("/redisson-4.7.0/") + file);
    if (!recording.open(QIODevice::ReadOnly))
        qFatal("cannot read %s", qPrintable(recording.fileName()));
    const QJsonArray steps = QJsonDocument::fromJson(recording.readAll()).object()[u"steps"].toArray();
    const auto found = std::ranges::find_if(steps, [&](const QJsonValue& each) { return each[u"do"] == step; });
    if (found == steps.end())
        qFatal("no such step: %s", qPrintable(step));
    m_keys = (*found)[u"keys"].toObject();
}

QString RecordedState::withUuids(QString text) {
    return text.replace(u"<A>"_qs, u"aaaaaaaa-1111-4222-8333-444444444444"_qs)
        .replace(u"<B>"_qs, u"bbbbbbbb-1111-4222-8333-444444444444"_qs)
        .replace(u"<C>"_qs, u"cccccccc-1111-4222-8333-444444444444"_qs)
        .replace(u"<D>"_qs, u"dddddddd-1111-4222-8333-444444444444"_qs)
        .replace(u"<E>"_qs, u"eeeeeeee-1111-4222-8333-444444444444"_qs);
}

void RecordedState::writeTo(RedisServer& server, Milliseconds ttl, Milliseconds wait) const {
    // In reverse order, so that the lock is written last, and ends after the timeout keys of its readers.
    const QStringList keys = m_keys.keys();
    for (auto it = keys.crbegin(); it != keys.crend(); ++it) {
        const QString& key = *it;
        const QJsonObject entry = m_keys[key].toObject();
        QString queue = key;
        queue.replace(u"redisson_lock_timeout:"_qs, u"redisson_lock_queue:"_qs);
        const QStringList command = entry[u"type"].toString() == u"zset"
                                        ? deadlinesCommand(key, m_keys[queue].toObject()[u"value"].toArray(), ttl, wait)
                                        : valueCommand(key, entry);
        const QString leaseEnd = QString::number(QDateTime::currentMSecsSinceEpoch() + ttl.count());
        server.cli(withUuids(command.join(u'\n')).replace(u"<deadline>"_qs, leaseEnd).split(u'\n'));
        if (entry[u"pttl"].toInt() > 0)
            server.cli({QStringLiteral("PEXPIRE"), withUuids(key), QString::number(ttl.count())});
    }
}

void RecordedState::writeAsRecorded(RedisServer& server, int timesAsLong) const {
    QStringList lines{QStringLiteral("MULTI")};
    for (const QString& key : m_keys.keys()) {
        const QJsonObject entry = m_keys[key].toObject();
        const bool isDeadlines = entry[u"type"].toString() == u"zset";
        lines +=
            (isDeadlines ? deadlinesCommand(key, entry[u"value"].toObject(), timesAsLong) : valueCommand(key, entry))
                .join(u' ');
        if (const int pttl = entry[u"pttl"].toInt(); pttl > 0)
            lines += QStringLiteral("PEXPIRE %1 %2").arg(key).arg(pttl * timesAsLong);
    }
    lines += QStringLiteral("EXEC\n");
    server.cli({}, withUuids(lines.join(u'\n')).toUtf8());
}

}  // namespace lockkeeper::test
