// SPDX-License-Identifier: Apache-2.0
#include "ui/words/utctext.h"

#include <QDateTime>

namespace lockkeeper::ui {

QString utcText(WallTime at) {
    const auto sinceEpoch = std::chrono::duration_cast<Milliseconds>(at.time_since_epoch());
    return QDateTime::fromMSecsSinceEpoch(sinceEpoch.count(), Qt::UTC)
        .toString(QStringLiteral("yyyy-MM-dd HH:mm:ss.zzz'Z'"));
}

}  // namespace lockkeeper::ui
