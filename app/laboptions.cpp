// SPDX-License-Identifier: Apache-2.0
#include "app/laboptions.h"

#include "lab/experiment/catalogue.h"

#include <algorithm>

namespace lockkeeper::app {

namespace {

std::optional<Error> takeRun(Arguments& result, const QStringList& names) {
    if (names.size() != 1)
        return usage(QStringLiteral("lab run takes the name of one experiment, or all"));
    result.lab.isRun = true;
    if (names.first() == QLatin1String("all"))
        return std::nullopt;
    result.lab.experiment = names.first().toUtf8();
    if (lab::experimentOf(result.lab.experiment))
        return std::nullopt;
    return usage(QStringLiteral("no experiment is named '%1': see lab list").arg(names.first()));
}

}  // namespace

std::optional<Error> takeLab(Arguments& result, const QStringList& words, const QCommandLineParser& parser,
                             const Options& options) {
    if (result.face != Arguments::Face::Lab)
        return parser.isSet(options.withoutCause) ? std::optional(usage(QStringLiteral("--without-cause goes with lab run")))
                                                  : std::nullopt;
    const QList<QCommandLineOption> taken{options.json, options.withoutCause};
    const QStringList given = parser.optionNames();
    const auto isTaken = [&taken](const QString& name) {
        return std::ranges::any_of(taken, [&name](const QCommandLineOption& one) { return one.names().contains(name); });
    };
    if (!std::ranges::all_of(given, isTaken))
        return usage(QStringLiteral("lab takes --json and --without-cause only: its servers are its own"));
    result.lab.isWithoutCause = parser.isSet(options.withoutCause);
    if (words.value(0) == QLatin1String("run"))
        return takeRun(result, words.mid(1));
    if (words != QStringList(QStringLiteral("list")))
        return usage(QStringLiteral("lab is followed by list, by run and the name of an experiment, or by run all"));
    return result.lab.isWithoutCause ? std::optional(usage(QStringLiteral("--without-cause goes with lab run"))) : std::nullopt;
}

}  // namespace lockkeeper::app
