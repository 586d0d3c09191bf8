// SPDX-License-Identifier: Apache-2.0
#include "monitor/format/csv/recordcsv.h"

#include "base/exacttext.h"
#include "base/isotime.h"
#include "monitor/format/csv/csvline.h"
#include "monitor/format/evidencejson.h"

#include <QJsonDocument>

#include <algorithm>

namespace lockkeeper::monitor {

namespace {

// Separates several values in one cell.
const auto cellSeparator = QStringLiteral("; ");

QString count(qint64 number) {
    return QString::number(number);
}

QString milliseconds(Milliseconds duration) {
    return count(duration.count());
}

QString yes(bool is) {
    return is ? QStringLiteral("true") : QString();
}

QString holderCell(const Holder& holder) {
    const QString cell = QStringLiteral("%1 %2 %3").arg(holder.id.display(), wordFor(holder.mode)).arg(holder.count);
    return holder.transaction ? cell + u' ' + QString::fromLatin1(*holder.transaction) : cell;
}

QString holdersCell(const LockSnapshot& lock) {
    QStringList holders;
    for (const Holder& holder : lock.holders)
        holders << holderCell(holder);
    if (lock.isCut())
        holders << QStringLiteral("and %1 more").arg(lock.holderCount() - lock.holders.size());
    return holders.join(cellSeparator);
}

// In the order of the holders; empty if none has an alias.
QString aliasesCell(const LockSnapshot& lock, const AliasOf& aliasOf) {
    QStringList aliases;
    for (const Holder& holder : lock.holders)
        aliases << aliasOf(holder.id.client());
    const bool any = std::any_of(aliases.begin(), aliases.end(), [](const QString& alias) { return !alias.isEmpty(); });
    return any ? aliases.join(cellSeparator) : QString();
}

QString ttlCell(const LockSnapshot& lock) {
    return lock.ttl ? milliseconds(*lock.ttl) : lock.isHeld() ? QStringLiteral("-1") : QString();
}

QString diagnosesCell(const QList<Diagnosis>& diagnoses) {
    QStringList words;
    for (const Diagnosis& diagnosis : diagnoses)
        words << QStringLiteral("%1 %2").arg(wordFor(diagnosis.kind()), wordFor(diagnosis.certainty));
    return words.join(cellSeparator);
}

// The cells that both records share, from the kind on.
QStringList lockCells(const LockSnapshot& lock, const AliasOf& aliasOf) {
    return {wordFor(lock.kind),
            holdersCell(lock),
            aliasesCell(lock, aliasOf),
            ttlCell(lock),
            lock.waiters ? count(*lock.waiters) : QString(),
            lock.token ? count(*lock.token) : QString(),
            lock.monitorsAmongWaiters > 0 ? QString::number(lock.monitorsAmongWaiters) : QString(),
            lock.node ? lock.node->address : QString()};
}

QStringList lockColumns() {
    return {QStringLiteral("lock"),    QStringLiteral("lock_base64"), QStringLiteral("kind"),
            QStringLiteral("holders"), QStringLiteral("aliases"),     QStringLiteral("ttl_ms"),
            QStringLiteral("waiters"), QStringLiteral("token"),       QStringLiteral("monitors_among_waiters"),
            QStringLiteral("node")};
}

QStringList diagnosisCells(const LockEvent& event, const AliasOf& aliasOf) {
    if (!event.diagnosis)
        return {QString(), QString(), QString(), QString()};
    const QByteArray evidence =
        QJsonDocument(toJson(event.diagnosis->evidence, aliasOf)).toJson(QJsonDocument::Compact);
    return {wordFor(event.diagnosis->kind()), wordFor(event.phase), wordFor(event.diagnosis->certainty),
            QString::fromUtf8(evidence)};
}

// What was seen of the hold before a time that was not watched.
QStringList seenBeforeCells(const LockRow& row) {
    if (!row.lock.isHeld() || !row.hold.seenBefore)
        return {QString(), QString(), QString()};
    const SeenBefore& before = *row.hold.seenBefore;
    return {isoTime(before.since), isoTime(before.unwatchedFrom), isoTime(before.unwatchedTo)};
}

QString numberCell(const std::optional<qint64>& number) {
    return number ? QString::number(*number) : QString();
}

// Puts the number into the column of its kind.
QStringList countCells(const Synchronizer& synchronizer) {
    QStringList cells;
    for (const SynchronizerKind kind :
         {SynchronizerKind::Semaphore, SynchronizerKind::CountDownLatch, SynchronizerKind::Unknown})
        cells << (kind == synchronizer.kind ? numberCell(synchronizer.count) : QString());
    return cells;
}

QString leasesCell(const Synchronizer& synchronizer) {
    QStringList leases;
    for (const PermitLease& lease : synchronizer.leases) {
        const QString id = QString::fromLatin1(lease.id.toHex());
        const QString since = lease.since ? QStringLiteral(" since %1").arg(isoTime(*lease.since)) : QString();
        leases << (lease.ends ? QStringLiteral("%1%2 until %3").arg(id, since, isoTime(*lease.ends)) : id + since);
    }
    return leases.join(cellSeparator);
}

}  // namespace

QStringList nameCells(const LockName& name) {
    const std::optional<QString> text = exactText(name.bytes());
    if (text && csvKeeps(*text))
        return {*text, QString()};
    const bool isReadable = text && !text->contains(QChar::Null);
    return {isReadable ? *text : QString(), QString::fromLatin1(name.bytes().toBase64())};
}

QString releaseCell(ReleaseSign sign) {
    switch (sign) {
        case ReleaseSign::Message:
            break;
        case ReleaseSign::NoMessage:
            return QStringLiteral("no_message");
        case ReleaseSign::Inferred:
            return QStringLiteral("inferred");
    }
    return {};
}

QByteArray lockCsvHeader() {
    return csvLine(QStringList{QStringLiteral("at")} + lockColumns() +
                   QStringList{QStringLiteral("held_since"), QStringLiteral("or_before"), QStringLiteral("renewals"),
                               QStringLiteral("diagnoses"), QStringLiteral("seen_since"),
                               QStringLiteral("not_watched_from"), QStringLiteral("not_watched_to")});
}

QByteArray toCsvLine(const LockRow& row, const AliasOf& aliasOf) {
    const bool held = row.lock.isHeld();
    return csvLine(QStringList{isoTime(row.lock.seenAtWall)} + nameCells(row.lock.name) + lockCells(row.lock, aliasOf) +
                   QStringList{held ? isoTime(row.hold.sinceWall) : QString(), yes(held && !row.hold.isBeginSeen()),
                               held ? count(row.hold.renewals) : QString(), diagnosesCell(row.diagnoses)} +
                   seenBeforeCells(row));
}

QByteArray eventCsvHeader() {
    return csvLine(QStringList{QStringLiteral("at"), QStringLiteral("event")} + lockColumns() +
                   QStringList{QStringLiteral("holder"), QStringLiteral("holder_alias"), QStringLiteral("suspect"),
                               QStringLiteral("gap_ms"), QStringLiteral("not_written"), QStringLiteral("diagnosis"),
                               QStringLiteral("phase"), QStringLiteral("certainty"), QStringLiteral("evidence"),
                               QStringLiteral("release")});
}

QByteArray toCsvLine(const LockEvent& event, const AliasOf& aliasOf) {
    const QString alias = event.holder ? aliasOf(event.holder->id.client()) : QString();
    const QString gap = event.type == EventType::NotWatched ? milliseconds(event.gap) : QString();
    return csvLine(QStringList{isoTime(event.at), wordFor(event.type)} + nameCells(event.lock.name) +
                   lockCells(event.lock, aliasOf) +
                   QStringList{event.holder ? holderCell(*event.holder) : QString(), alias, yes(event.suspect), gap,
                               yes(event.notWritten)} +
                   diagnosisCells(event, aliasOf) + QStringList{releaseCell(event.releaseSign)});
}

QByteArray synchronizerCsvHeader() {
    return csvLine({QStringLiteral("at"), QStringLiteral("name"), QStringLiteral("name_base64"), QStringLiteral("kind"),
                    countField(SynchronizerKind::Semaphore), countField(SynchronizerKind::CountDownLatch),
                    countField(SynchronizerKind::Unknown), QStringLiteral("key"), QStringLiteral("leased"),
                    QStringLiteral("leases"), QStringLiteral("waiters"), QStringLiteral("diagnoses")});
}

QByteArray toCsvLine(const Synchronizer& synchronizer) {
    return csvLine(QStringList{isoTime(synchronizer.seenAtWall)} + nameCells(synchronizer.name) +
                   QStringList{wordFor(synchronizer.kind)} + countCells(synchronizer) +
                   QStringList{wordFor(synchronizer.state), numberCell(synchronizer.leased), leasesCell(synchronizer),
                               QString::number(synchronizer.clients), diagnosesCell(synchronizer.allDiagnoses())});
}

}  // namespace lockkeeper::monitor
