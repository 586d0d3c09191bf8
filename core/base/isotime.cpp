// SPDX-License-Identifier: Apache-2.0
#include "base/isotime.h"

#include <QDateTime>

namespace lockkeeper {

namespace {

// Writes the number with so many digits, beginning at `first`.
void putDigits(char* first, int digits, qint64 number) {
    for (char* digit = first + digits; digit != first; number /= 10)
        *--digit = static_cast<char>('0' + number % 10);
}

}  // namespace

QString isoTime(WallTime time) {
    return QString::fromLatin1(isoTimeBytes(time));
}

// Written by hand for speed: every line of JSON has one time or more.
QByteArray isoTimeBytes(WallTime time) {
    const auto sinceEpoch = std::chrono::floor<Milliseconds>(time);
    const auto day = std::chrono::floor<std::chrono::days>(sinceEpoch);
    const std::chrono::year_month_day date(day);
    const std::chrono::hh_mm_ss clock(sinceEpoch - day);
    QByteArray text = QByteArrayLiteral("0000-00-00T00:00:00.000Z");
    char* const first = text.data();
    putDigits(first, 4, static_cast<int>(date.year()));
    putDigits(first + 5, 2, static_cast<unsigned>(date.month()));
    putDigits(first + 8, 2, static_cast<unsigned>(date.day()));
    putDigits(first + 11, 2, clock.hours().count());
    putDigits(first + 14, 2, clock.minutes().count());
    putDigits(first + 17, 2, clock.seconds().count());
    putDigits(first + 20, 3, clock.subseconds().count());
    return text;
}

QString clockTime(WallTime time) {
    const auto sinceEpoch = std::chrono::duration_cast<Milliseconds>(time.time_since_epoch());
    return QDateTime::fromMSecsSinceEpoch(sinceEpoch.count()).toString(QStringLiteral("HH:mm:ss.zzz"));
}

std::optional<WallTime> timeFromIso(const QString& text) {
    const QDateTime time = QDateTime::fromString(text, Qt::ISODateWithMs);
    return time.isValid() ? wallTimeAt(Milliseconds(time.toMSecsSinceEpoch())) : std::nullopt;
}

std::optional<WallTime> wallTimeAt(Milliseconds sinceEpoch) {
    constexpr Milliseconds longest =
        std::chrono::duration_cast<Milliseconds>(WallTime::duration::max()) - Milliseconds(1);
    const bool isHeld = -longest <= sinceEpoch && sinceEpoch <= longest;
    return isHeld ? std::optional(WallTime(sinceEpoch)) : std::nullopt;
}

}  // namespace lockkeeper
