// SPDX-License-Identifier: Apache-2.0
#include "monitor/analyse/explain/logtime.h"

#include <QDateTime>
#include <QRegularExpression>

#include <algorithm>

namespace lockkeeper::monitor {

namespace {

const QString zonePattern = QStringLiteral("(?:\\s?(?<zone>Z|UTC|GMT|[+-]\\d\\d:?\\d\\d)(?![A-Za-z0-9]))?");
const QString clockPattern = QStringLiteral("(?<h>\\d{1,2}):(?<min>\\d\\d):(?<s>\\d\\d)(?:[.,](?<part>\\d{1,9}))?");

struct Form {
    QRegularExpression pattern;
    bool isEpoch = false;
};

const std::vector<Form>& forms() {
    static const std::vector<Form> all = {
        // 2026-01-31T12:00:00.123Z, 2026/01/31 12:00:00,123
        {QRegularExpression(QStringLiteral("(?<y>\\d{4})[-/.](?<m>\\d\\d)[-/.](?<d>\\d\\d)[T _]") + clockPattern +
                            zonePattern)},
        // 31-Jan-2026 12:00:00.123, 31/Jan/2026:12:00:00 +0100
        {QRegularExpression(QStringLiteral("(?<d>\\d{1,2})[-/ ](?<name>[A-Z][a-z]{2})[-/ ](?<y>\\d{4})[: ]") +
                            clockPattern + zonePattern)},
        // Jan 31, 2026 12:00:00 PM
        {QRegularExpression(QStringLiteral("(?<name>[A-Z][a-z]{2}) (?<d>\\d{1,2}), (?<y>\\d{4}),? ") + clockPattern +
                            QStringLiteral("\\s?(?<half>[AP]M)") + zonePattern)},
        // "timestamp":1769860800123
        {QRegularExpression(
             QStringLiteral("\"(?:@?timestamp|time|ts|timeMillis|epochMillis)\"\\s*:\\s*\"?(?<ms>\\d{13})(?!\\d)")),
         true},
        // "epochSecond":1769860800,"nanoOfSecond":123000000
        {QRegularExpression(QStringLiteral(
             "\"(?:epochSecond|timestamp|time|ts)\"\\s*:\\s*\"?(?<sec>\\d{10})(?!\\d)(?:\\.(?<part>\\d{1,9})|\\s*,\\s*"
             "\"nanoOfSecond\"\\s*:\\s*(?<nano>\\d{1,9}))?")),
         true},
    };
    return all;
}

int monthOf(const QString& name) {
    static const QString names = QStringLiteral("JanFebMarAprMayJunJulAugSepOctNovDec");
    const qsizetype at = names.indexOf(name);
    return at < 0 || at % 3 != 0 ? 0 : static_cast<int>(at / 3) + 1;
}

int millisecondsOf(const QString& part) {
    return part.left(3).leftJustified(3, u'0').toInt();
}

// Seconds east of UTC.
int offsetOf(const QString& zone) {
    if (!zone.startsWith(u'+') && !zone.startsWith(u'-'))
        return 0;
    const int seconds = zone.mid(1, 2).toInt() * 3600 + zone.right(2).toInt() * 60;
    return zone.startsWith(u'-') ? -seconds : seconds;
}

int hourOf(const QRegularExpressionMatch& match) {
    const int hour = match.captured(QStringLiteral("h")).toInt();
    const QString half = match.captured(QStringLiteral("half"));
    if (half.isEmpty())
        return hour;
    return hour % 12 + (half == QLatin1String("PM") ? 12 : 0);
}

std::optional<WallTime> epochTime(const QRegularExpressionMatch& match) {
    const QString whole = match.captured(QStringLiteral("ms"));
    if (!whole.isEmpty())
        return WallTime(Milliseconds(whole.toLongLong()));
    const QString nano = match.captured(QStringLiteral("nano"));
    const qint64 part =
        nano.isEmpty() ? millisecondsOf(match.captured(QStringLiteral("part"))) : nano.toLongLong() / 1'000'000;
    return WallTime(Milliseconds(match.captured(QStringLiteral("sec")).toLongLong() * 1000 + part));
}

bool isInRange(const QDate& date) {
    return date.isValid() && date.year() >= 1970 && date.year() <= 2200;
}

std::optional<LogTime> timeOf(const QRegularExpressionMatch& match, const QTimeZone& zone) {
    const QString month = match.captured(QStringLiteral("name"));
    const QDate date(match.captured(QStringLiteral("y")).toInt(),
                     month.isEmpty() ? match.captured(QStringLiteral("m")).toInt() : monthOf(month),
                     match.captured(QStringLiteral("d")).toInt());
    const QTime clock(hourOf(match), match.captured(QStringLiteral("min")).toInt(),
                      match.captured(QStringLiteral("s")).toInt(),
                      millisecondsOf(match.captured(QStringLiteral("part"))));
    const QString named = match.captured(QStringLiteral("zone"));
    if (!isInRange(date) || !clock.isValid())
        return std::nullopt;
    const QDateTime time =
        named.isEmpty() ? QDateTime(date, clock, zone) : QDateTime(date, clock, Qt::OffsetFromUTC, offsetOf(named));
    return LogTime{WallTime(Milliseconds(time.toMSecsSinceEpoch())), !named.isEmpty()};
}

std::optional<LogTime> timeOf(const Form& form, const QRegularExpressionMatch& match, const QTimeZone& zone) {
    if (!form.isEpoch)
        return timeOf(match, zone);
    const std::optional<WallTime> at = epochTime(match);
    return at ? std::optional(LogTime{*at, true}) : std::nullopt;
}

bool isDigit(char character) {
    return character >= '0' && character <= '9';
}

}  // namespace

// A log has one form: others are tried only where the first ones are not found.
std::optional<LogTime> lastTimeIn(const QString& text, qsizetype before, const QTimeZone& zone) {
    const QString part = text.left(before);
    for (const Form& form : forms()) {
        std::optional<LogTime> last;
        for (auto found = form.pattern.globalMatch(part); found.hasNext();) {
            const std::optional<LogTime> time = timeOf(form, found.next(), zone);
            last = time ? time : last;
        }
        if (last)
            return last;
    }
    return std::nullopt;
}

std::optional<LogTime> firstTimeIn(const QString& text, qsizetype from, const QTimeZone& zone) {
    for (const Form& form : forms()) {
        for (auto found = form.pattern.globalMatch(text, from); found.hasNext();) {
            if (const std::optional<LogTime> time = timeOf(form, found.next(), zone))
                return time;
        }
    }
    return std::nullopt;
}

bool hasTimeAtBegin(std::string_view line) {
    constexpr size_t near = 100;
    const std::string_view begin = line.substr(0, near);
    for (size_t colon = begin.find(':'); colon != std::string_view::npos; colon = begin.find(':', colon + 1)) {
        const bool fits = colon >= 1 && colon + 5 < begin.size() && isDigit(begin[colon - 1]) &&
                          isDigit(begin[colon + 1]) && isDigit(begin[colon + 2]) && begin[colon + 3] == ':' &&
                          isDigit(begin[colon + 4]) && isDigit(begin[colon + 5]);
        if (fits)
            return true;
    }
    return false;
}

}  // namespace lockkeeper::monitor
