// SPDX-License-Identifier: Apache-2.0
#include "app/arguments.h"

#include <QCommandLineParser>
#include <QMap>

namespace lockkeeper::app {

namespace {

const QString helpText = QStringLiteral(R"(Usage: lockkeeper [URL] [options]
       lockkeeper [list|watch|lock] --redisson-config FILE ... in place of a URL
       lockkeeper list URL|--demo [--json] [--match PATTERN]... [--read-only]
       lockkeeper watch URL|--demo [--json] [--for SECONDS] [--match PATTERN]... [--prefix P]...
                  [--share PERCENT] [--read-only]
       lockkeeper lock URL NAME [--kind KIND] [--wait SECONDS] [--lease SECONDS] [--on-lost kill|warn]
                  -- COMMAND [ARGUMENT...]

Shows the locks that Redisson keeps in Redis or Valkey, and acquires and releases them.
Without list, watch or lock it opens the window.

  URL                 redis://[user[:password]@]host[:port][/database], rediss:// for TLS
                      (?ca=FILE&cert=FILE&key=FILE&sni=NAME&tls-min=1.2|1.3&pin=SHA256), unix:///path/to/redis.sock,
                      redis://host,host for a master and its replicas,
                      redis-sentinel://host[:port],host[:port]/MASTER[/database],
                      redis-cluster://host[:port],host[:port][?publish=sharded], or just host or host:port;
                      ?ssh=user@host[:port] with any but unix:// connects through that host by your ssh
  --redisson-config FILE
                      the servers of a Redisson configuration, YAML or JSON; its ${VARIABLES} are taken from
                      the environment
  --demo              start a private server with a few clients; it stops when the program exits
  --read-only         send no command that writes
  --json              list, watch: print one JSON object for each line
  --for SECONDS       watch: exit after this time
  --match PATTERN     only locks with such names; * ? [abc] as in SCAN; may be repeated
  --prefix P          show new locks whose names begin with P at once; may be repeated
  --share PERCENT     percent of one server core that the search for locks may use (default: 5)
  --kind KIND         lock: reentrant (default), fair, read, write, fenced or spin;
                      with fenced, COMMAND gets the token in the variable LOCKKEEPER_TOKEN
  --wait SECONDS      lock: how long to wait for the lock; 0 tries once (default: no limit)
  --lease SECONDS     lock: a fixed lease (default: renewed as long as COMMAND runs)
  --on-lost kill|warn lock: what to do if the lock is lost while COMMAND runs (default: warn)
  --screenshot FILE   window: save a screenshot after the first sweep, and exit
  --help, --version

Pass the password in the environment variable LOCKKEEPER_PASSWORD rather than in the URL,
that of the Sentinels in LOCKKEEPER_SENTINEL_PASSWORD, and the pass phrase of a key file in LOCKKEEPER_KEY_PASSPHRASE.
Exit codes: 0 done, 2 wrong usage, 3 no connection or no answer to the handshake in 5 s;
lock: that of COMMAND (128 + N after signal N, 127 if it cannot be started), 75 if the lock was not obtained in time.
)");

struct Options {
    QCommandLineOption demo{QStringLiteral("demo")};
    QCommandLineOption redisson{QStringLiteral("redisson-config"), QString(), QStringLiteral("file")};
    QCommandLineOption readOnly{QStringLiteral("read-only")};
    QCommandLineOption json{QStringLiteral("json")};
    QCommandLineOption watchFor{QStringLiteral("for"), QString(), QStringLiteral("seconds")};
    QCommandLineOption match{QStringLiteral("match"), QString(), QStringLiteral("pattern")};
    QCommandLineOption prefix{QStringLiteral("prefix"), QString(), QStringLiteral("prefix")};
    QCommandLineOption share{QStringLiteral("share"), QString(), QStringLiteral("percent")};
    QCommandLineOption kind{QStringLiteral("kind"), QString(), QStringLiteral("kind")};
    QCommandLineOption wait{QStringLiteral("wait"), QString(), QStringLiteral("seconds")};
    QCommandLineOption lease{QStringLiteral("lease"), QString(), QStringLiteral("seconds")};
    QCommandLineOption onLost{QStringLiteral("on-lost"), QString(), QStringLiteral("action")};
    QCommandLineOption screenshot{QStringLiteral("screenshot"), QString(), QStringLiteral("file")};
    QCommandLineOption help{{QStringLiteral("h"), QStringLiteral("help")}};
    QCommandLineOption version{{QStringLiteral("v"), QStringLiteral("version")}};
};

Error usage(const QString& what) {
    return Error(ErrorCode::InvalidArgument, what);
}

Arguments::Face takeFace(QStringList& positional) {
    const QMap<QString, Arguments::Face> faces{{QStringLiteral("list"), Arguments::Face::List},
                                               {QStringLiteral("watch"), Arguments::Face::Watch},
                                               {QStringLiteral("lock"), Arguments::Face::Lock}};
    const auto face = positional.isEmpty() ? faces.cend() : faces.constFind(positional.first());
    if (face == faces.cend())
        return Arguments::Face::Window;
    positional.removeFirst();
    return *face;
}

// A number of seconds, fractions allowed, as milliseconds.
std::optional<std::chrono::milliseconds> secondsOf(const QString& text, double least) {
    constexpr double aYear = 365.0 * 24 * 3600;
    bool ok = false;
    const double seconds = text.toDouble(&ok);
    if (!ok || seconds < least || seconds > aYear)
        return std::nullopt;
    return std::chrono::milliseconds(qRound64(seconds * 1000));
}

std::optional<Arguments::LockKind> lockKindOf(const QString& word) {
    using Kind = Arguments::LockKind;
    const QMap<QString, Kind> kinds{{QString(), Kind::Reentrant},
                                    {QStringLiteral("reentrant"), Kind::Reentrant},
                                    {QStringLiteral("fair"), Kind::Fair},
                                    {QStringLiteral("read"), Kind::Read},
                                    {QStringLiteral("write"), Kind::Write},
                                    {QStringLiteral("fenced"), Kind::Fenced},
                                    {QStringLiteral("spin"), Kind::Spin}};
    const auto kind = kinds.constFind(word);
    return kind == kinds.cend() ? std::nullopt : std::optional(*kind);
}

std::optional<Error> takeLockOptions(Arguments& result, const QCommandLineParser& parser, const Options& options) {
    const bool given = parser.isSet(options.kind) || parser.isSet(options.wait) || parser.isSet(options.lease) || parser.isSet(options.onLost);
    if (result.face != Arguments::Face::Lock)
        return given ? std::optional(usage(QStringLiteral("--kind, --wait, --lease and --on-lost go with lock"))) : std::nullopt;
    if (result.source != Arguments::Source::Url || result.lockName.isEmpty() || result.command.isEmpty())
        return usage(QStringLiteral("lock needs a URL, a name, and a command after --"));
    const std::optional<Arguments::LockKind> kind = lockKindOf(parser.value(options.kind));
    if (!kind)
        return usage(QStringLiteral("--kind is reentrant, fair, read, write, fenced or spin, not '%1'").arg(parser.value(options.kind)));
    result.lockKind = *kind;
    constexpr double shortest = 0.001;
    result.wait = secondsOf(parser.value(options.wait), 0);
    result.lease = secondsOf(parser.value(options.lease), shortest);
    if ((parser.isSet(options.wait) && !result.wait) || (parser.isSet(options.lease) && !result.lease))
        return usage(QStringLiteral("--wait takes a number of seconds, --lease one above 0"));
    const QString onLost = parser.value(options.onLost);
    if (!onLost.isEmpty() && onLost != QLatin1String("kill") && onLost != QLatin1String("warn"))
        return usage(QStringLiteral("--on-lost is kill or warn, not '%1'").arg(onLost));
    result.onLost = onLost == QLatin1String("kill") ? Arguments::OnLost::Kill : Arguments::OnLost::Warn;
    return std::nullopt;
}

void takeProfile(Arguments& result, const profile::ConnectionProfile& profile, const Passwords& passwords) {
    result.source = Arguments::Source::Url;
    result.profile = profile;
    result.profile.endpoint.keyPassphrase = passwords.key;
    if (result.profile.credentials.password.isEmpty())
        result.profile.credentials.password = passwords.server;
    std::optional<topology::SentinelGroup>& sentinels = result.profile.deployment.sentinels;
    if (sentinels && sentinels->credentials.password.isEmpty())
        sentinels->credentials.password = passwords.sentinels;
}

// The window asks for variables without a value.
std::optional<Error> takeRedissonFile(Arguments& result, const QString& path, const Passwords& passwords) {
    const Result<QByteArray> file = profile::readRedissonFile(path);
    if (!file)
        return usage(QStringLiteral("%1: %2").arg(path, file.error().text));
    const Result<profile::RedissonConnection> found = profile::redissonConnection(*file, profile::environmentVariable);
    if (!found && found.error().cause == Cause::RedissonVariables && result.face == Arguments::Face::Window) {
        result.redissonFile = path;
        return std::nullopt;
    }
    if (!found)
        return usage(QStringLiteral("%1: %2").arg(path, found.error().text));
    takeProfile(result, found->profile, passwords);
    result.notes = found->notes;
    return std::nullopt;
}

std::optional<Error> takeSource(Arguments& result, const QStringList& positional, const QCommandLineParser& parser,
                                const Options& options, const Passwords& passwords) {
    const bool demo = parser.isSet(options.demo);
    const bool redisson = parser.isSet(options.redisson);
    if (positional.size() > 1)
        return usage(QStringLiteral("one URL at most, not '%1' as well").arg(positional.at(1)));
    if (demo && !positional.isEmpty())
        return usage(QStringLiteral("a URL or --demo, not both"));
    if (redisson && (demo || !positional.isEmpty()))
        return usage(QStringLiteral("--redisson-config takes the place of a URL or --demo"));
    if (redisson)
        return takeRedissonFile(result, parser.value(options.redisson), passwords);
    if (demo) {
        result.source = Arguments::Source::Demo;
    } else if (!positional.isEmpty()) {
        const Result<profile::ConnectionProfile> profile = profile::ConnectionProfile::fromUrl(positional.first());
        if (!profile)
            return profile.error();
        takeProfile(result, *profile, passwords);
    } else if (result.face != Arguments::Face::Window) {
        return usage(QStringLiteral("list and watch need a URL or --demo, or --redisson-config"));
    }
    return std::nullopt;
}

std::optional<Error> takeOptions(Arguments& result, const QCommandLineParser& parser, const Options& options) {
    result.json = parser.isSet(options.json);
    if (result.json && result.face != Arguments::Face::List && result.face != Arguments::Face::Watch)
        return usage(QStringLiteral("--json goes with list or watch"));
    if (parser.isSet(options.watchFor)) {
        constexpr double shortest = 0.001;
        result.watchFor = secondsOf(parser.value(options.watchFor), shortest);
        if (!result.watchFor || result.face != Arguments::Face::Watch)
            return usage(QStringLiteral("--for takes a number of seconds above 0, and goes with watch"));
    }
    result.screenshotFile = parser.value(options.screenshot);
    if (parser.isSet(options.screenshot) && (result.screenshotFile.isEmpty() || result.face != Arguments::Face::Window))
        return usage(QStringLiteral("--screenshot takes a file, and goes with the window"));
    return std::nullopt;
}

// These options override what the URL says.
std::optional<Error> takeDiscovery(Arguments& result, const QCommandLineParser& parser, const Options& options) {
    profile::DiscoverySettings& discovery = result.profile.discovery;
    const QStringList matches = parser.values(options.match);
    const QStringList prefixes = parser.values(options.prefix);
    const bool given = parser.isSet(options.match) || parser.isSet(options.prefix) || parser.isSet(options.share);
    if (given && (result.face == Arguments::Face::Lock || result.source != Arguments::Source::Url))
        return usage(QStringLiteral("--match, --prefix and --share go with a URL, and not with lock"));
    if (matches.contains(QString()) || prefixes.contains(QString()))
        return usage(QStringLiteral("--match and --prefix take a text that is not empty"));
    for (const QString& pattern : matches)
        discovery.matches += pattern.toLocal8Bit();
    for (const QString& prefix : prefixes)
        discovery.prefixes += prefix.toLocal8Bit();
    if (!parser.isSet(options.share))
        return std::nullopt;
    bool ok = false;
    discovery.serverShare = parser.value(options.share).toInt(&ok);
    if (!ok || discovery.serverShare < 1 || discovery.serverShare > 100)
        return usage(QStringLiteral("--share takes a percentage, 1 to 100"));
    return std::nullopt;
}

}  // namespace

Result<Arguments> Arguments::parse(const QStringList& arguments, const Passwords& fromEnvironment) {
    const Options options;
    QCommandLineParser parser;
    parser.addOptions({options.demo, options.redisson, options.readOnly, options.json, options.watchFor, options.match,
                       options.prefix, options.share, options.kind, options.wait, options.lease, options.onLost,
                       options.screenshot, options.help, options.version});
    // Everything after -- is the command with its own options.
    const qsizetype separator = arguments.indexOf(QStringLiteral("--"));
    const QStringList ours = separator < 0 ? arguments : arguments.first(separator);
    if (!parser.parse(QStringList(QStringLiteral("lockkeeper")) + ours))
        return usage(parser.errorText());
    Arguments result;
    if (separator >= 0)
        result.command = arguments.mid(separator + 1);
    if (parser.isSet(options.help))
        result.printInstead = helpText;
    else if (parser.isSet(options.version))
        result.printInstead = QStringLiteral("lockkeeper %1\n").arg(QStringLiteral(LOCKKEEPER_VERSION));
    if (!result.printInstead.isEmpty())
        return result;
    QStringList positional = parser.positionalArguments();
    result.face = takeFace(positional);
    const qsizetype beforeName = parser.isSet(options.redisson) ? 0 : 1;  // the URL
    if (result.face == Arguments::Face::Lock && positional.size() > beforeName)
        result.lockName = LockName(positional.takeAt(beforeName).toLocal8Bit());
    if (result.face != Arguments::Face::Lock && separator >= 0)
        return usage(QStringLiteral("-- and a command go with lock"));
    std::optional<Error> error = takeSource(result, positional, parser, options, fromEnvironment);
    if (!error)
        error = takeOptions(result, parser, options);
    if (!error)
        error = takeLockOptions(result, parser, options);
    if (!error)
        error = takeDiscovery(result, parser, options);
    if (error)
        return *error;
    if (parser.isSet(options.readOnly))
        result.profile.access = redis::AccessMode::ReadOnly;
    return result;
}

}  // namespace lockkeeper::app
