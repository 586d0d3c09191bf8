// SPDX-License-Identifier: Apache-2.0
#include "app/cli/exporteroptions.h"

#include "app/cli/commandline.h"
#include "app/cli/sourceoptions.h"

#include <QRegularExpression>

#include <algorithm>
#include <cmath>

namespace lockkeeper::app {

namespace {

using metrics::Buckets;

// The options of a command line, and of the environment for those that it does not have.
class GivenOptions {
public:
    GivenOptions(const QCommandLineParser& parser, const Lookups& lookups) : m_parser(parser), m_lookups(lookups) {}

    // Nothing if it is given nowhere.
    [[nodiscard]] std::optional<QString> value(const QCommandLineOption& option) const {
        if (m_parser.isSet(option))
            return m_parser.value(option);
        const QString value = variable(option.names().constLast());
        return value.isEmpty() ? std::nullopt : std::optional(value);
    }
    // Of an option that may be repeated; in a variable they are separated by blanks.
    [[nodiscard]] QStringList values(const QCommandLineOption& option) const {
        return m_parser.isSet(option) ? m_parser.values(option) : words(option.names().constLast());
    }
    [[nodiscard]] QStringList words(const QString& name) const {
        return variable(name).split(QLatin1Char(' '), Qt::SkipEmptyParts);
    }

private:
    [[nodiscard]] QString variable(QString name) const {
        if (!m_lookups.variable)
            return {};
        name.replace(QLatin1Char('-'), QLatin1Char('_'));
        return m_lookups.variable(QStringLiteral("LOCKKEEPER_EXPORTER_") + name.toUpper());
    }

    const QCommandLineParser& m_parser;
    const Lookups& m_lookups;
};

// "host:port", ":port" for all addresses, or an address alone.
std::optional<Error> takeAddress(ExporterRequest& request, const QString& text) {
    static const QRegularExpression form(QStringLiteral("^(?:\\[([^\\]]*)\\]|([^:\\[\\]]*))(?::(\\d{1,5}))?$"));
    const QRegularExpressionMatch match = form.match(text);
    const QString host = match.hasCaptured(1) ? match.captured(1) : match.captured(2);
    const bool hasPort = match.hasCaptured(3);
    const int port = hasPort ? match.captured(3).toInt() : ExporterRequest::usualPort;
    const QHostAddress address = host == QLatin1String("localhost") ? QHostAddress(QHostAddress::LocalHost)
                                 : host.isEmpty() && hasPort        ? QHostAddress(QHostAddress::Any)
                                                                    : QHostAddress(host);
    constexpr int largestPort = 65535;
    if (!match.hasMatch() || address.isNull() || port > largestPort)
        return usage(CommandLine::tr("--listen takes an address of this machine and a port, such as 127.0.0.1:%1, "
                                     "[::1]:%1 or :%1 for all addresses")
                         .arg(ExporterRequest::usualPort));
    request.address = address;
    request.port = static_cast<quint16>(port);
    return std::nullopt;
}

// Ascending numbers above zero, separated by commas.
std::optional<Buckets> bucketsOf(const QString& text) {
    Buckets buckets;
    for (const QString& word : text.split(QLatin1Char(','))) {
        bool ok = false;
        const double bound = word.trimmed().toDouble(&ok);
        const bool isNext = std::isfinite(bound) && bound > (buckets.empty() ? 0 : buckets.back());
        if (!ok || !isNext)
            return std::nullopt;
        buckets.push_back(bound);
    }
    return buckets.size() <= metrics::mostBuckets ? std::optional(buckets) : std::nullopt;
}

std::optional<Error> takeBuckets(Buckets& buckets, const GivenOptions& given, const QCommandLineOption& option) {
    const std::optional<QString> text = given.value(option);
    if (!text)
        return std::nullopt;
    const std::optional<Buckets> read = bucketsOf(*text);
    if (!read)
        return usage(CommandLine::tr("--%1 takes ascending numbers of seconds, at most %2, such as 0.1,1,10")
                         .arg(option.names().constLast())
                         .arg(metrics::mostBuckets));
    buckets = *read;
    return std::nullopt;
}

std::optional<Error> takeFigures(ExporterRequest& request, const GivenOptions& given, const Options& options) {
    metrics::FigureOptions& figures = request.figures;
    figures.groupBy = given.value(options.groupBy).value_or(QString()).toUtf8();
    const std::optional<QString> most = given.value(options.maxGroups);
    if (most && figures.groupBy.isEmpty())
        return usage(CommandLine::tr("--max-groups goes with --group-by SEPARATOR"));
    if (most)
        figures.mostGroups = most->toInt();
    if (figures.mostGroups < 1 || figures.mostGroups > metrics::FigureOptions::mostGroupsEver)
        return usage(
            CommandLine::tr("--max-groups takes a number, 1 to %1").arg(metrics::FigureOptions::mostGroupsEver));
    const QStringList patterns = given.values(options.lock);
    if (patterns.contains(QString()) || patterns.size() > metrics::FigureOptions::mostPatterns)
        return usage(CommandLine::tr("--lock takes the name of a lock or a pattern, and is there at most %1 times")
                         .arg(metrics::FigureOptions::mostPatterns));
    for (const QString& pattern : patterns)
        figures.lockPatterns += pattern.toUtf8();
    std::optional<Error> error = takeBuckets(figures.holdBuckets, given, options.holdBuckets);
    return error ? error : takeBuckets(figures.waitBuckets, given, options.waitBuckets);
}

// ---- targets ----

// One source of the command line, as the other commands read theirs, with the options of discovery.
struct Source {
    const QCommandLineParser& parser;
    const Options& options;
    const Passwords& passwords;
    const Lookups& lookups;
};

std::optional<Error> addTarget(ExporterRequest& request, Arguments& one, QString name, const Source& source) {
    if (const std::optional<Error> error = takeDiscovery(one, source.parser, source.options))
        return error;
    if (name.isEmpty())
        name = targetName(one);
    if (std::ranges::any_of(request.targets, [&name](const WatchedTarget& target) { return target.name == name; }))
        return usage(CommandLine::tr("two servers have the name '%1': write NAME=URL").arg(name));
    request.targets.push_back(WatchedTarget{name, one.profile, one.saved});
    return std::nullopt;
}

// NAME=URL, or a URL. A URL has no '=' before its first ':', '/' or '?'.
std::optional<Error> addUrl(ExporterRequest& request, const QString& word, const Source& source) {
    static const QRegularExpression named(QStringLiteral("^([A-Za-z0-9_.-]+)=(.+)$"));
    const QRegularExpressionMatch match = named.match(word);
    Arguments one;
    one.face = Arguments::Face::Watch;
    if (const std::optional<Error> error = takeUrl(one, match.hasMatch() ? match.captured(2) : word, source.passwords))
        return error;
    return addTarget(request, one, match.captured(1), source);
}

std::optional<Error> addProfile(ExporterRequest& request, const QString& name, const Source& source) {
    if (name.isEmpty())
        return usage(CommandLine::tr("--profile takes the name of a saved connection"));
    Arguments one;
    one.face = Arguments::Face::Watch;
    if (const std::optional<Error> error = takeSavedProfile(one, source.lookups.profileNamed(name), source.passwords))
        return error;
    return addTarget(request, one, QString(), source);
}

std::optional<Error> addConfiguration(Arguments& result, const Source& source) {
    Arguments one;
    one.face = Arguments::Face::Watch;
    if (const std::optional<Error> error =
            takeSource(one, {}, source.parser, source.options, source.passwords, source.lookups))
        return error;
    result.notes = one.notes;
    return addTarget(result.exporter, one, QString(), source);
}

// A variable is seen by all programs of the user.
bool hasPassword(const QString& word) {
    static const QRegularExpression password(QStringLiteral("(?:^|//)[^/@]*:[^/@]+@"));
    return password.match(word).hasMatch();
}

std::optional<Error> takeTargets(Arguments& result, QStringList urls, const GivenOptions& given, const Source& source) {
    ExporterRequest& request = result.exporter;
    const bool isGiven = !urls.isEmpty() || isAnySet(source.parser, {&source.options.profile, &source.options.redisson,
                                                                     &source.options.demo});
    QStringList profiles = source.parser.values(source.options.profile);
    if (!isGiven) {
        urls = given.words(QStringLiteral("url"));
        profiles = given.words(QStringLiteral("profile"));
        if (std::ranges::any_of(urls, hasPassword))
            return usage(
                CommandLine::tr("LOCKKEEPER_EXPORTER_URL has a password, which other programs of the user "
                                "can read: use --password-file"));
    }
    if (source.parser.isSet(source.options.redisson))
        return addConfiguration(result, source);
    if (source.parser.isSet(source.options.demo))
        request.targets.push_back(WatchedTarget{QStringLiteral("demo"), {}, {}, true});
    for (const QString& url : std::as_const(urls)) {
        if (const std::optional<Error> error = addUrl(request, url, source))
            return error;
    }
    for (const QString& name : std::as_const(profiles)) {
        if (const std::optional<Error> error = addProfile(request, name, source))
            return error;
    }
    if (request.targets.isEmpty())
        return usage(CommandLine::tr("exporter needs a URL, --profile or --redisson-config"));
    return std::nullopt;
}

}  // namespace

std::optional<Error> takeExporter(Arguments& result, const QStringList& positional, const QCommandLineParser& parser,
                                  const Options& options, const Passwords& passwords, const Lookups& lookups) {
    if (result.face != Arguments::Face::Exporter)
        return isAnySet(parser, {&options.listen, &options.webConfig, &options.groupBy, &options.maxGroups,
                                 &options.holdBuckets, &options.waitBuckets})
                   ? std::optional(usage(CommandLine::tr(
                         "--listen, --web-config, --group-by, --max-groups, --hold-buckets and --wait-buckets go with "
                         "exporter")))
                   : std::nullopt;
    const GivenOptions given(parser, lookups);
    result.exporter.logFormat = given.value(options.logFormat).value_or(QString());
    result.exporter.logLevel = given.value(options.logLevel).value_or(QString());
    std::optional<Error> error = takeFigures(result.exporter, given, options);
    if (!error)
        error = takeTargets(result, positional, given, Source{parser, options, passwords, lookups});
    const std::optional<QString> address = given.value(options.listen);
    if (!error && address)
        error = takeAddress(result.exporter, *address);
    const std::optional<QString> webConfig = given.value(options.webConfig);
    if (!error && webConfig && webConfig->isEmpty())
        error = usage(CommandLine::tr("--web-config takes the name of a file"));
    result.exporter.webConfig = webConfig.value_or(QString());
    return error;
}

}  // namespace lockkeeper::app
