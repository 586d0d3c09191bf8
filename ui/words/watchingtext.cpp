#include "ui/words/watchingtext.h"

#include "monitor/format/blindspots.h"
#include "monitor/format/statsjson.h"
#include "ui/words/locktext.h"

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
    }
    return {};
}

// "12.3 million"; below that in full.
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
    if (!stats.observationReason.isEmpty())
        lines += WatchingText::tr("Nothing better: %1").arg(stats.observationReason);
    if (stats.hearsNewNames)
        lines += WatchingText::tr("The server publishes fields (subkey notifications), so locks of new names are found at once");
    for (const monitor::BlindSpot spot : monitor::blindSpotsOf(stats))
        lines += blindSpotText(spot);
    lines += stats.denied;
    return lines.join(QLatin1Char('\n'));
}

QString discoveryText(const monitor::MonitorStats& stats) {
    if (stats.discovery == monitor::DiscoveryState::Refused)
        return WatchingText::tr("Keys may not be scanned");
    const QString done = stats.sweepsDone > 0
                             ? WatchingText::tr("All keys read: %1").arg(keysText(stats.keysInLastSweep))
                             : progressText(stats);
    return stats.discovery == monitor::DiscoveryState::Paused ? WatchingText::tr("Paused. %1").arg(done) : done;
}

// A sweep of a small database takes less than a second: what changes so often is in the tool tip only.
QString discoveryToolTip(const monitor::MonitorStats& stats) {
    if (stats.discovery == monitor::DiscoveryState::Refused)
        return WatchingText::tr(
            "The server refuses SCAN to this user: a lock is found when somebody waits for it or releases it");
    if (stats.discovery == monitor::DiscoveryState::Paused)
        return WatchingText::tr("Locks of new names are not searched for until discovery is resumed");
    if (stats.sweepsDone == 0)
        return WatchingText::tr("The first sweep is under way");
    return WatchingText::tr("Sweep %1: %2").arg(keysText(stats.sweepsDone + 1), progressText(stats));
}

QString litterText(const monitor::MonitorStats& stats) {
    return hasLitter(stats) ? WatchingText::tr("About %1 left-over tokens").arg(keysText(stats.tokenLitter->estimate))
                            : QString();
}

QString litterToolTip(const monitor::MonitorStats& stats) {
    if (!hasLitter(stats))
        return {};
    const monitor::TokenLitter& litter = *stats.tokenLitter;
    return WatchingText::
        tr("Token litter (likely). Sample: %1 keys; tokens of fenced locks among them: %2; tokens read: %3; without TTL "
           "and without a lock: %4.\nRedisson never deletes them. Each name that is used once leaves one: reuse names, "
           "or delete the tokens of names that are never used again (a token that starts again from 1 does not fence). "
           "See redisson/redisson issue %5.")
            .arg(keysText(litter.sampledKeys), keysText(litter.found), numberText(litter.checked),
                 numberText(litter.leftOver), QString::number(monitor::tokenLitterIssue));
}

}  // namespace lockkeeper::ui
