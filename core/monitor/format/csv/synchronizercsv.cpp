// SPDX-License-Identifier: Apache-2.0
#include "monitor/format/csv/synchronizercsv.h"

#include "monitor/format/csv/csvline.h"
#include "base/isotime.h"
#include "monitor/format/csv/csvcells.h"

namespace lockkeeper::monitor {

namespace {

QString numberText(const std::optional<qint64>& number) {
    return number ? QString::number(*number) : QString();
}

// Puts the number into the column of its kind.
QStringList countCells(const Synchronizer& synchronizer) {
    QStringList cells;
    for (const SynchronizerKind kind :
         {SynchronizerKind::Semaphore, SynchronizerKind::CountDownLatch, SynchronizerKind::Unknown})
        cells << (kind == synchronizer.kind ? numberText(synchronizer.count) : QString());
    return cells;
}

QString leasesText(const Synchronizer& synchronizer) {
    QStringList leases;
    for (const PermitLease& lease : synchronizer.leases) {
        const QString id = QString::fromLatin1(lease.id.toHex());
        leases << (lease.ends ? QStringLiteral("%1 until %2").arg(id, isoTime(*lease.ends)) : id);
    }
    return leases.join(cellSeparator);
}

}  // namespace

QByteArray synchronizerCsvHeader() {
    return csvLine({QStringLiteral("at"), QStringLiteral("name"), QStringLiteral("name_base64"), QStringLiteral("kind"),
                    countField(SynchronizerKind::Semaphore), countField(SynchronizerKind::CountDownLatch),
                    countField(SynchronizerKind::Unknown), QStringLiteral("key"), QStringLiteral("leased"),
                    QStringLiteral("leases"), QStringLiteral("waiters")});
}

QByteArray toCsvLine(const Synchronizer& synchronizer) {
    return csvLine(QStringList{isoTime(synchronizer.seenAtWall)} + nameCells(synchronizer.name) +
                   QStringList{wordFor(synchronizer.kind)} + countCells(synchronizer) +
                   QStringList{wordFor(synchronizer.state), numberText(synchronizer.leased), leasesText(synchronizer),
                               QString::number(synchronizer.clients)});
}

}  // namespace lockkeeper::monitor
