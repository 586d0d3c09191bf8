// SPDX-License-Identifier: Apache-2.0
#include "monitor/observe/read/serverfigures.h"

namespace lockkeeper::monitor {

namespace {

// The value of a line "NAME:VALUE"; nothing if there is no such line.
std::optional<QByteArrayView> valueOf(QByteArrayView name, QByteArrayView info) {
    for (qsizetype at = 0; at < info.size();) {
        const qsizetype end = info.indexOf('\n', at);
        const QByteArrayView line = info.sliced(at, (end < 0 ? info.size() : end) - at).trimmed();
        if (line.startsWith(name) && line.size() > name.size() && line[name.size()] == ':')
            return line.sliced(name.size() + 1);
        at = end < 0 ? info.size() : end + 1;
    }
    return std::nullopt;
}

}  // namespace

// An error that has not happened since the start has no line.
ServerFigures parseServerFigures(QByteArrayView info) {
    ServerFigures figures;
    const QByteArrayView count("count=");
    if (const std::optional<QByteArrayView> errors = valueOf("errorstat_NOSCRIPT", info);
        errors && errors->startsWith(count))
        figures.noScriptErrors = errors->sliced(count.size()).toULongLong();
    else if (info.contains("# Errorstats"))
        figures.noScriptErrors = 0;
    const std::optional<QByteArrayView> replicas = valueOf("connected_slaves", info);
    if (replicas && valueOf("role", info) == QByteArrayView("master"))
        figures.replicas = replicas->toInt();
    return figures;
}

}  // namespace lockkeeper::monitor
