// SPDX-License-Identifier: Apache-2.0
#include "monitor/analyse/who/monitorline.h"

#include "monitor/analyse/who/quotedstrings.h"
#include "monitor/model/holderfield.h"

#include <algorithm>

namespace lockkeeper::monitor {

namespace {

// Redisson renews up to 100 locks in one script.
constexpr qsizetype mostArguments = 2048;

bool isDigit(char c) {
    return c >= '0' && c <= '9';
}

// The arguments of a script after its keys; nothing if the line runs no script.
QByteArrayList scriptValues(const MonitorLine& line) {
    const QByteArray command = line.arguments.first().toUpper();
    if ((command != "EVALSHA" && command != "EVAL") || line.arguments.size() < 3)
        return {};
    bool ok = false;
    const qsizetype keys = line.arguments[2].toInt(&ok);
    const bool sound = ok && keys >= 0 && keys <= line.arguments.size() - 3;
    return sound ? line.arguments.sliced(3 + keys) : QByteArrayList();
}

// A client's own scripts have the channel as a key; compare-and-release has it as an argument.
bool isChannel(const QByteArray& value) {
    return value.startsWith("redisson_rwlock:");
}

bool names(const QByteArray& value, const ClientId& client) {
    const std::optional<HolderField> holder = HolderField::parse(value);
    return holder && holder->id.client() == client;
}

}  // namespace

std::optional<std::chrono::microseconds> monitorTimeIn(QByteArrayView line) {
    constexpr qsizetype mostDigits = 11;
    constexpr qint64 latest = 9'000'000'000;  // s; WallTime ends in 2262
    const qsizetype point = line.first(std::min(line.size(), mostDigits)).indexOf('.');
    const qsizetype blank = point < 1 ? -1 : line.first(std::min(line.size(), 2 * mostDigits)).indexOf(' ', point);
    if (blank < 0 || !isDigit(line.front()))
        return std::nullopt;
    bool areSeconds = false;
    bool areMicroseconds = false;
    const qint64 seconds = line.first(point).toLongLong(&areSeconds);
    const qint64 fraction = line.sliced(point + 1, blank - point - 1).toLongLong(&areMicroseconds);
    const bool isTime = areSeconds && areMicroseconds && seconds <= latest && fraction >= 0 && fraction < 1'000'000;
    return isTime ? std::optional(std::chrono::seconds(seconds) + std::chrono::microseconds(fraction)) : std::nullopt;
}

std::optional<MonitorLine> MonitorLine::parse(QByteArrayView line) {
    const qsizetype opened = line.indexOf(" [");
    const qsizetype closed = line.indexOf("] \"");
    if (line.isEmpty() || opened < 0 || closed < opened)
        return std::nullopt;
    const std::optional<std::chrono::microseconds> time = monitorTimeIn(line);
    const QByteArrayView source = line.sliced(opened + 2, closed - opened - 2);  // "0 127.0.0.1:53422"
    const qsizetype blank = source.indexOf(' ');
    if (!time || blank < 1)
        return std::nullopt;
    MonitorLine parsed;
    parsed.time = *time;
    parsed.database = source.first(blank).toInt();
    parsed.address = source.sliced(blank + 1).toByteArray();
    QuotedStrings strings(line.sliced(closed + 2));
    while (std::optional<QByteArray> argument = strings.next()) {
        if (parsed.arguments.size() == mostArguments)
            return std::nullopt;
        parsed.arguments += *std::move(argument);
    }
    parsed.isWhole = strings.isAtEnd();
    return parsed.arguments.isEmpty() ? std::nullopt : std::optional(std::move(parsed));
}

bool actsAs(const ClientId& client, const MonitorLine& line) {
    const QByteArrayList values = scriptValues(line);
    return std::ranges::none_of(values, isChannel) &&
           std::ranges::any_of(values, [&client](const QByteArray& value) { return names(value, client); });
}

}  // namespace lockkeeper::monitor
