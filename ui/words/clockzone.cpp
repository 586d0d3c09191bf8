// SPDX-License-Identifier: Apache-2.0
#include "ui/words/clockzone.h"

namespace lockkeeper::ui {

namespace {

ClockZone shownZone = ClockZone::Local;

}  // namespace

void setClockZone(ClockZone zone) {
    shownZone = zone;
}

ClockZone clockZone() {
    return shownZone;
}

QDateTime zonedTime(WallTime time) {
    const auto sinceEpoch = std::chrono::duration_cast<Milliseconds>(time.time_since_epoch());
    return QDateTime::fromMSecsSinceEpoch(sinceEpoch.count(), shownZone == ClockZone::Utc ? Qt::UTC : Qt::LocalTime);
}

QString zonedText(const QDateTime& time, const QString& format) {
    const QString text = time.toString(format);
    return time.timeSpec() == Qt::UTC ? text + QLatin1Char('Z') : text;
}

QString toString(ClockZone zone) {
    return zone == ClockZone::Utc ? QStringLiteral("utc") : QStringLiteral("local");
}

ClockZone clockZoneFromString(const QString& word) {
    return word == toString(ClockZone::Utc) ? ClockZone::Utc : ClockZone::Local;
}

}  // namespace lockkeeper::ui
