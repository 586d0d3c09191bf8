// SPDX-License-Identifier: Apache-2.0
#include "monitor/format/synchronizerjson.h"

#include "base/isotime.h"
#include "base/safetext.h"
#include "monitor/format/eventline.h"
#include "monitor/format/evidencejson.h"

#include <QJsonArray>
#include <QJsonDocument>

namespace lockkeeper::monitor {

namespace {

const auto eventWord = QStringLiteral("synchronizer");

QString wordFor(SynchronizerPhase phase) {
    switch (phase) {
        case SynchronizerPhase::Begun:
            return QStringLiteral("begin");
        case SynchronizerPhase::Changed:
            return QStringLiteral("change");
        case SynchronizerPhase::Ended:
            return QStringLiteral("end");
    }
    return {};
}

QJsonObject toJson(const PermitLease& lease) {
    QJsonObject object{{QStringLiteral("id"), QString::fromLatin1(lease.id.toHex())}};
    if (lease.ends)
        object.insert(QStringLiteral("until"), isoTime(*lease.ends));
    if (lease.since)
        object.insert(QStringLiteral("since"), isoTime(*lease.since));
    return object;
}

QJsonObject toJson(const Diagnosis& diagnosis) {
    return {{QStringLiteral("diagnosis"), wordFor(diagnosis.kind())},
            {QStringLiteral("certainty"), wordFor(diagnosis.certainty)},
            {QStringLiteral("evidence"), toJson(diagnosis.evidence, noAlias)}};
}

// The gravest one stands in the object itself; with several, all of them are in a list, too.
void addDiagnoses(QJsonObject& object, const QList<Diagnosis>& diagnoses) {
    if (diagnoses.isEmpty())
        return;
    const QJsonObject first = toJson(diagnoses.first());
    for (auto it = first.begin(); it != first.end(); ++it)
        object.insert(it.key(), it.value());
    if (diagnoses.size() == 1)
        return;
    QJsonArray all;
    for (const Diagnosis& diagnosis : diagnoses)
        all.append(toJson(diagnosis));
    object.insert(QStringLiteral("diagnoses"), all);
}

void addLeases(QJsonObject& object, const Synchronizer& synchronizer) {
    if (synchronizer.leased.value_or(0) == 0)
        return;
    QJsonArray leases;
    for (const PermitLease& lease : synchronizer.leases)
        leases.append(toJson(lease));
    object.insert(QStringLiteral("leased"), *synchronizer.leased);
    object.insert(QStringLiteral("leases"), leases);
}

}  // namespace

QByteArray toJsonLine(const SynchronizerChange& change, WallTime at) {
    const Synchronizer& synchronizer = change.synchronizer;
    QJsonObject object{{QStringLiteral("at"), isoTime(at)},
                       {QStringLiteral("event"), eventWord},
                       {QStringLiteral("phase"), wordFor(change.phase)},
                       {QStringLiteral("kind"), wordFor(synchronizer.kind)},
                       {QStringLiteral("waiters"), synchronizer.clients}};
    addBytes(object, QStringLiteral("name"), synchronizer.name.bytes());
    if (synchronizer.count)
        object.insert(countField(synchronizer.kind), *synchronizer.count);
    if (const QString key = wordFor(synchronizer.state); !key.isEmpty())
        object.insert(QStringLiteral("key"), key);
    addLeases(object, synchronizer);
    if (synchronizer.isLeftOver())
        object.insert(QStringLiteral("left_over"), true);
    addDiagnoses(object, synchronizer.allDiagnoses());
    return QJsonDocument(object).toJson(QJsonDocument::Compact);
}

QString toTextLine(const SynchronizerChange& change, WallTime at) {
    const Synchronizer& synchronizer = change.synchronizer;
    QString line = textLine(eventWord, at) +
                   QStringLiteral("%1 %2 %3")
                       .arg(wordFor(change.phase), wordFor(synchronizer.kind), boundedName(synchronizer.name));
    if (synchronizer.count)
        line += QStringLiteral("  %1 %2").arg(countField(synchronizer.kind)).arg(*synchronizer.count);
    if (const QString key = wordFor(synchronizer.state); !key.isEmpty())
        line += QStringLiteral("  key %1").arg(key);
    if (synchronizer.leased.value_or(0) > 0)
        line += QStringLiteral("  leased %1").arg(*synchronizer.leased);
    line += QStringLiteral("  waiters %1").arg(synchronizer.clients);
    for (const Diagnosis& diagnosis : synchronizer.allDiagnoses())
        line += QStringLiteral("  %1: %2").arg(wordFor(diagnosis.kind()), wordFor(diagnosis.certainty));
    return line;
}

}  // namespace lockkeeper::monitor
