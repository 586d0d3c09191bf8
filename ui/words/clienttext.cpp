// SPDX-License-Identifier: Apache-2.0
#include "ui/words/clienttext.h"

#include "ui/words/locktext.h"
#include "ui/words/timetext.h"

#include <QCoreApplication>
#include <QLocale>

namespace lockkeeper::ui {

namespace {

using monitor::SignOfLife;

struct ClientText {
    Q_DECLARE_TR_FUNCTIONS(ClientText)
};

}  // namespace

QString signText(const monitor::LastSign& sign) {
    const QString lock = plainName(sign.lock, shortName);
    switch (sign.what) {
        case SignOfLife::Appeared:
            return ClientText::tr("it was seen with %1 for the first time").arg(lock);
        case SignOfLife::Acquired:
            return ClientText::tr("it acquired %1").arg(lock);
        case SignOfLife::Reentered:
            return ClientText::tr("it reentered %1").arg(lock);
        case SignOfLife::ReleasedOnce:
            return ClientText::tr("it released one of its holds of %1").arg(lock);
        case SignOfLife::Renewed:
            return ClientText::tr("it renewed %1").arg(lock);
        case SignOfLife::Queued:
            return ClientText::tr("it joined the queue of %1").arg(lock);
        case SignOfLife::None:
            break;
    }
    return {};
}

QString shortSignText(const monitor::LastSign& sign, WallTime now) {
    const QString at = clockText(sign.at, now);
    switch (sign.what) {
        case SignOfLife::Appeared:
            return ClientText::tr("first seen %1").arg(at);
        case SignOfLife::Acquired:
            return ClientText::tr("acquired %1").arg(at);
        case SignOfLife::Reentered:
            return ClientText::tr("reentered %1").arg(at);
        case SignOfLife::ReleasedOnce:
            return ClientText::tr("released once %1").arg(at);
        case SignOfLife::Renewed:
            return ClientText::tr("renewed %1").arg(at);
        case SignOfLife::Queued:
            return ClientText::tr("queued %1").arg(at);
        case SignOfLife::None:
            break;
    }
    return {};
}

QString programText(const ClientId& client) {
    return monitor::isRedissonId(client) ? ClientText::tr("Redisson, or a program with its ids, such as Lockkeeper")
                                         : ClientText::tr("another program");
}

QString renewalRateText(const monitor::ClientRow& client) {
    return client.renewalsPerSecond > 0 ? QLocale().toString(client.renewalsPerSecond, 'f', 1) : QString();
}

}  // namespace lockkeeper::ui
