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

// What begins with "count=" or the like in this line; 0 if the section has no such line: it has not happened since the
// start.
std::optional<quint64> countedIn(QByteArrayView section, QByteArrayView name, QByteArrayView first,
                                 QByteArrayView info) {
    const std::optional<QByteArrayView> value = valueOf(name, info);
    if (value && value->startsWith(first)) {
        const QByteArrayView digits = value->sliced(first.size());
        const qsizetype end = digits.indexOf(',');
        return (end < 0 ? digits : digits.first(end)).toULongLong();
    }
    return info.contains(section) ? std::optional<quint64>(0) : std::nullopt;
}

}  // namespace

ServerFigures parseServerFigures(QByteArrayView info) {
    ServerFigures figures;
    figures.noScriptErrors = countedIn("# Errorstats", "errorstat_NOSCRIPT", "count=", info);
    figures.swaps = countedIn("# Commandstats", "cmdstat_swapdb", "calls=", info);
    const std::optional<QByteArrayView> replicas = valueOf("connected_slaves", info);
    if (replicas && valueOf("role", info) == QByteArrayView("master"))
        figures.replicas = replicas->toInt();
    if (const std::optional<QByteArrayView> rate = valueOf("instantaneous_ops_per_sec", info))
        figures.commandsPerSecond = rate->toLongLong();
    return figures;
}

}  // namespace lockkeeper::monitor
