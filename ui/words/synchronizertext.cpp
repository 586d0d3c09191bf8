// SPDX-License-Identifier: Apache-2.0
#include "ui/words/synchronizertext.h"

#include "ui/words/locktext.h"
#include "ui/words/timetext.h"

#include <QCoreApplication>
#include <QStringList>

#include <algorithm>

namespace lockkeeper::ui {

namespace {

struct SynchronizerText {
    Q_DECLARE_TR_FUNCTIONS(SynchronizerText)
};

// A tool tip has room for this many.
constexpr qsizetype mostPermitLines = 10;

QString endText(const monitor::PermitLease& lease, const ViewTime& time) {
    const QString id = shortened(QString::fromLatin1(lease.id.toHex()));
    if (!lease.ends)
        return SynchronizerText::tr("%1 without end").arg(id);
    const QString end = clockText(*lease.ends, time.wallNow());
    return *lease.ends > time.wallMoment() ? SynchronizerText::tr("%1 until %2").arg(id, end)
                                           : SynchronizerText::tr("%1 ran out at %2").arg(id, end);
}

QString firstLeaseText(const QString& count, const monitor::PermitLease& first, const ViewTime& time) {
    if (!first.ends)
        return SynchronizerText::tr("%1, first without end").arg(count);
    const QString end = clockText(*first.ends, time.wallNow());
    return *first.ends > time.wallMoment() ? SynchronizerText::tr("%1, first until %2").arg(count, end)
                                           : SynchronizerText::tr("%1, first ran out at %2").arg(count, end);
}

}  // namespace

QString kindText(monitor::SynchronizerKind kind) {
    switch (kind) {
        case monitor::SynchronizerKind::Semaphore:
            return SynchronizerText::tr("Semaphore");
        case monitor::SynchronizerKind::CountDownLatch:
            return SynchronizerText::tr("Count-down latch");
        case monitor::SynchronizerKind::Unknown:
            return SynchronizerText::tr("Not known");
    }
    return {};
}

QString counterText(const monitor::Synchronizer& synchronizer) {
    switch (synchronizer.state) {
        case monitor::CounterState::Read:
            return numberText(synchronizer.count.value_or(0));
        case monitor::CounterState::Missing:
            return SynchronizerText::tr("0 (no key)");
        case monitor::CounterState::NoCounter:
            return SynchronizerText::tr("no number");
        case monitor::CounterState::NotReadable:
            return SynchronizerText::tr("not readable");
    }
    return {};
}

QString leasedText(const monitor::Synchronizer& synchronizer, const ViewTime& time) {
    if (synchronizer.kind == monitor::SynchronizerKind::CountDownLatch)
        return {};
    if (!synchronizer.leased)
        return SynchronizerText::tr("not readable");
    if (*synchronizer.leased == 0)
        return {};
    const QString count = numberText(*synchronizer.leased);
    return synchronizer.leases.empty() ? count : firstLeaseText(count, synchronizer.leases.front(), time);
}

QString longestLeasedText() {
    const QString end = QStringLiteral("23:59:59");
    return SynchronizerText::tr("%1, first ran out at %2").arg(numberText(999), end);
}

QString leaseText(const monitor::PermitLease& lease, const ViewTime& time) {
    const QString end = endText(lease, time);
    return lease.since ? SynchronizerText::tr("%1, seen since %2").arg(end, clockText(*lease.since, time.wallNow()))
                       : end;
}

std::vector<monitor::PermitLease> overLeases(const monitor::Synchronizer& synchronizer, const ViewTime& time) {
    std::vector<monitor::PermitLease> over;
    std::ranges::copy_if(synchronizer.leases, std::back_inserter(over), [&time](const monitor::PermitLease& lease) {
        return lease.ends && *lease.ends <= time.wallMoment();
    });
    return over;
}

QString leasesText(const monitor::Synchronizer& synchronizer, const ViewTime& time) {
    const auto shown = std::min(static_cast<qsizetype>(synchronizer.leases.size()), mostPermitLines);
    QStringList lines;
    for (qsizetype i = 0; i < shown; ++i)
        lines << leaseText(synchronizer.leases[static_cast<size_t>(i)], time);
    const qint64 more = synchronizer.leased.value_or(0) - shown;
    if (shown > 0 && more > 0)
        lines << SynchronizerText::tr("and %Ln more", nullptr, static_cast<int>(more));
    return lines.join(QLatin1Char('\n'));
}

}  // namespace lockkeeper::ui
