// SPDX-License-Identifier: Apache-2.0
#include "monitor/observe/read/serverfigures.h"

#include "monitor/observe/read/infofield.h"

namespace lockkeeper::monitor {

namespace {

// What begins with "count=" or the like in this line; 0 if the section has no such line: it has not happened since the
// start.
std::optional<quint64> countedIn(QByteArrayView section, QByteArrayView name, QByteArrayView first,
                                 QByteArrayView info) {
    const std::optional<QByteArrayView> value = infoField(name, info);
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
    const std::optional<QByteArrayView> replicas = infoField("connected_slaves", info);
    if (replicas && infoField("role", info) == QByteArrayView("master"))
        figures.replicas = replicas->toInt();
    if (const std::optional<QByteArrayView> rate = infoField("instantaneous_ops_per_sec", info))
        figures.commandsPerSecond = rate->toLongLong();
    return figures;
}

}  // namespace lockkeeper::monitor
