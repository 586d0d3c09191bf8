// SPDX-License-Identifier: Apache-2.0
#include "ui/words/waitstext.h"

#include "ui/words/locktext.h"
#include "ui/words/timetext.h"

#include <QCoreApplication>

namespace lockkeeper::ui {

using monitor::WaitingSince;
using monitor::WaitTimes;
using namespace std::chrono_literals;

namespace {

struct WaitsText {
    Q_DECLARE_TR_FUNCTIONS(WaitsText)
};

// Counts come about every two seconds, and a longer pause at times: then it is known well enough when a client came.
constexpr Milliseconds closeTogether = 5s;
constexpr qsizetype groupsShown = 8;

// before, later: forms for a time that is not known well.
QString sinceText(const WaitingSince& waiting, WallTime now, const QString& before, const QString& later) {
    if (!waiting.earliest)
        return before.arg(clockText(waiting.latest, now));
    if (waiting.latest - *waiting.earliest <= closeTogether)
        return clockText(waiting.latest, now);
    return later.arg(clockText(*waiting.earliest, now));
}

}  // namespace

QString sinceText(const WaitingSince& waiting, WallTime now) {
    return sinceText(waiting, now, WaitsText::tr("before %1"), WaitsText::tr("%1 or later"));
}

QString shortSinceText(const WaitingSince& waiting, WallTime now) {
    return sinceText(waiting, now, WaitsText::tr("≤ %1"), WaitsText::tr("≥ %1"));
}

QString waitingSinceText(const monitor::LockRow& row, WallTime now) {
    return row.waits->present.isEmpty() ? QString() : sinceText(row.waits->present.first(), now);
}

QString clientsSinceText(const monitor::Waits& waits, WallTime now) {
    QStringList parts;
    for (const WaitingSince& waiting : waits.present) {
        if (!waiting.waiter && parts.size() < groupsShown)
            parts << WaitsText::tr("%1 since %2", "a number of clients, and a time")
                         .arg(numberText(waiting.clients), sinceText(waiting, now));
    }
    if (!parts.isEmpty() && waits.present.size() > groupsShown)
        parts << QStringLiteral("…");
    return listText(parts);
}

QString lengthText(const WaitTimes::Length& length) {
    const QString atLeast = durationText(length.atLeast);
    const QString atMost = durationText(length.atMost);
    return atLeast == atMost ? atLeast : WaitsText::tr("%1 to %2", "two durations").arg(atLeast, atMost);
}

QString waitTimesText(const WaitTimes& times) {
    QStringList lines;
    if (times.median && times.ninetyNinth)
        lines << WaitsText::tr("Half of them %1 or less, 99 % of them %2 or less")
                     .arg(lengthText(*times.median), lengthText(*times.ninetyNinth));
    else if (times.median)
        lines << WaitsText::tr("Half of them %1 or less").arg(lengthText(*times.median));
    lines << WaitsText::tr("The longest %1, of the last %Ln wait(s) that were seen from begin to end", nullptr,
                           times.waits)
                 .arg(lengthText(times.longest));
    if (times.free >= 1s)
        lines << WaitsText::tr(
                     "In %1 of waiting the lock was free for %2: nobody woke the waiter, or a dead waiter was before "
                     "it in the queue")
                     .arg(durationText(times.waited), durationText(times.free));
    return lines.join(QLatin1Char('\n'));
}

}  // namespace lockkeeper::ui
