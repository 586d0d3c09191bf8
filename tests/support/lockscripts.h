#pragma once

#include "redis/script.h"

namespace lockkeeper::test {

// The script of this name in locks/lua, whole: as a client sends it.
inline redis::Script lockScript(const QString& name) {
    QStringList files;
    if (name.endsWith(u"_acquire"))
        files += QStringLiteral("hold");
    if (name.startsWith(u"fair_"))
        files += QStringLiteral("fair_queue");
    if (name.startsWith(u"read_") || name.startsWith(u"write_") || name.startsWith(u"rw_"))
        files += QStringLiteral("rw_holds");
    files += name;
    for (QString& file : files)
        file = QStringLiteral("locks/lua/%1.lua").arg(file);
    return redis::Script::joined(files);
}

}  // namespace lockkeeper::test
