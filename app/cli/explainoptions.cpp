// SPDX-License-Identifier: Apache-2.0
#include "app/cli/explainoptions.h"

#include "app/cli/commandline.h"

#include <QFileInfo>
#include <QRegularExpression>

namespace lockkeeper::app {

namespace {

// "+08:00", "+0800", "-5", "UTC+8". Nothing: it is no such offset, or no place on Earth has it.
std::optional<QTimeZone> offsetOf(const QString& text) {
    constexpr int mostHours = 14;
    static const QRegularExpression form(QStringLiteral("^(?:UTC)?([+-])(\\d\\d?)(?::?([0-5]\\d))?$"));
    const QRegularExpressionMatch match = form.match(text);
    const int hours = match.captured(2).toInt();
    if (!match.hasMatch() || hours > mostHours)
        return std::nullopt;
    const int seconds = hours * 3600 + match.captured(3).toInt() * 60;
    return QTimeZone(match.captured(1) == u'-' ? -seconds : seconds);
}

// "Europe/Berlin", "UTC", "+08:00". Invalid if it is none. Qt takes any three letters for the POSIX name of a zone
// without an offset, and an abbreviation such as CST stands for several zones: only what the database lists is taken.
QTimeZone zoneOf(const QString& text) {
    if (const std::optional<QTimeZone> offset = offsetOf(text))
        return *offset;
    const QByteArray id = text.toLatin1();
    const QTimeZone zone(id);
    const bool isRegion = text.contains(u'/') && !text.contains(u',');
    const bool isListed = isRegion || QTimeZone::availableTimeZoneIds().contains(id);
    return isListed && QString::fromLatin1(id) == text ? zone : QTimeZone();
}

bool isUrl(const QString& text) {
    return text.contains(QLatin1String("://"));
}

// One word alone may be either: a URL has a scheme, or is an address that is no file.
bool isFile(const QString& text) {
    const bool looksLikeAddress = text.contains(u':') && !text.contains(u'/') && !QFileInfo::exists(text);
    return !isUrl(text) && !looksLikeAddress;
}

}  // namespace

std::optional<Error> takeExplain(Arguments& result, QStringList& positional, const QCommandLineParser& parser,
                                 const Options& options) {
    const bool takesZone = result.face == Arguments::Face::Explain || result.face == Arguments::Face::Threads;
    if (parser.isSet(options.zone) && !takesZone)
        return usage(CommandLine::tr("--zone goes with explain and threads"));
    result.zone = parser.isSet(options.zone) ? zoneOf(parser.value(options.zone)) : QTimeZone::systemTimeZone();
    result.isZoneGiven = parser.isSet(options.zone);
    if (!result.zone.isValid())
        return usage(CommandLine::tr(
                         "--zone takes a region such as Europe/Berlin, UTC, or an offset such as +08:00, not '%1'; an "
                         "abbreviation such as CST may stand for several zones")
                         .arg(parser.value(options.zone)));
    if (result.face != Arguments::Face::Explain)
        return std::nullopt;
    if (parser.isSet(options.demo))
        return usage(CommandLine::tr("explain reads locks of a server of yours: it takes a URL, not --demo"));
    const bool hasSource = isAnySet(parser, {&options.profile, &options.redisson});
    const qsizetype most = hasSource ? 1 : 2;
    if (positional.size() > most)
        return usage(CommandLine::tr("explain takes one file at most, not '%1' as well").arg(positional.at(most)));
    if (positional.size() == 2 || (positional.size() == 1 && (hasSource || isFile(positional.first()))))
        result.explain.path = positional.takeLast();
    return std::nullopt;
}

}  // namespace lockkeeper::app
