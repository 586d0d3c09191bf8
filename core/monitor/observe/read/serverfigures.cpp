// SPDX-License-Identifier: Apache-2.0
#include "monitor/observe/read/serverfigures.h"

#include "redis/infofield.h"

namespace lockkeeper::monitor {

namespace {

// The number after `first`, such as "count=", in the line of this name. 0 if the section exists without this line: no
// such call since the server's start. Nothing without the section.
std::optional<quint64> countedIn(QByteArrayView section, QByteArrayView name, QByteArrayView first,
                                 QByteArrayView info) {
    const std::optional<QByteArrayView> value = redis::infoField(name, info);
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
    const std::optional<QByteArrayView> replicas = redis::infoField("connected_slaves", info);
    if (replicas && redis::infoField("role", info) == QByteArrayView("master"))
        figures.replicas = replicas->toInt();
    if (const std::optional<QByteArrayView> rate = redis::infoField("instantaneous_ops_per_sec", info))
        figures.commandsPerSecond = rate->toLongLong();
    return figures;
}

}  // namespace lockkeeper::monitor
