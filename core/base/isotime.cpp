// SPDX-License-Identifier: Apache-2.0
#include "base/isotime.h"

#include <QDateTime>

namespace lockkeeper {

QString isoTime(WallTime time) {
    const auto sinceEpoch = std::chrono::duration_cast<Milliseconds>(time.time_since_epoch());
    return QDateTime::fromMSecsSinceEpoch(sinceEpoch.count(), Qt::UTC).toString(Qt::ISODateWithMs);
}

QString clockTime(WallTime time) {
    const auto sinceEpoch = std::chrono::duration_cast<Milliseconds>(time.time_since_epoch());
    return QDateTime::fromMSecsSinceEpoch(sinceEpoch.count()).toString(QStringLiteral("HH:mm:ss.zzz"));
}

std::optional<WallTime> timeFromIso(const QString& text) {
    // The years 1678 to 2261, which WallTime holds.
    constexpr qint64 longest = std::chrono::duration_cast<Milliseconds>(WallTime::duration::max()).count() - 1;
    const QDateTime time = QDateTime::fromString(text, Qt::ISODateWithMs);
    const qint64 sinceEpoch = time.isValid() ? time.toMSecsSinceEpoch() : 0;
    if (!time.isValid() || sinceEpoch > longest || sinceEpoch < -longest)
        return std::nullopt;
    return WallTime(Milliseconds(sinceEpoch));
}

}  // namespace lockkeeper
