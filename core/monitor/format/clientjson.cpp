// SPDX-License-Identifier: Apache-2.0
#include "monitor/format/clientjson.h"

#include "base/isotime.h"
#include "monitor/format/eventline.h"
#include "monitor/format/evidencejson.h"

#include <QJsonArray>
#include <QJsonDocument>

#include <algorithm>

namespace lockkeeper::monitor {

namespace {

constexpr qsizetype locksInLine = 100;

QJsonObject toJson(const Diagnosis& diagnosis, const AliasOf& aliasOf) {
    QJsonArray issues;
    for (const int issue : issuesOf(diagnosis.kind()))
        issues += issue;
    return {{QStringLiteral("certainty"), wordFor(diagnosis.certainty)},
            {QStringLiteral("diagnosis"), wordFor(diagnosis.kind())},
            {QStringLiteral("evidence"), toJson(diagnosis.evidence, aliasOf)},
            {QStringLiteral("issues"), issues}};
}

QJsonObject toJson(const LastSign& sign) {
    QJsonObject object{{QStringLiteral("at"), isoTime(sign.at)}, {QStringLiteral("what"), wordFor(sign.what)}};
    addBytes(object, QStringLiteral("lock"), sign.lock.bytes());
    return object;
}

QJsonArray namesOf(const QList<LockName>& locks) {
    QJsonArray names;
    for (const LockName& name : locks.first(std::min(locksInLine, locks.size()))) {
        QJsonObject lock;
        addBytes(lock, QStringLiteral("lock"), name.bytes());
        names += lock;
    }
    return names;
}

QString programWord(const ClientId& client) {
    return isRedissonId(client) ? QStringLiteral("redisson") : QStringLiteral("other");
}

QString textOf(double rate) {
    return rate > 0 ? QString::number(rate, 'f', 1) : QStringLiteral("-");
}

QStringList cellsOf(const ClientRow& client, const AliasOf& aliasOf) {
    const QString alias = aliasOf(client.id);
    const QString id = QString::fromLatin1(client.id.bytes());
    const bool hasSign = client.last.what != SignOfLife::None;
    return {alias.isEmpty() ? id : QStringLiteral("%1 (%2)").arg(alias, id),
            QString::number(client.held),
            QString::number(client.waitsFor),
            QString::number(client.deadPlaces),
            hasSign ? clockTime(client.last.at) + QLatin1Char(' ') + wordFor(client.last.what) : QStringLiteral("-"),
            textOf(client.renewalsPerSecond),
            client.watchdogTimeout > Milliseconds(0)
                ? QStringLiteral("%1 s").arg(static_cast<double>(client.watchdogTimeout.count()) / 1000, 0, 'f', 1)
                : QStringLiteral("-"),
            QString::number(client.losses),
            client.diagnoses.isEmpty() ? QString() : wordFor(client.diagnoses.first().kind())};
}

QJsonObject toJson(const ClientRow& client, WallTime at, const AliasOf& aliasOf) {
    QJsonArray diagnoses;
    for (const Diagnosis& diagnosis : client.diagnoses)
        diagnoses += toJson(diagnosis, aliasOf);
    QJsonObject object{{QStringLiteral("at"), isoTime(at)},
                       {QStringLiteral("event"), QStringLiteral("client")},
                       {QStringLiteral("client"), QString::fromLatin1(client.id.bytes())},
                       {QStringLiteral("program"), programWord(client.id)},
                       {QStringLiteral("first_seen"), isoTime(client.firstSeen)},
                       {QStringLiteral("held"), client.held},
                       {QStringLiteral("waits_for"), client.waitsFor},
                       {QStringLiteral("dead_places"), client.deadPlaces},
                       {QStringLiteral("losses"), static_cast<qint64>(client.losses)},
                       {QStringLiteral("renewals"), static_cast<qint64>(client.renewals)},
                       {QStringLiteral("diagnoses"), diagnoses}};
    addAlias(object, QStringLiteral("alias"), aliasOf(client.id));
    if (client.last.what != SignOfLife::None)
        object.insert(QStringLiteral("last_sign"), toJson(client.last));
    if (client.renewalsPerSecond > 0)
        object.insert(QStringLiteral("renewals_per_second"), client.renewalsPerSecond);
    if (client.watchdogTimeout > Milliseconds(0))
        object.insert(QStringLiteral("watchdog_timeout_ms"), static_cast<qint64>(client.watchdogTimeout.count()));
    return object;
}

}  // namespace

QByteArray toJsonLine(const ClientRow& client, const QList<LockName>& locks, WallTime at, const AliasOf& aliasOf) {
    QJsonObject object = toJson(client, at, aliasOf);
    object.insert(QStringLiteral("locks"), namesOf(locks));
    return QJsonDocument(object).toJson(QJsonDocument::Compact);
}

QByteArray toJsonLine(const ClientRow& client, WallTime at, const AliasOf& aliasOf) {
    return QJsonDocument(toJson(client, at, aliasOf)).toJson(QJsonDocument::Compact);
}

QStringList clientTable(const QList<ClientRow>& clients, const AliasOf& aliasOf) {
    QList<QStringList> rows{{QStringLiteral("CLIENT"), QStringLiteral("HOLDS"), QStringLiteral("QUEUES"),
                             QStringLiteral("DEAD PLACES"), QStringLiteral("LAST SIGN"), QStringLiteral("RENEWALS/S"),
                             QStringLiteral("WATCHDOG"), QStringLiteral("LOSSES"), QStringLiteral("DIAGNOSIS")}};
    for (const ClientRow& client : clients)
        rows += cellsOf(client, aliasOf);
    QList<qsizetype> widths(rows.first().size(), 0);
    for (const QStringList& row : rows) {
        for (qsizetype column = 0; column < row.size(); ++column)
            widths[column] = std::max(widths[column], row[column].size());
    }
    QStringList lines;
    for (const QStringList& row : rows) {
        QString line;
        for (qsizetype column = 0; column < row.size(); ++column)
            line += row[column].leftJustified(widths[column] + 2);
        lines += line.trimmed();
    }
    return lines;
}

}  // namespace lockkeeper::monitor
