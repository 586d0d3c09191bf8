// SPDX-License-Identifier: Apache-2.0
#include "ui/words/timetext.h"

#include "ui/words/clockzone.h"

#include <QCoreApplication>

#include <algorithm>

using namespace std::chrono_literals;

namespace lockkeeper::ui {

namespace {

struct TimeText {
    Q_DECLARE_TR_FUNCTIONS(TimeText)
};

struct OldText {
    Q_DECLARE_TR_FUNCTIONS(OldText)
};

QString twoDigits(qint64 number) {
    return QStringLiteral("%1").arg(number, 2, 10, QLatin1Char('0'));
}

QString longText(qint64 seconds) {
    if (seconds < 60)
        return TimeText::tr("%1 s").arg(seconds);
    const qint64 minutes = seconds / 60;
    if (minutes < 60)
        return TimeText::tr("%1 min %2 s").arg(minutes).arg(twoDigits(seconds % 60));
    const qint64 hours = minutes / 60;
    if (hours < 24)
        return TimeText::tr("%1 h %2 min").arg(hours).arg(twoDigits(minutes % 60));
    return TimeText::tr("%1 d %2 h").arg(hours / 24).arg(twoDigits(hours % 24));
}

QString tenthsText(Milliseconds duration) {
    const qint64 tenths = duration.count() / 100;
    return TimeText::tr("%1 s").arg(static_cast<double>(tenths) / 10.0, 0, 'f', 1);
}

QString formatted(WallTime at, WallTime now, const QString& timeFormat) {
    const QDateTime time = zonedTime(at);
    const bool today = time.date() == zonedTime(now).date();
    return zonedText(time, today ? timeFormat : QStringLiteral("yyyy-MM-dd ") + timeFormat);
}

}  // namespace

QString durationText(Milliseconds duration) {
    duration = std::max(duration, 0ms);
    if (duration < 1s)
        return TimeText::tr("%1 ms").arg(duration.count());
    if (duration < 10s && duration.count() % 1000 != 0)
        return tenthsText(duration);
    return longText(duration.count() / 1000);
}

QString countText(Milliseconds duration) {
    duration = std::max(duration, 0ms);
    if (duration < 10s)
        return tenthsText(duration);
    return longText(duration.count() / 1000);
}

QString clockText(WallTime at, WallTime now) {
    return formatted(at, now, QStringLiteral("HH:mm:ss"));
}

QString preciseClockText(WallTime at, WallTime now) {
    return formatted(at, now, QStringLiteral("HH:mm:ss.zzz"));
}

QString oldText(const ViewTime& time) {
    return time.isLive() ? QString()
                         : OldText::tr("Old: as last seen at %1").arg(clockText(time.wallMoment(), time.wallNow()));
}

}  // namespace lockkeeper::ui
