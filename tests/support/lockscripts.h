// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "redis/script.h"

namespace lockkeeper::test {

// The complete script of this name in locks/lua, as a client sends it. publish: the file with its publish().
inline redis::Script lockScript(const QString& name, const QString& publish = QStringLiteral("publish")) {
    QStringList files;
    const bool isRenewal = name == u"renew" || name == u"check_holds";
    const bool isSilentAcquire =
        name == u"reentrant_acquire" || name == u"reentrant_once_acquire" || name == u"fenced_acquire";
    if (!isSilentAcquire)
        files += QStringLiteral("replicate_changes");
    if (!isSilentAcquire && !isRenewal)
        files += {QStringLiteral("announce"), publish};
    const bool isPlain = name.startsWith(u"reentrant_") || name.startsWith(u"fair_");
    if (name.endsWith(u"_acquire"))
        files += QStringLiteral("add_hold");
    if (isPlain && name.endsWith(u"_release"))
        files += QStringLiteral("give_back_one");
    if (isPlain && name.endsWith(u"_settle"))
        files += QStringLiteral("settle_down");
    if (name.startsWith(u"fair_"))
        files += QStringLiteral("fair_queue");
    if (name.startsWith(u"read_") || name.startsWith(u"write_") || name.startsWith(u"rw_"))
        files += QStringLiteral("rw_holds");
    const bool isOnce = name.endsWith(u"_once_acquire");
    if (isOnce)
        files += QString(name).remove(QStringLiteral("_acquire"));
    files += isOnce ? QString(name).remove(QStringLiteral("_once")) : name;
    for (QString& file : files)
        file = QStringLiteral("locks/lua/%1.lua").arg(file);
    return redis::Script::joined(files);
}

}  // namespace lockkeeper::test
