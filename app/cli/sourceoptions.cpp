// SPDX-License-Identifier: Apache-2.0
#include "app/cli/sourceoptions.h"

#include "app/cli/commandline.h"
#include "app/cli/secretsource.h"
#include "app/cli/understoodsource.h"
#include "profile/configuration/redissoncause.h"
#include "ui/words/causetext.h"

#include <QFileInfo>

#include <algorithm>

namespace lockkeeper::app {

namespace {

void takeProfile(Arguments& result, const profile::ConnectionProfile& profile, const Passwords& passwords) {
    result.source = Arguments::Source::Url;
    result.profile = profile;
    if (result.profile.endpoint.keyPassphrase.isEmpty())
        result.profile.endpoint.keyPassphrase = passwords.key;
    if (result.profile.credentials.password.isEmpty())
        result.profile.credentials.password = passwords.server;
    if (!result.profile.writing.user.isEmpty() && result.profile.writing.password.isEmpty())
        result.profile.writing.password = passwords.writing;
    std::optional<topology::SentinelGroup>& sentinels = result.profile.deployment.sentinels;
    if (sentinels && sentinels->credentials.password.isEmpty())
        sentinels->credentials.password = passwords.sentinels;
}

// Applies the options as if they stood in the URL of the same connection. The passwords of the file stay.
Result<profile::ConnectionProfile> withOptions(const profile::ConnectionProfile& profile, const QString& options) {
    const QString url = profile.urlWithoutPassword();
    const QLatin1Char joint(url.contains(QLatin1Char('?')) ? '&' : '?');
    Result<profile::ConnectionProfile> changed = profile::ConnectionProfile::fromUrl(url + joint + options);
    if (!changed)
        return changed;
    changed.value().credentials = profile.credentials;
    changed.value().writing = profile.writing;
    changed.value().dumps = profile.dumps;
    changed.value().endpoint.keyPassphrase = profile.endpoint.keyPassphrase;
    if (profile.deployment.sentinels && changed.value().deployment.sentinels)
        changed.value().deployment.sentinels->credentials.password = profile.deployment.sentinels->credentials.password;
    return changed;
}

// What the command line can do about it.
Error configurationError(const ConfigurationRequest& request, const Error& error) {
    const QString reason = QStringLiteral("%1: %2").arg(request.path, ui::reasonText(error));
    if (error.cause == profile::RedissonCause::Variables)
        return usage(request.takesEnvironment
                         ? CommandLine::tr("%1; they are not set in the environment either").arg(reason)
                         : CommandLine::tr("%1; --env takes them from the environment").arg(reason));
    if (error.cause == profile::RedissonCause::Profiles)
        return usage(CommandLine::tr("%1; --spring-profile NAME chooses").arg(reason));
    return usage(reason);
}

// The window can ask for what is missing.
bool canBeAsked(const Error& error) {
    return error.cause == profile::RedissonCause::Variables || error.cause == profile::RedissonCause::Profiles;
}

Result<profile::ConnectionProfile> readConfiguration(const ConfigurationRequest& request, const QString& urlOptions,
                                                     const Lookups& lookups, QList<profile::RedissonNote>& notes) {
    const Result<profile::RedissonConnection> found = lookups.redissonFile(request);
    if (!found)
        return found.error();
    notes = found->notes;
    if (urlOptions.isEmpty())
        return found->profile;
    const Result<profile::ConnectionProfile> changed = withOptions(found->profile, urlOptions);
    return changed ? changed : usage(CommandLine::tr("--options: %1").arg(ui::errorClause(changed.error())));
}

std::optional<Error> takeRedissonFile(Arguments& result, ConfigurationRequest request, const QCommandLineParser& parser,
                                      const Options& options, const Passwords& passwords, const Lookups& lookups) {
    const QString urlOptions = parser.value(options.urlOptions);
    const Result<profile::ConnectionProfile> profile = readConfiguration(request, urlOptions, lookups, result.notes);
    const bool isWindow = result.face == Arguments::Face::Window;
    if (!profile && canBeAsked(profile.error()) && isWindow) {
        if (!urlOptions.isEmpty())
            return usage(CommandLine::tr("%1: %2: with --options nothing is asked for")
                             .arg(request.path, ui::reasonText(profile.error())));
        result.redissonFile = request.path;
        return std::nullopt;
    }
    if (!profile)
        return configurationError(request, profile.error());
    takeProfile(result, *profile, passwords);
    if (!parser.isSet(options.printUrl))
        return std::nullopt;
    // What is printed must not contain values of the environment, so it is read once more without them.
    QHash<QString, QString> standIns;
    QList<profile::RedissonNote> sameNotes;
    request.standIns = &standIns;
    const Result<profile::ConnectionProfile> shown = readConfiguration(request, urlOptions, lookups, sameNotes);
    if (!shown)
        return usage(
            CommandLine::tr("%1: what comes from the environment is not printed, and without it there is no URL")
                .arg(request.path));
    result.printInstead = understoodSource(*shown, standIns, result.json);
    return std::nullopt;
}

// The error for a saved connection whose secrets are asked for each time, which only the window can do. Nothing if
// the secrets that the command needs are given.
std::optional<Error> lacksPasswords(const profile::StoredProfile& saved, Arguments::Face face, const Passwords& given) {
    const QByteArray& writer = saved.profile.writing.user;
    // A command that writes connects only as the user who writes, and a check asks about both.
    const bool needsWriter = takesName(face) || face == Arguments::Face::Check;
    if (needsWriter && !writer.isEmpty() && given.writing.isEmpty())
        return usage(CommandLine::tr(
                         "'%1' writes as '%2', whose password is asked for each time: set LOCKKEEPER_WRITING_PASSWORD")
                         .arg(saved.label.name, QString::fromUtf8(writer)));
    const bool isGiven =
        !given.server.isEmpty() || !given.sentinels.isEmpty() || !given.key.isEmpty() || !given.writing.isEmpty();
    if (!isGiven)
        return usage(CommandLine::tr("'%1' has its passwords asked for each time: set LOCKKEEPER_PASSWORD, or use "
                                     "--password-file")
                         .arg(saved.label.name));
    return std::nullopt;
}

}  // namespace

std::optional<Error> takeSavedProfile(Arguments& result, const Result<profile::StoredProfile>& saved,
                                      const Passwords& passwords) {
    if (!saved)
        return saved.error();
    const bool asks = saved->secrets == profile::StoredProfile::Secrets::AskedEachTime;
    const bool mayAsk = result.face == Arguments::Face::Window;
    if (const std::optional<Error> lacks =
            asks && !mayAsk ? lacksPasswords(*saved, result.face, passwords) : std::nullopt)
        return lacks;
    if (takesName(result.face) && saved->profile.access == redis::AccessMode::ReadOnly)
        return usage(
            CommandLine::tr("'%1' was saved as read-only, so no lock can be taken with it").arg(saved->label.name));
    takeProfile(result, saved->profile, passwords);
    result.saved = *saved;
    return std::nullopt;
}

namespace {

// A host may have the name of a file; but no top-level domain is named like these suffixes.
bool isFile(const QString& source, const profile::ConnectionProfile& profile) {
    static const QStringList suffixes{QStringLiteral("lkrec"), QStringLiteral("json"),       QStringLiteral("yaml"),
                                      QStringLiteral("yml"),   QStringLiteral("properties"), QStringLiteral("jar"),
                                      QStringLiteral("war")};
    const QFileInfo file(profile.endpoint.unixPath.isEmpty() ? source : profile.endpoint.unixPath);
    return file.isFile() && (!profile.endpoint.unixPath.isEmpty() || suffixes.contains(file.suffix().toLower()));
}

// A file must be reported as such: connecting would only report that it refuses, or is no known host.
Result<profile::ConnectionProfile> profileAt(const QString& source) {
    Result<profile::ConnectionProfile> profile = profile::ConnectionProfile::fromUrl(source);
    if (!profile || !isFile(source, *profile))
        return profile;
    return usage(CommandLine::tr("%1 is a file, not a server: 'lockkeeper replay FILE --window' opens a recording, "
                                 "'lockkeeper --redisson-config FILE' the servers of a configuration")
                     .arg(source));
}

}  // namespace

std::optional<Error> takeUrl(Arguments& result, const QString& url, const Passwords& passwords) {
    const Result<profile::ConnectionProfile> profile = profileAt(url);
    if (!profile)
        return profile.error();
    takeProfile(result, *profile, passwords);
    return std::nullopt;
}

Result<QByteArray> passwordOf(const QCommandLineParser& parser, const Options& options,
                              const QByteArray& fromEnvironment) {
    const bool fromFile = parser.isSet(options.passwordFile);
    const bool fromDescriptor = parser.isSet(options.passwordFd);
    if (fromFile && fromDescriptor)
        return usage(CommandLine::tr("--password-file or --password-fd, not both"));
    if (fromFile && parser.value(options.passwordFile).isEmpty())
        return usage(CommandLine::tr("--password-file takes the name of a file"));
    if (fromFile)
        return firstLineOf(parser.value(options.passwordFile));
    return fromDescriptor ? firstLineOfFd(QStringLiteral("--password-fd"), parser.value(options.passwordFd))
                          : fromEnvironment;
}

QString targetName(const Arguments& one) {
    if (one.saved)
        return one.saved->label.name;
    profile::ConnectionProfile servers = one.profile;
    servers.deployment.ssh.reset();
    return servers.display();
}

namespace {

std::optional<Error> addTarget(Arguments& result, const QString& name, const Arguments& one) {
    const bool isKnown = std::ranges::any_of(result.notify.targets,
                                             [&name](const WatchedTarget& target) { return target.name == name; });
    if (isKnown)
        return usage(CommandLine::tr("%1 is named twice").arg(name));
    result.notify.targets.append({name, one.profile, one.saved});
    return std::nullopt;
}

}  // namespace

std::optional<Error> takeTargets(Arguments& result, const QStringList& positional, const QCommandLineParser& parser,
                                 const Options& options, const Passwords& passwords, const Lookups& lookups) {
    if (isAnySet(parser, {&options.demo, &options.redisson, &options.urlOptions, &options.springProfile, &options.env,
                          &options.printUrl}))
        return usage(CommandLine::tr("notify takes URLs and --profile NAME, no demo and no configuration of Redisson"));
    const QStringList names = parser.values(options.profile);
    if (names.contains(QString()))
        return usage(CommandLine::tr("--profile takes the name of a saved connection"));
    if (positional.isEmpty() && names.isEmpty() && !parser.isSet(options.test))
        return usage(CommandLine::tr("notify needs a URL, or --profile NAME"));
    for (const QString& url : positional) {
        Arguments one;
        std::optional<Error> error = takeUrl(one, url, passwords);
        if (!error)
            error = addTarget(result, targetName(one), one);
        if (error)
            return error;
    }
    for (const QString& name : names) {
        Arguments one;
        one.face = result.face;
        std::optional<Error> error = takeSavedProfile(one, lookups.profileNamed(name), passwords);
        if (!error)
            error = addTarget(result, targetName(one), one);
        if (error)
            return error;
    }
    return std::nullopt;
}

std::optional<Error> takeSource(Arguments& result, const QStringList& positional, const QCommandLineParser& parser,
                                const Options& options, const Passwords& passwords, const Lookups& lookups) {
    const bool demo = parser.isSet(options.demo);
    const bool redisson = parser.isSet(options.redisson);
    if (result.face == Arguments::Face::Audit)
        return demo || redisson || parser.isSet(options.profile) || !positional.isEmpty()
                   ? std::optional(usage(CommandLine::tr("audit reads files of this machine: it takes no server")))
                   : std::nullopt;
    if (result.face == Arguments::Face::Lab || result.face == Arguments::Face::Replay)
        return std::nullopt;
    if (demo && result.face == Arguments::Face::Check)
        return usage(CommandLine::tr("check asks a server of yours: it takes a URL, not --demo"));
    if (positional.size() > 1 && takesName(result.face) && parser.isSet(options.name))
        return usage(CommandLine::tr("one name: '%1' or that of --name").arg(positional.at(1)));
    if (positional.size() > 1)
        return usage(CommandLine::tr("one URL at most, not '%1' as well").arg(positional.at(1)));
    if (demo && !positional.isEmpty())
        return usage(CommandLine::tr("a URL or --demo, not both"));
    if (redisson && (demo || !positional.isEmpty()))
        return usage(
            CommandLine::tr("--redisson-config takes the place of a URL or --demo; --options adds what a URL has "
                            "behind its ?"));
    if (!redisson && isAnySet(parser, {&options.springProfile, &options.env, &options.printUrl}))
        return usage(CommandLine::tr("--spring-profile, --env and --print-url go with --redisson-config"));
    if (parser.isSet(options.printUrl) && result.face != Arguments::Face::List)
        return usage(CommandLine::tr("--print-url goes with list"));
    if (parser.isSet(options.springProfile) && parser.value(options.springProfile).isEmpty())
        return usage(CommandLine::tr("--spring-profile takes the name of a profile"));
    if (!redisson && parser.isSet(options.urlOptions))
        return usage(CommandLine::tr("--options goes with --redisson-config; in a URL they follow its ?"));
    if (parser.isSet(options.profile) && (demo || redisson || !positional.isEmpty()))
        return usage(CommandLine::tr("--profile takes the place of a URL, --demo or --redisson-config"));
    if (parser.isSet(options.profile) && parser.value(options.profile).isEmpty())
        return usage(CommandLine::tr("--profile takes the name of a saved connection"));
    if (parser.isSet(options.profile))
        return takeSavedProfile(result, lookups.profileNamed(parser.value(options.profile)), passwords);
    if (redisson && parser.value(options.redisson).isEmpty())
        return usage(CommandLine::tr("--redisson-config takes the name of a file"));
    if (parser.isSet(options.urlOptions) && parser.value(options.urlOptions).isEmpty())
        return usage(CommandLine::tr("--options takes what a URL has behind its ?"));
    if (redisson)
        return takeRedissonFile(
            result,
            {parser.value(options.redisson), parser.value(options.springProfile), parser.isSet(options.env), nullptr},
            parser, options, passwords, lookups);
    if (demo) {
        result.source = Arguments::Source::Demo;
    } else if (!positional.isEmpty()) {
        return takeUrl(result, positional.first(), passwords);
    } else if (takesName(result.face)) {
        return usage(CommandLine::tr("a URL and a name are needed, or a name with --redisson-config or --profile"));
    } else if (result.face == Arguments::Face::Check) {
        return usage(CommandLine::tr("check needs a URL, or --redisson-config, or --profile"));
    } else if (result.face != Arguments::Face::Window && result.face != Arguments::Face::Explain) {
        return usage(
            CommandLine::tr("list, watch and threads need a URL or --demo, or --redisson-config, or --profile"));
    }
    return std::nullopt;
}

namespace {

// The text as a pattern that only it fits.
QByteArray literalPattern(const QByteArray& text) {
    QByteArray pattern;
    for (const char character : text) {
        if (QByteArrayView("*?[]\\^").contains(character))
            pattern += '\\';
        pattern += character;
    }
    return pattern;
}

// Names as the program has them, or keys: with a NameMapper a pattern may mean either.
QByteArrayList patternsOf(const QByteArray& pattern, const locks::NameMapper& names) {
    const bool isMapped = !names.prefix.isEmpty() || !names.suffix.isEmpty();
    const bool mayBeOfKeys = pattern.startsWith(names.prefix) && pattern.endsWith(names.suffix);
    if (!isMapped || mayBeOfKeys)
        return {pattern};
    return {literalPattern(names.prefix) + pattern + literalPattern(names.suffix), pattern};
}

}  // namespace

std::optional<Error> takeDiscovery(Arguments& result, const QCommandLineParser& parser, const Options& options) {
    profile::DiscoverySettings& discovery = result.profile.discovery;
    const QStringList matches = parser.values(options.match);
    const QStringList prefixes = parser.values(options.prefix);
    const QStringList semaphores = parser.values(options.semaphores);
    const bool given = parser.isSet(options.match) || parser.isSet(options.prefix) ||
                       parser.isSet(options.semaphores) || parser.isSet(options.share);
    const bool isCheck = result.face == Arguments::Face::Check;
    if (given && (takesName(result.face) || result.source != Arguments::Source::Url))
        return usage(CommandLine::tr(
            "--match, --prefix, --semaphores and --share go with a URL, and not with lock, semaphore or latch"));
    if (isCheck && isAnySet(parser, {&options.prefix, &options.semaphores, &options.share}))
        return usage(CommandLine::tr("--prefix, --semaphores and --share do not go with check, which takes --match"));
    if (matches.contains(QString()) || prefixes.contains(QString()) || semaphores.contains(QString()))
        return usage(CommandLine::tr("--match, --prefix and --semaphores take a text that is not empty"));
    for (const QString& pattern : matches)
        discovery.matches += patternsOf(pattern.toLocal8Bit(), result.profile.locks.names);
    for (const QString& prefix : prefixes)
        discovery.prefixes += prefix.toLocal8Bit();
    for (const QString& pattern : semaphores)
        discovery.semaphores += pattern.toLocal8Bit();
    if (!parser.isSet(options.share))
        return std::nullopt;
    bool ok = false;
    discovery.serverShare = parser.value(options.share).toInt(&ok);
    if (!ok || discovery.serverShare < 1 || discovery.serverShare > 100)
        return usage(CommandLine::tr("--share takes a percentage, 1 to 100"));
    return std::nullopt;
}

}  // namespace lockkeeper::app
