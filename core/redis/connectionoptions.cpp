// SPDX-License-Identifier: Apache-2.0
#include "redis/connectionoptions.h"

namespace lockkeeper::redis {

QString Endpoint::display() const {
    if (!unixPath.isEmpty())
        return unixPath;
    const QString shownHost = host.contains(QLatin1Char(':')) ? QLatin1Char('[') + host + QLatin1Char(']') : host;
    return QStringLiteral("%1:%2").arg(shownHost).arg(port);
}

}  // namespace lockkeeper::redis
