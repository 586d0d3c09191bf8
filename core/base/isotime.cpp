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
    const QDateTime time = QDateTime::fromString(text, Qt::ISODateWithMs);
    return time.isValid() ? std::optional(WallTime(Milliseconds(time.toMSecsSinceEpoch()))) : std::nullopt;
}

}  // namespace lockkeeper
