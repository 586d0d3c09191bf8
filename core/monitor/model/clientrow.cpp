// SPDX-License-Identifier: Apache-2.0
#include "monitor/model/clientrow.h"

namespace lockkeeper::monitor {

bool isRedissonId(const ClientId& client) {
    return HolderId::parse(client.bytes() + ":1").has_value();
}

QString wordFor(SignOfLife sign) {
    switch (sign) {
        case SignOfLife::None:
            return QStringLiteral("none");
        case SignOfLife::Appeared:
            return QStringLiteral("appeared");
        case SignOfLife::Acquired:
            return QStringLiteral("acquired");
        case SignOfLife::Reentered:
            return QStringLiteral("reentered");
        case SignOfLife::ReleasedOnce:
            return QStringLiteral("released_once");
        case SignOfLife::Renewed:
            return QStringLiteral("renewed");
        case SignOfLife::Queued:
            return QStringLiteral("queued");
    }
    return {};
}

}  // namespace lockkeeper::monitor
