// SPDX-License-Identifier: Apache-2.0
#include "app/cli/laboptions.h"

#include "app/cli/commandline.h"
#include "lab/experiment/scenario.h"

#include <algorithm>

namespace lockkeeper::app {

namespace {

std::optional<Error> takeExperiment(Arguments& result, const QString& name, const Lookups& lookups) {
    result.lab.experiment = name.toUtf8();
    if (lookups.isExperiment(result.lab.experiment))
        return std::nullopt;
    return usage(CommandLine::tr("no experiment is named '%1': see lab list").arg(name));
}

std::optional<Error> takeWords(Arguments& result, const QStringList& words, const Lookups& lookups) {
    using What = Arguments::Lab::What;
    const QString word = words.value(0);
    if (word == QLatin1String("list") && words.size() == 1)
        return std::nullopt;
    const bool isShow = word == QLatin1String("show");
    if (words.size() != 2 || (!isShow && word != QLatin1String("run")))
        return usage(
            CommandLine::tr("lab is followed by list, by show or run and the name of one experiment, or by run all"));
    result.lab.what = isShow ? What::Show : What::Run;
    const bool isAll = !isShow && words.at(1) == QLatin1String("all");
    return isAll ? std::nullopt : takeExperiment(result, words.at(1), lookups);
}

std::optional<Error> takeStretch(Arguments& result, const QCommandLineParser& parser, const Options& options) {
    if (!parser.isSet(options.stretch))
        return std::nullopt;
    if (result.lab.what == Arguments::Lab::What::List)
        return usage(CommandLine::tr("--stretch goes with lab show and lab run"));
    bool isNumber = false;
    result.lab.stretch = parser.value(options.stretch).toInt(&isNumber);
    if (isNumber && result.lab.stretch >= 1 && result.lab.stretch <= lab::mostStretch)
        return std::nullopt;
    return usage(CommandLine::tr("--stretch is followed by a number from 1 to %1").arg(lab::mostStretch));
}

std::optional<Error> refusedElsewhere(const QCommandLineParser& parser, const Options& options) {
    if (parser.isSet(options.withoutCause))
        return usage(CommandLine::tr("--without-cause goes with lab run"));
    if (parser.isSet(options.stretch))
        return usage(CommandLine::tr("--stretch goes with lab show and lab run"));
    return std::nullopt;
}

}  // namespace

std::optional<Error> takeLab(Arguments& result, const QStringList& words, const QCommandLineParser& parser,
                             const Options& options, const Lookups& lookups) {
    if (result.face != Arguments::Face::Lab)
        return refusedElsewhere(parser, options);
    const QList<QCommandLineOption> taken{options.json,   options.withoutCause, options.stretch,
                                          options.record, options.recordLimit,  options.mask};
    const QStringList given = parser.optionNames();
    const auto isTaken = [&taken](const QString& name) {
        return std::ranges::any_of(taken,
                                   [&name](const QCommandLineOption& one) { return one.names().contains(name); });
    };
    if (!std::ranges::all_of(given, isTaken))
        return usage(
            CommandLine::tr("lab takes --json, --without-cause, --stretch and --record only: its servers are its own"));
    if (const std::optional<Error> error = takeWords(result, words, lookups))
        return error;
    result.lab.isWithoutCause = parser.isSet(options.withoutCause);
    if (result.lab.isWithoutCause && result.lab.what != Arguments::Lab::What::Run)
        return usage(CommandLine::tr("--without-cause goes with lab run"));
    if (const std::optional<Error> error = takeStretch(result, parser, options))
        return error;
    if (parser.isSet(options.record) && result.lab.experiment.isEmpty())
        return usage(CommandLine::tr("--record goes with lab run and the name of one experiment"));
    if (parser.isSet(options.record) && result.lab.what != Arguments::Lab::What::Run)
        return usage(CommandLine::tr("--record goes with lab run"));
    if (parser.isSet(options.json) && result.lab.what == Arguments::Lab::What::Show)
        return usage(CommandLine::tr("--json goes with lab list and lab run"));
    return std::nullopt;
}

}  // namespace lockkeeper::app
