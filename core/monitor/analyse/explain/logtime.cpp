// SPDX-License-Identifier: Apache-2.0
#include "monitor/analyse/explain/logtime.h"

#include "base/isotime.h"

#include <QDateTime>
#include <QRegularExpression>

#include <algorithm>
#include <array>

namespace lockkeeper::monitor {

namespace {

// The names of zones that mean one offset wherever loggers write them, in minutes east of UTC. Left out are names of
// several zones, as CST, CDT, IST, BST, AST, PST and MST, and those that are words.
struct NamedZone {
    const char* name;
    int minutes;
};
constexpr std::array<NamedZone, 22> namedZones{
    {{"WET", 0},    {"WEST", 60},  {"CET", 60},   {"CEST", 120}, {"MET", 60},   {"MEST", 120},
     {"EET", 120},  {"EEST", 180}, {"MSK", 180},  {"EST", -300}, {"EDT", -240}, {"MDT", -360},
     {"PDT", -420}, {"JST", 540},  {"KST", 540},  {"AEST", 600}, {"AEDT", 660}, {"ACST", 570},
     {"ACDT", 630}, {"AWST", 480}, {"NZST", 720}, {"NZDT", 780}}};

QString zoneNames() {
    QStringList names;
    for (const NamedZone& zone : namedZones)
        names += QLatin1String(zone.name);
    return names.join(u'|');
}

const QString zonePattern =
    QStringLiteral(
        "(?:\\s?(?<zone>Z|(?:UTC|GMT)?[+-]\\d\\d:?\\d\\d|(?:UTC|GMT)[+-]\\d\\d?|UTC|GMT|(?<=\\d)[+-]\\d\\d|%1)"
        "(?![A-Za-z0-9:]))?")
        .arg(zoneNames());
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
        // Sat Jan 31 12:00:00 CET 2026, as java.util.Date prints it
        {QRegularExpression(QStringLiteral("(?<name>[A-Z][a-z]{2}) (?<d> ?\\d{1,2}) ") + clockPattern + zonePattern +
                            QStringLiteral("(?: [A-Z]{2,5})? (?<y>\\d{4})(?![\\d:])"))},
        // 31.01.2026 12:00:00,123
        {QRegularExpression(QStringLiteral("(?<!\\d)(?<d>\\d{2})\\.(?<m>\\d{2})\\.(?<y>\\d{4}),?[ T]") + clockPattern +
                            zonePattern)},
        // 1769860800123, only as the begin of a line
        {QRegularExpression(QStringLiteral("^(?<ms>[12]\\d{12})(?!\\d)")), true},
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
    constexpr int secondsOfMinute = 60;
    for (const NamedZone& named : namedZones) {
        if (zone == QLatin1String(named.name))
            return named.minutes * secondsOfMinute;
    }
    static const QRegularExpression offset(QStringLiteral("([+-])(\\d\\d?):?(\\d\\d)?$"));
    const QRegularExpressionMatch match = offset.match(zone);
    const int seconds = match.captured(2).toInt() * 3600 + match.captured(3).toInt() * 60;
    return match.captured(1) == u'-' ? -seconds : seconds;
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
        return wallTimeAt(Milliseconds(whole.toLongLong()));
    const QString nano = match.captured(QStringLiteral("nano"));
    const qint64 part =
        nano.isEmpty() ? millisecondsOf(match.captured(QStringLiteral("part"))) : nano.toLongLong() / 1'000'000;
    return wallTimeAt(Milliseconds(match.captured(QStringLiteral("sec")).toLongLong() * 1000 + part));
}

bool isInRange(const QDate& date) {
    return date.isValid() && date.year() >= 1970 && date.year() <= 2200;
}

std::optional<LogTime> timeOf(const QRegularExpressionMatch& match, const QTimeZone& zone) {
    const QString month = match.captured(QStringLiteral("name"));
    const QDate date(match.captured(QStringLiteral("y")).toInt(),
                     month.isEmpty() ? match.captured(QStringLiteral("m")).toInt() : monthOf(month),
                     match.captured(QStringLiteral("d")).trimmed().toInt());
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

std::optional<LogTime> firstTimeIn(const QString& text, qsizetype from, const QTimeZone& zone) {
    std::optional<LogTime> first;
    qsizetype begin = text.size();
    for (const Form& form : forms()) {
        for (auto found = form.pattern.globalMatch(text, from); found.hasNext();) {
            const QRegularExpressionMatch match = found.next();
            if (match.capturedStart() >= begin)
                break;
            const std::optional<LogTime> time = timeOf(form, match, zone);
            if (!time)
                continue;
            first = time;
            begin = match.capturedStart();
            break;
        }
    }
    return first;
}

// Without so many digits a line has no time that could be read.
std::optional<LogTime> timeAt(const QString& text, qsizetype place, const QTimeZone& zone) {
    constexpr qsizetype fewestDigits = 10;
    for (qsizetype end = place; end >= 0;) {
        const qsizetype lineEnd = end > 0 ? text.lastIndexOf(u'\n', end - 1) : -1;
        const QStringView line = QStringView(text).sliced(lineEnd + 1, end - lineEnd - 1);
        const bool mayHaveTime =
            std::ranges::count_if(line, [](QChar one) { return one >= u'0' && one <= u'9'; }) >= fewestDigits;
        const std::optional<LogTime> time = mayHaveTime ? firstTimeIn(line.toString(), 0, zone) : std::nullopt;
        if (time)
            return time;
        end = lineEnd;
    }
    return std::nullopt;
}

bool hasTimeAtBegin(std::string_view line) {
    constexpr size_t epochDigits = 13;
    const size_t digits = line.find_first_not_of("0123456789");
    if (std::min(digits, line.size()) == epochDigits && (line[0] == '1' || line[0] == '2'))
        return true;
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
