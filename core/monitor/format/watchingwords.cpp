// SPDX-License-Identifier: Apache-2.0
#include "monitor/format/watchingwords.h"

#include <algorithm>
#include <tuple>

namespace lockkeeper::monitor {

namespace {

QString headOf(const Denial& denial) {
    switch (denial.what) {
        case Denied::Command:
            return denial.command;
        case Denied::SemaphoreCommand:
            return QStringLiteral("%1 for semaphores").arg(denial.command);
        case Denied::Keys:
            return QStringLiteral("keys");
        case Denied::ReaderTimeouts:
            return QStringLiteral("rwlock_timeout");
        case Denied::Rows:
            return QStringLiteral("rows");
        case Denied::Synchronizers:
            return QStringLiteral("semaphores and latches");
        case Denied::DiscoveryConnection:
            return QStringLiteral("SCAN");
        case Denied::Replica:
            return QStringLiteral("replica");
        case Denied::TrackingTable:
            return QStringLiteral("tracking-table-max-keys");
    }
    return {};
}

QString consequenceOf(const Denial& denial) {
    switch (denial.consequence) {
        case Consequence::ConnectionMayBeEvicted:
            return QStringLiteral("the server may end this connection if clients use too much memory");
        case Consequence::ReadsCountAsUse:
            return QStringLiteral("reads count as use when the server selects keys to evict");
        case Consequence::FairLocksLookPlain:
            return QStringLiteral("fair locks are shown as plain ones, without their queue");
        case Consequence::FencedLocksLookPlain:
            return QStringLiteral("fenced locks are shown as plain ones, without their token");
        case Consequence::ReadsCostMore:
            return QStringLiteral("a lock takes several commands to read");
        case Consequence::RecognitionCostsMore:
            return QStringLiteral("hashes that are not locks cost more to recognize");
        case Consequence::ReaderLeasesUnknown:
            return QStringLiteral("the leases of single readers are not known");
        case Consequence::LocksUnreadable:
            return QStringLiteral("locks cannot be read");
        case Consequence::SomeKeysUnreadable:
            return QStringLiteral("some keys may not be read");
        case Consequence::WaitersUnknown:
            return QStringLiteral("who waits for a lock is not known, except in a fair lock's queue");
        case Consequence::OtherMonitorsUnknown:
            return QStringLiteral("other monitors count as clients that wait");
        case Consequence::ServerFiguresUnknown:
            return QStringLiteral(
                "script storms, missing replicas, swapped databases and jumps of the server's clock are not noticed");
        case Consequence::LocksPolled:
            return QStringLiteral("locks are polled, changes between two reads are not seen");
        case Consequence::PrefixesNotTracked:
            return QStringLiteral("new locks under the given prefixes are found as all others are");
        case Consequence::NewFieldsNotReceived:
            return QStringLiteral("published fields are not received, new locks are found by sweeps");
        case Consequence::ReleasesUnknown:
            return QStringLiteral("a released lock cannot be distinguished from a deleted or expired one");
        case Consequence::ReadWriteReleasesUnknown:
            return QStringLiteral("a released read/write lock cannot be distinguished from a deleted or expired one");
        case Consequence::PublishingUnknown:
            return QStringLiteral("whether the server publishes changes of keys is not known");
        case Consequence::KeyChangesNotReceived:
            return QStringLiteral("changes of keys that the server publishes are not received");
        case Consequence::QueuesSeenLate:
            return QStringLiteral("who joins or leaves the queue of a fair lock is seen late");
        case Consequence::SynchronizersUnseen:
            return QStringLiteral("semaphores and latches are not seen");
        case Consequence::LeasedPermitsUnseen:
            return QStringLiteral("leased permits are not seen");
        case Consequence::SynchronizersLeftOut:
            return QStringLiteral("clients wait for more than %1; the others are not read")
                .arg(SynchronizerReading::mostSeen);
        case Consequence::LocksLeftOut:
            return QStringLiteral("there are more locks than are kept in memory");
        case Consequence::ProgressUnknown:
            return QStringLiteral("the progress of a sweep is not known, and sweeps are slow");
        case Consequence::LocksNotScanned:
            return QStringLiteral(
                "a lock is only found when a client waits for it or releases it, or by a reported write");
        case Consequence::NoConnectionToScan:
            return QStringLiteral("no connection to find locks with: %1").arg(denial.error.text);
        case Consequence::DeadWaitersNotProven:
            return QStringLiteral("is not asked who waits, so no waiter of a fair lock is proven dead: %1")
                .arg(denial.error.text);
        case Consequence::ChangesSeenLate:
            return QStringLiteral("the server tracks too few keys, changes of locks may be seen late");
    }
    return {};
}

}  // namespace

QString wordFor(ObservationMode source) {
    switch (source) {
        case ObservationMode::None:
            return QStringLiteral("none");
        case ObservationMode::Tracking:
            return QStringLiteral("tracking");
        case ObservationMode::KeyspaceEvents:
            return QStringLiteral("keyspace_events");
        case ObservationMode::Polling:
            return QStringLiteral("polling");
    }
    return {};
}

QString wordFor(BlindSpot spot) {
    switch (spot) {
        case BlindSpot::FastChanges:
            return QStringLiteral("fast_changes");
        case BlindSpot::FairQueues:
            return QStringLiteral("fair_queues");
        case BlindSpot::BetweenPolls:
            return QStringLiteral("between_polls");
        case BlindSpot::UnknownNames:
            return QStringLiteral("unknown_names");
        case BlindSpot::ShortNewLocks:
            return QStringLiteral("short_new_locks");
    }
    return {};
}

QString wordFor(NodePhase phase) {
    switch (phase) {
        case NodePhase::Connecting:
            return QStringLiteral("connecting");
        case NodePhase::Watching:
            return QStringLiteral("watching");
        case NodePhase::Reconnecting:
        case NodePhase::NotServing:
            return QStringLiteral("not_watched");
    }
    return {};
}

QString wordFor(WriteReports reports) {
    switch (reports) {
        case WriteReports::On:
            return QStringLiteral("on");
        case WriteReports::NotYet:
            return QStringLiteral("not_yet");
        case WriteReports::Paused:
            return QStringLiteral("paused");
        case WriteReports::Busy:
            return QStringLiteral("busy");
        case WriteReports::LoadUnknown:
            return QStringLiteral("load_unknown");
        case WriteReports::Refused:
            return QStringLiteral("refused");
        case WriteReports::LimitUnknown:
            return QStringLiteral("limit_unknown");
        case WriteReports::Unlimited:
            return QStringLiteral("unlimited");
        case WriteReports::NoResp3:
            return QStringLiteral("no_resp3");
    }
    return {};
}

QString reasonLine(const ObservationLimit& limit) {
    switch (limit.kind) {
        case ObservationLimit::Kind::None:
            return {};
        case ObservationLimit::Kind::NoResp3:
            return QStringLiteral("this server has no RESP3, so it sends no push messages");
        case ObservationLimit::Kind::TrackingRefused:
            return limit.error.text;
    }
    return {};
}

QStringList denialLines(const QList<Denial>& denials) {
    QList<Denial> sorted = denials;
    const auto placeOf = [](const Denial& denial) {
        return std::tuple(denial.what == Denied::DiscoveryConnection, headOf(denial), denial.node);
    };
    std::sort(sorted.begin(), sorted.end(),
              [&placeOf](const Denial& one, const Denial& other) { return placeOf(one) < placeOf(other); });
    QStringList lines;
    for (const Denial& denial : std::as_const(sorted)) {
        const QString line = QStringLiteral("%1: %2").arg(headOf(denial), consequenceOf(denial));
        lines << (denial.node.isEmpty() ? line : QStringLiteral("%1 (on %2)").arg(line, denial.node));
    }
    return lines;
}

}  // namespace lockkeeper::monitor
