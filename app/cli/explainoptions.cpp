// SPDX-License-Identifier: Apache-2.0
#include "app/cli/explainoptions.h"

#include "app/cli/commandline.h"

#include <QFileInfo>

namespace lockkeeper::app {

namespace {

// "Europe/Berlin", "UTC", "+08:00". Invalid if it is none.
QTimeZone zoneOf(const QString& text) {
    const bool isOffset = text.startsWith(u'+') || text.startsWith(u'-');
    return QTimeZone(isOffset ? "UTC" + text.toLatin1() : text.toLatin1());
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
        return usage(CommandLine::tr("--zone takes a time zone such as Europe/Berlin, UTC or +08:00, not '%1'")
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
