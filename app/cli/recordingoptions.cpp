// SPDX-License-Identifier: Apache-2.0
#include "app/cli/recordingoptions.h"

#include "app/cli/commandline.h"
#include "base/isotime.h"

namespace lockkeeper::app {

namespace {

// "500M", "2G", or a number of bytes.
std::optional<qint64> bytesOf(QString text) {
    constexpr qint64 least = 64 * 1024;
    constexpr qint64 most = 1024LL * 1024 * 1024 * 1024;
    constexpr qint64 step = 1024;
    qint64 unit = 1;
    for (const QChar suffix : {u'K', u'M', u'G'}) {
        unit *= step;
        if (!text.endsWith(suffix))
            continue;
        text.chop(1);
        bool isNumber = false;
        const qint64 number = text.toLongLong(&isNumber);
        const bool fits = isNumber && number > 0 && number <= most / unit && number * unit >= least;
        return fits ? std::optional(number * unit) : std::nullopt;
    }
    bool isNumber = false;
    const qint64 bytes = text.toLongLong(&isNumber);
    return isNumber && bytes >= least && bytes <= most ? std::optional(bytes) : std::nullopt;
}

std::optional<Error> takeTime(std::optional<WallTime>& time, const QCommandLineParser& parser,
                              const QCommandLineOption& option) {
    if (!parser.isSet(option))
        return std::nullopt;
    time = timeFromIso(parser.value(option));
    return time ? std::nullopt
                : std::optional(usage(CommandLine::tr("--from and --to take a time such as 2026-11-23T12:00:00Z")));
}

std::optional<Error> takeFile(Arguments& result, QStringList& positional, const QCommandLineParser& parser,
                              const Options& options) {
    if (positional.size() != 1 || isAnySet(parser, {&options.demo, &options.profile, &options.redisson}))
        return usage(CommandLine::tr("replay takes one file, and no server"));
    result.recording.path = positional.takeFirst();
    result.recording.saveTo = parser.value(options.save);
    if (parser.isSet(options.screenshot))
        return usage(CommandLine::tr("--screenshot does not go with replay"));
    if (parser.isSet(options.window) && (result.json || isAnySet(parser, {&options.save, &options.from, &options.to})))
        return usage(CommandLine::tr("--window does not go with --json, --save, --from and --to"));
    if (parser.isSet(options.save) && (result.recording.saveTo.isEmpty() || parser.isSet(options.json)))
        return usage(CommandLine::tr("--save takes the name of a new file, and --json does not go with it"));
    std::optional<Error> error = takeTime(result.recording.from, parser, options.from);
    if (!error)
        error = takeTime(result.recording.to, parser, options.to);
    if (!error && parser.isSet(options.window))
        result.face = Arguments::Face::Window;
    return error;
}

}  // namespace

std::optional<Error> takeRecording(Arguments& result, QStringList& positional, const QCommandLineParser& parser,
                                   const Options& options) {
    const bool isReplay = result.face == Arguments::Face::Replay;
    if (!isReplay && isAnySet(parser, {&options.from, &options.to, &options.save, &options.window}))
        return usage(CommandLine::tr("--from, --to, --save and --window go with replay"));
    const bool records = result.face == Arguments::Face::Watch || result.face == Arguments::Face::Lab;
    if (!records && parser.isSet(options.record))
        return usage(CommandLine::tr("--record goes with watch and lab run"));
    const bool writes = parser.isSet(options.record) || (isReplay && parser.isSet(options.save));
    if (!writes && isAnySet(parser, {&options.recordLimit, &options.mask}))
        return usage(CommandLine::tr("--record-limit and --mask go with --record and with replay --save"));
    if (parser.isSet(options.record) && parser.value(options.record).isEmpty())
        return usage(CommandLine::tr("--record takes the name of a new file"));
    if (records)
        result.recording.path = parser.value(options.record);
    if (parser.isSet(options.mask))
        result.recording.masking = recording::Masking::On;
    if (parser.isSet(options.recordLimit)) {
        const std::optional<qint64> limit = bytesOf(parser.value(options.recordLimit));
        if (!limit)
            return usage(CommandLine::tr("--record-limit takes a size from 64K to 1024G, such as 500M"));
        result.recording.limit = *limit;
    }
    return isReplay ? takeFile(result, positional, parser, options) : std::nullopt;
}

}  // namespace lockkeeper::app
