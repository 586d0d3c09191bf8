// SPDX-License-Identifier: Apache-2.0
#include "ui/words/watchingtext.h"

#include "monitor/format/statsjson.h"
#include "monitor/model/monitorbatch.h"
#include "ui/words/causetext.h"
#include "ui/words/diagnosistext.h"
#include "ui/words/locktext.h"
#include "ui/words/timetext.h"

#include <QCoreApplication>
#include <QLocale>

#include <algorithm>

namespace lockkeeper::ui {

namespace {

struct WatchingText {
    Q_DECLARE_TR_FUNCTIONS(WatchingText)
};

QString sourceExplanation(monitor::ObservationMode source) {
    switch (source) {
        case monitor::ObservationMode::None:
            return {};
        case monitor::ObservationMode::Tracking:
            return WatchingText::tr(
                "The server reports each change of a known lock (CLIENT TRACKING); idle locks cost nothing");
        case monitor::ObservationMode::KeyspaceEvents:
            return WatchingText::tr(
                "The server publishes changes of keys (notify-keyspace-events); those of known locks are received");
        case monitor::ObservationMode::Polling:
            return WatchingText::tr("Each known lock is read again and again, within the budget");
    }
    return {};
}

QString blindSpotText(monitor::BlindSpot spot) {
    switch (spot) {
        case monitor::BlindSpot::FastChanges:
            return WatchingText::tr("Not seen: what comes and goes before the read that follows a change");
        case monitor::BlindSpot::FairQueues:
            return WatchingText::tr("Seen late: who joins or leaves the queue of a fair lock");
        case monitor::BlindSpot::BetweenPolls:
            return WatchingText::tr("Not seen: what comes and goes between two reads");
        case monitor::BlindSpot::UnknownNames:
            return WatchingText::tr(
                "Seen late: a lock of a new name, until a sweep, a waiter or a message leads to it");
        case monitor::BlindSpot::ShortNewLocks:
            return WatchingText::tr(
                "Not seen: the holder of a lock of a new name that ends before its first read. Its name is seen if a "
                "message announces its release. A lock may be seen up to a minute late if its key was something "
                "else just before");
    }
    return {};
}

QString writeReportsText(monitor::WriteReports reports) {
    switch (reports) {
        case monitor::WriteReports::NotYet:
            return {};
        case monitor::WriteReports::On:
            return WatchingText::tr(
                "The server reports each write (CLIENT TRACKING BCAST), so locks of new names are found at once");
        case monitor::WriteReports::Paused:
            return WatchingText::tr("The server does not report each write while discovery is paused");
        case monitor::WriteReports::Busy:
            return WatchingText::tr(
                "The server is too busy to report each write, or it ended that connection. This is tried again");
        case monitor::WriteReports::LoadUnknown:
            return WatchingText::tr(
                "The server is not asked to report each write: it refuses INFO, so its load is not known");
        case monitor::WriteReports::Refused:
            return WatchingText::tr("The server refuses to report each write (CLIENT TRACKING BCAST, SUBSCRIBE)");
        case monitor::WriteReports::LimitUnknown:
            return WatchingText::tr(
                "The server is not asked to report each write: it refuses CONFIG GET, so its output buffer limit for "
                "pub/sub is not known");
        case monitor::WriteReports::Unlimited:
            return WatchingText::tr(
                "The server is not asked to report each write: it has no output buffer limit for pub/sub "
                "(client-output-buffer-limit)");
        case monitor::WriteReports::NoResp3:
            return WatchingText::tr("The server cannot report each write: it has no RESP3");
    }
    return {};
}

QString deniedText(const monitor::Denial& denial) {
    switch (denial.what) {
        case monitor::Denied::Command:
            return denial.command;
        case monitor::Denied::SemaphoreCommand:
            return WatchingText::tr("%1 for semaphores").arg(denial.command);
        case monitor::Denied::Keys:
            return WatchingText::tr("Keys");
        case monitor::Denied::ReaderTimeouts:
            return WatchingText::tr("Keys of readers' leases");
        case monitor::Denied::Rows:
            return WatchingText::tr("Rows");
        case monitor::Denied::Synchronizers:
            return WatchingText::tr("Semaphores and latches");
        case monitor::Denied::DiscoveryConnection:
            return WatchingText::tr("Discovery");
        case monitor::Denied::Replica:
            return WatchingText::tr("Replica");
        case monitor::Denied::TrackingTable:
            return QStringLiteral("tracking-table-max-keys");
    }
    return {};
}

QString consequenceText(const monitor::Denial& denial) {
    switch (denial.consequence) {
        case monitor::Consequence::ConnectionMayBeEvicted:
            return WatchingText::tr("the server may end this connection if clients use too much memory");
        case monitor::Consequence::ReadsCountAsUse:
            return WatchingText::tr("reads count as use when the server selects keys to evict");
        case monitor::Consequence::FairLocksLookPlain:
            return WatchingText::tr("fair locks are shown as plain ones, without their queue");
        case monitor::Consequence::FencedLocksLookPlain:
            return WatchingText::tr("fenced locks are shown as plain ones, without their token");
        case monitor::Consequence::ReadsCostMore:
            return WatchingText::tr("a lock takes several commands to read");
        case monitor::Consequence::RecognitionCostsMore:
            return WatchingText::tr("hashes that are not locks cost more to recognize");
        case monitor::Consequence::ReaderLeasesUnknown:
            return WatchingText::tr("the leases of single readers are not known");
        case monitor::Consequence::LocksUnreadable:
            return WatchingText::tr("locks cannot be read");
        case monitor::Consequence::SomeKeysUnreadable:
            return WatchingText::tr("some keys may not be read");
        case monitor::Consequence::WaitersUnknown:
            return WatchingText::tr("who waits for a lock is not known, except in a fair lock's queue");
        case monitor::Consequence::OtherMonitorsUnknown:
            return WatchingText::tr("other monitors count as clients that wait");
        case monitor::Consequence::ServerFiguresUnknown:
            return WatchingText::tr(
                "script storms, missing replicas, swapped databases and jumps of the server's clock are not noticed");
        case monitor::Consequence::LocksPolled:
            return WatchingText::tr("locks are polled, changes between two reads are not seen");
        case monitor::Consequence::PrefixesNotTracked:
            return WatchingText::tr("new locks under the given prefixes are found as all others are");
        case monitor::Consequence::NewFieldsNotReceived:
            return WatchingText::tr("published fields are not received, new locks are found by sweeps");
        case monitor::Consequence::ReleasesUnknown:
            return WatchingText::tr("a released lock cannot be distinguished from a deleted or expired one");
        case monitor::Consequence::ReadWriteReleasesUnknown:
            return WatchingText::tr("a released read/write lock cannot be distinguished from a deleted or expired one");
        case monitor::Consequence::PublishingUnknown:
            return WatchingText::tr("whether the server publishes changes of keys is not known");
        case monitor::Consequence::KeyChangesNotReceived:
            return WatchingText::tr("changes of keys that the server publishes are not received");
        case monitor::Consequence::QueuesSeenLate:
            return WatchingText::tr("who joins or leaves the queue of a fair lock is seen late");
        case monitor::Consequence::SynchronizersUnseen:
            return WatchingText::tr("semaphores and latches are not seen");
        case monitor::Consequence::LeasedPermitsUnseen:
            return WatchingText::tr("leased permits are not seen");
        case monitor::Consequence::SynchronizersLeftOut:
            return WatchingText::tr("clients wait for more than %1; the others are not read")
                .arg(monitor::SynchronizerReading::mostSeen);
        case monitor::Consequence::LocksLeftOut:
            return WatchingText::tr("there are more locks than are kept in memory");
        case monitor::Consequence::ProgressUnknown:
            return WatchingText::tr("the progress of a sweep is not known, and sweeps are slow");
        case monitor::Consequence::LocksNotScanned:
            return WatchingText::tr(
                "a lock is only found when a client waits for it or releases it, or by a reported write");
        case monitor::Consequence::NoConnectionToScan:
            return WatchingText::tr("no connection to find locks with: %1").arg(reasonText(denial.error));
        case monitor::Consequence::DeadWaitersNotProven:
            return WatchingText::tr("is not asked who waits, so no waiter of a fair lock is proven dead: %1")
                .arg(reasonText(denial.error));
        case monitor::Consequence::ChangesSeenLate:
            return WatchingText::tr("the server tracks too few keys, changes of locks may be seen late");
    }
    return {};
}

QString limitText(const monitor::ObservationLimit& limit) {
    switch (limit.kind) {
        case monitor::ObservationLimit::Kind::None:
            return {};
        case monitor::ObservationLimit::Kind::NoResp3:
            return WatchingText::tr("Nothing better: this server has no RESP3, so it sends no push messages");
        case monitor::ObservationLimit::Kind::TrackingRefused:
            return WatchingText::tr("Nothing better: the server refuses CLIENT TRACKING (%1)")
                .arg(reasonText(limit.error));
    }
    return {};
}

// "12.3 million"; smaller numbers are written in full.
QString roughNumberText(qint64 number) {
    constexpr qint64 million = 1'000'000;
    if (number < million)
        return numberText(number);
    const double millions = static_cast<double>(number) / million;
    return WatchingText::tr("%1 million").arg(QLocale().toString(millions, 'f', number < 10 * million ? 1 : 0));
}

QString keysText(quint64 keys) {
    return roughNumberText(static_cast<qint64>(keys));
}

QString progressText(const monitor::MonitorStats& stats) {
    if (stats.databaseSize <= 0)
        return WatchingText::tr("Keys read: %1").arg(keysText(stats.keysThisSweep));
    const qint64 percent = std::min<qint64>(100, static_cast<qint64>(stats.keysThisSweep) * 100 / stats.databaseSize);
    return WatchingText::tr("Keys read: %1 % of %2").arg(percent).arg(roughNumberText(stats.databaseSize));
}

// A sweep leaves out the nodes that are lost.
QString doneText(const monitor::MonitorStats& stats) {
    if (stats.sweepsDone == 0)
        return progressText(stats);
    const auto lost = std::ranges::count_if(stats.nodes, [](const auto& node) { return monitor::isLost(node.phase); });
    const QString keys = keysText(stats.keysInLastSweep);
    if (lost == 0)
        return WatchingText::tr("All keys read: %1").arg(keys);
    return WatchingText::tr("Keys read: %1, without those of lost nodes (%2 of %3)")
        .arg(keys, numberText(lost), numberText(stats.nodes.size()));
}

QString tokenLitterText(const monitor::TokenLitter& litter) {
    return WatchingText::
        tr("Token litter (likely). Sample: %1 keys; tokens of fenced locks among them: %2; tokens read: %3; without "
           "TTL "
           "and without a lock: %4.\nRedisson never deletes them. Each name that is used once leaves one: reuse names, "
           "or delete the tokens of names that are never used again (a token that starts again from 1 does not fence). "
           "See redisson/redisson issue %5.")
            .arg(keysText(litter.sampledKeys), keysText(litter.found), numberText(litter.checked),
                 numberText(litter.leftOver), QString::number(monitor::tokenLitterIssue));
}

QString leaseLitterText(const monitor::LeaseLitter& litter) {
    return WatchingText::
        tr("Leases left over (likely). Sets of leases of permits: %1; read: %2; without a semaphore: %3.\nThey have no "
           "TTL. A semaphore that is deleted by hand, or that expired, leaves its set: delete {NAME}:timeout with it, "
           "as RPermitExpirableSemaphore.delete() does.")
            .arg(keysText(litter.found), numberText(litter.checked), numberText(litter.leftOver));
}

}  // namespace

QString sourceText(monitor::ObservationMode source) {
    switch (source) {
        case monitor::ObservationMode::None:
            return WatchingText::tr("Not watching");
        case monitor::ObservationMode::Tracking:
            return WatchingText::tr("Tracking");
        case monitor::ObservationMode::KeyspaceEvents:
            return WatchingText::tr("Keyspace events");
        case monitor::ObservationMode::Polling:
            return WatchingText::tr("Polling");
    }
    return {};
}

QString sourceToolTip(const monitor::MonitorStats& stats) {
    QStringList lines{sourceExplanation(stats.observation)};
    if (const QString limit = limitText(stats.observationLimit); !limit.isEmpty())
        lines += limit;
    if (stats.noticesNewNames)
        lines += WatchingText::tr(
            "The server publishes fields (subkey notifications), so locks of new names are found at once");
    if (const QString reports = writeReportsText(stats.writeReports); !reports.isEmpty())
        lines += reports;
    for (const monitor::BlindSpot spot : monitor::blindSpotsOf(stats))
        lines += blindSpotText(spot);
    lines += denialTexts(stats.denied);
    return lines.join(QLatin1Char('\n'));
}

QStringList denialTexts(const QList<monitor::Denial>& denials) {
    QStringList lines;
    for (const monitor::Denial& denial : denials)
        lines << (denial.node.isEmpty() ? WatchingText::tr("%1: %2").arg(deniedText(denial), consequenceText(denial))
                                        : WatchingText::tr("%1, on node %2: %3")
                                              .arg(deniedText(denial), denial.node, consequenceText(denial)));
    lines.sort();
    return lines;
}

QString discoveryText(const monitor::MonitorStats& stats) {
    if (stats.discovery == monitor::DiscoveryState::Refused)
        return WatchingText::tr("Keys may not be scanned");
    const QString done = doneText(stats);
    return stats.discovery == monitor::DiscoveryState::Paused ? WatchingText::tr("Paused. %1").arg(done) : done;
}

// A sweep of a small database takes less than a second: what changes that often is in the tool tip only.
QString discoveryToolTip(const monitor::MonitorStats& stats) {
    if (stats.discovery == monitor::DiscoveryState::Refused)
        return WatchingText::tr(
            "The server refuses SCAN to this user: a lock is found when somebody waits for it or releases it, or by a "
            "reported write");
    if (stats.discovery == monitor::DiscoveryState::Paused)
        return WatchingText::tr("Locks of new names are not searched for until discovery is resumed");
    if (stats.sweepsDone == 0)
        return WatchingText::tr("The first sweep is under way");
    return WatchingText::tr("Sweep %1: %2").arg(keysText(stats.sweepsDone + 1), progressText(stats));
}

QString litterText(const monitor::MonitorStats& stats) {
    QStringList texts;
    if (hasLitter(stats))
        texts << WatchingText::tr("About %1 left-over tokens").arg(keysText(stats.tokenLitter->estimate));
    if (hasLeaseLitter(stats))
        texts << WatchingText::tr("About %1 left-over sets of leases").arg(keysText(stats.leaseLitter->estimate()));
    return texts.join(QStringLiteral(", "));
}

QString litterToolTip(const monitor::MonitorStats& stats) {
    QStringList texts;
    if (hasLitter(stats))
        texts << tokenLitterText(*stats.tokenLitter);
    if (hasLeaseLitter(stats))
        texts << leaseLitterText(*stats.leaseLitter);
    return texts.join(QStringLiteral("\n\n"));
}

QString stormText(const monitor::MonitorStats& stats) {
    return stats.scriptStorms.isEmpty()
               ? QString()
               : WatchingText::tr("Script storm on %Ln node(s)", nullptr, static_cast<int>(stats.scriptStorms.size()));
}

QString stormToolTip(const monitor::MonitorStats& stats, WallTime now) {
    if (stats.scriptStorms.isEmpty())
        return {};
    QStringList lines;
    for (const monitor::ScriptStorm& storm : stats.scriptStorms) {
        const QString node = storm.node.isEmpty() ? WatchingText::tr("The server") : storm.node;
        lines << WatchingText::tr(
                     "%1 (%2): scripts that it does not have were asked for %3 times from %4 to %5, up to "
                     "%6 times a second.")
                     .arg(node, certaintyText(storm.certainty()), keysText(storm.errors), clockText(storm.since, now),
                          clockText(storm.last, now), numberText(storm.mostPerSecond));
    }
    lines << WatchingText::tr(
        "This comes after a moved slot, after a promotion, and after SCRIPT FLUSH. Meanwhile "
        "these clients renew no lock. It ends when the scripts are loaded on that node: by a "
        "client that runs them there, or by SCRIPT LOAD.");
    return lines.join(QLatin1Char('\n'));
}

}  // namespace lockkeeper::ui
