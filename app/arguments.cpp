#include "app/arguments.h"

#include <QCommandLineParser>
#include <QCoreApplication>

namespace lockkeeper::app {

namespace {

const QString helpText = QStringLiteral(R"(Usage: lockkeeper [URL] [options]
       lockkeeper list URL|--demo [--json] [--read-only]
       lockkeeper watch URL|--demo [--json] [--for SECONDS] [--read-only]

Watches and works the locks that Redisson keeps in Redis or Valkey.
Without list or watch it opens the window.

  URL                 redis://[user[:password]@]host[:port][/database], rediss:// for TLS
                      (?ca=FILE&cert=FILE&key=FILE&sni=NAME), unix:///path/to/redis.sock,
                      or just host or host:port
  --demo              start a private server with a small fleet of clients; ended at exit
  --read-only         no command that writes can leave the program
  --json              list, watch: one JSON object a line
  --for SECONDS       watch: end after so many seconds
  --screenshot FILE   window: save a picture of it after the first sweep, and end
  --help, --version

The password is better kept out of the URL: LOCKKEEPER_PASSWORD in the environment.
Exit codes: 0 done, 2 wrong usage, 3 no connection or no answer to the handshake in 5 s.
)");

struct Options {
    QCommandLineOption demo{QStringLiteral("demo")};
    QCommandLineOption readOnly{QStringLiteral("read-only")};
    QCommandLineOption json{QStringLiteral("json")};
    QCommandLineOption watchFor{QStringLiteral("for"), QString(), QStringLiteral("seconds")};
    QCommandLineOption screenshot{QStringLiteral("screenshot"), QString(), QStringLiteral("file")};
    QCommandLineOption help{{QStringLiteral("h"), QStringLiteral("help")}};
    QCommandLineOption version{{QStringLiteral("v"), QStringLiteral("version")}};
};

Error usage(const QString& what) {
    return Error(ErrorCode::InvalidArgument, what);
}

Arguments::Face takeFace(QStringList& positional) {
    if (positional.isEmpty() || (positional.first() != QLatin1String("list") && positional.first() != QLatin1String("watch")))
        return Arguments::Face::Window;
    return positional.takeFirst() == QLatin1String("list") ? Arguments::Face::List : Arguments::Face::Watch;
}

std::optional<Error> takeSource(Arguments& result, const QStringList& positional, bool demo, const QByteArray& password) {
    if (positional.size() > 1)
        return usage(QStringLiteral("one URL at most, not '%1' as well").arg(positional.at(1)));
    if (demo && !positional.isEmpty())
        return usage(QStringLiteral("a URL or --demo, not both"));
    if (demo) {
        result.source = Arguments::Source::Demo;
    } else if (!positional.isEmpty()) {
        const Result<profile::ConnectionProfile> profile = profile::ConnectionProfile::fromUrl(positional.first());
        if (!profile)
            return profile.error();
        result.source = Arguments::Source::Url;
        result.profile = *profile;
        if (result.profile.credentials.password.isEmpty())
            result.profile.credentials.password = password;
    } else if (result.face != Arguments::Face::Window) {
        return usage(QStringLiteral("list and watch need a URL or --demo"));
    }
    return std::nullopt;
}

std::optional<Error> takeOptions(Arguments& result, const QCommandLineParser& parser, const Options& options) {
    result.json = parser.isSet(options.json);
    if (result.json && result.face == Arguments::Face::Window)
        return usage(QStringLiteral("--json goes with list or watch"));
    if (parser.isSet(options.watchFor)) {
        bool ok = false;
        const double seconds = parser.value(options.watchFor).toDouble(&ok);
        constexpr double aYear = 365.0 * 24 * 3600;
        if (!ok || seconds <= 0 || seconds > aYear || result.face != Arguments::Face::Watch)
            return usage(QStringLiteral("--for takes a number of seconds above 0, and goes with watch"));
        result.watchFor = std::chrono::milliseconds(qRound64(seconds * 1000));
    }
    result.screenshotFile = parser.value(options.screenshot);
    if (parser.isSet(options.screenshot) && (result.screenshotFile.isEmpty() || result.face != Arguments::Face::Window))
        return usage(QStringLiteral("--screenshot takes a file, and goes with the window"));
    return std::nullopt;
}

}  // namespace

Result<Arguments> Arguments::parse(const QStringList& arguments, const QByteArray& passwordFromEnvironment) {
    const Options options;
    QCommandLineParser parser;
    parser.addOptions({options.demo, options.readOnly, options.json, options.watchFor, options.screenshot, options.help, options.version});
    if (!parser.parse(QStringList(QStringLiteral("lockkeeper")) + arguments))
        return usage(parser.errorText());
    Arguments result;
    if (parser.isSet(options.help))
        result.printInstead = helpText;
    else if (parser.isSet(options.version))
        result.printInstead = QStringLiteral("lockkeeper %1\n").arg(QStringLiteral(LOCKKEEPER_VERSION));
    if (!result.printInstead.isEmpty())
        return result;
    QStringList positional = parser.positionalArguments();
    result.face = takeFace(positional);
    std::optional<Error> error = takeSource(result, positional, parser.isSet(options.demo), passwordFromEnvironment);
    if (!error)
        error = takeOptions(result, parser, options);
    if (error)
        return *error;
    if (parser.isSet(options.readOnly))
        result.profile.access = redis::AccessMode::ReadOnly;
    return result;
}

}  // namespace lockkeeper::app
