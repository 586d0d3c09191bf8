// SPDX-License-Identifier: Apache-2.0
#include "app/arguments.h"

#include "base/isotime.h"

#include <QCommandLineParser>
#include <QFile>
#include <QMap>
#include <QVersionNumber>

#include <algorithm>
#include <array>

namespace lockkeeper::app {

namespace {

const QString helpText = QStringLiteral(R"(Usage: lockkeeper [URL] [options]
       lockkeeper [list|watch|lock|semaphore|latch|force-release] --redisson-config FILE ... in place of a URL
       lockkeeper [COMMAND] --profile NAME ... in place of a URL
       lockkeeper list URL|--demo [--json] [--match PATTERN]... [--read-only]
       lockkeeper watch URL|--demo [--json] [--for SECONDS] [--match PATTERN]... [--prefix P]...
                  [--share PERCENT] [--read-only]
       lockkeeper lock URL NAME [--kind KIND] [--wait SECONDS] [--lease SECONDS|--watchdog SECONDS]
                  [--on-lost kill|warn] [--wait-for command|session|all] [--grace SECONDS] -- COMMAND [ARGUMENT...]
       lockkeeper semaphore URL NAME [run [N]] [--wait SECONDS] [--expirable [--lease SECONDS] [--on-lost kill|warn]]
                  [--wait-for ...] [--grace SECONDS] -- COMMAND [ARGUMENT...]
       lockkeeper semaphore URL NAME permits|acquire [N]|release [N|ID]|set N|add N|remove N|drain|delete
                  [--wait SECONDS] [--expirable]
       lockkeeper latch URL NAME wait|count-down|count|set N|delete [--wait SECONDS]
       lockkeeper force-release URL NAME --holder UUID:THREAD [--count N] [--token N] --reason TEXT
                  [--confirm NAME]
       lockkeeper audit [--verify] [--lock NAME] [--since TIME] [--json]

Shows the locks that Redisson keeps in Redis or Valkey, and acquires and releases them.
Without one of these words it opens the window.

  URL                 redis://[user[:password]@]host[:port][/database], rediss:// for TLS
                      (?ca=FILE&cert=FILE&key=FILE&sni=NAME&tls-min=1.2|1.3&pin=SHA256), unix:///path/to/redis.sock,
                      redis://host,host for a master and its replicas,
                      redis-sentinel://host[:port],host[:port]/MASTER[/database],
                      redis-cluster://host[:port],host[:port][?publish=sharded], or just host or host:port;
                      ?ssh=user@host[:port] with any but unix:// connects through that host by your ssh
  --redisson-config FILE
                      the servers of a Redisson configuration, YAML or JSON; its ${VARIABLES} are taken from
                      the environment
  --options OPTIONS   with --redisson-config: what a URL would have behind its ?, as 'ca=FILE&ssh=user@host'
  --profile NAME      a connection that was saved in the window
  --demo              start a private server with a few clients; it stops when the program exits
  --read-only         send no command that writes
  --json              list, watch, audit: print one JSON object for each line
  --for SECONDS       watch: exit after this time
  --match PATTERN     only locks with such names; * ? [abc] as in SCAN; may be repeated
  --prefix P          show new locks whose names begin with P at once; may be repeated
  --share PERCENT     percent of one server core that the search for locks may use (default: 5)
  --kind KIND         lock: reentrant (default), fair, read, write, fenced, spin, nonreentrant or
                      nonreentrant-fair (both as those of Redisson 4);
                      with fenced, COMMAND gets the token in the variable LOCKKEEPER_TOKEN
  --name NAME         lock, semaphore, latch, force-release: in place of NAME, for one that begins with -
  --name-prefix P, --name-suffix S
                      lock, semaphore, latch: the Java clients have a NameMapper that adds these to each name
  --redisson-version V
                      and are of this version: before 3.52 they keep the queue of a fair lock under the name without
                      both
  --wait SECONDS      lock, semaphore, latch: how long to wait; 0 tries once (default: no limit)
  --expirable         semaphore: permits with ids and leases, as Redisson's RPermitExpirableSemaphore has them;
                      acquire prints the id, release takes it
  --lease SECONDS     lock, semaphore --expirable: a fixed lease (default: renewed as long as COMMAND runs; a permit
                      of acquire has none)
  --watchdog SECONDS  lock, semaphore --expirable: the lease that is renewed every third of it (default: 30)
  --on-lost kill|warn lock: what to do if the lock is lost while COMMAND runs (default: warn); with kill, COMMAND is
                      ended a grace before the end of a lease that is not renewed
  --wait-for command|session|all
                      lock: keep the lock until COMMAND has ended, also what it has left in its session (default),
                      or all that it has started
  --grace SECONDS     lock: between SIGTERM and SIGKILL, at the end of a lease at most a third of it; and how long an
                      unanswered attempt to take the lock is waited for at the end (default: 5)
  --holder UUID:THREAD, --count N, --token N
                      force-release: the lock is broken only if this holder has it, alone, with this reentry count
                      and this fencing token
  --reason TEXT       force-release: why; the audit keeps it
  --confirm NAME      force-release: the name of the lock again; without it the terminal asks for it. On
                      production, and for a URL, --yes is not enough
  --yes               force-release: do not ask, on a saved connection of development or staging
  --verify            audit: check that nothing in it was changed
  --lock NAME, --since TIME
                      audit: only what is about this lock, and from this time on (2026-11-23T12:00:00Z)
  --screenshot FILE   window: save a screenshot after the first sweep, and exit
  --help, --version

  --password-file FILE, --password-fd N
                      the first line of a file, or of an open file descriptor, is the server's password

Else pass the password in the environment variable LOCKKEEPER_PASSWORD rather than in the URL (programs of the same user
can read it at the start of this one),
that of the Sentinels in LOCKKEEPER_SENTINEL_PASSWORD, and the pass phrase of a key file in LOCKKEEPER_KEY_PASSPHRASE.
Exit codes: 0 done, 2 wrong usage, 3 no connection or no answer, 7 the server refuses, 74 the output cannot be written;
lock: that of COMMAND (128 + N after signal N), 75 not obtained in time, 76 lost while COMMAND ran, 77 the lock may
stay until its lease ends, 126 COMMAND cannot be executed, 127 it is not found;
semaphore, latch: the same, 1 if nothing was changed, and 77 also for a change whose answer is lost;
force-release: 4 something else holds the lock, 5 the server has not answered, 6 the audit cannot be written, so nothing
was sent, 8 the lock is free already, 9 not confirmed, or not possible for this kind of lock;
audit: 6 it cannot be read, 10 --verify has found a change.
)");

struct Options {
    QCommandLineOption demo{QStringLiteral("demo")};
    QCommandLineOption redisson{QStringLiteral("redisson-config"), QString(), QStringLiteral("file")};
    QCommandLineOption urlOptions{QStringLiteral("options"), QString(), QStringLiteral("options")};
    QCommandLineOption profile{QStringLiteral("profile"), QString(), QStringLiteral("name")};
    QCommandLineOption readOnly{QStringLiteral("read-only")};
    QCommandLineOption json{QStringLiteral("json")};
    QCommandLineOption watchFor{QStringLiteral("for"), QString(), QStringLiteral("seconds")};
    QCommandLineOption match{QStringLiteral("match"), QString(), QStringLiteral("pattern")};
    QCommandLineOption prefix{QStringLiteral("prefix"), QString(), QStringLiteral("prefix")};
    QCommandLineOption share{QStringLiteral("share"), QString(), QStringLiteral("percent")};
    QCommandLineOption kind{QStringLiteral("kind"), QString(), QStringLiteral("kind")};
    QCommandLineOption wait{QStringLiteral("wait"), QString(), QStringLiteral("seconds")};
    QCommandLineOption lease{QStringLiteral("lease"), QString(), QStringLiteral("seconds")};
    QCommandLineOption watchdog{QStringLiteral("watchdog"), QString(), QStringLiteral("seconds")};
    QCommandLineOption onLost{QStringLiteral("on-lost"), QString(), QStringLiteral("action")};
    QCommandLineOption name{QStringLiteral("name"), QString(), QStringLiteral("name")};
    QCommandLineOption namePrefix{QStringLiteral("name-prefix"), QString(), QStringLiteral("prefix")};
    QCommandLineOption nameSuffix{QStringLiteral("name-suffix"), QString(), QStringLiteral("suffix")};
    QCommandLineOption redissonVersion{QStringLiteral("redisson-version"), QString(), QStringLiteral("version")};
    QCommandLineOption waitFor{QStringLiteral("wait-for"), QString(), QStringLiteral("what")};
    QCommandLineOption expirable{QStringLiteral("expirable")};
    QCommandLineOption grace{QStringLiteral("grace"), QString(), QStringLiteral("seconds")};
    QCommandLineOption passwordFile{QStringLiteral("password-file"), QString(), QStringLiteral("file")};
    QCommandLineOption passwordFd{QStringLiteral("password-fd"), QString(), QStringLiteral("number")};
    QCommandLineOption holder{QStringLiteral("holder"), QString(), QStringLiteral("holder")};
    QCommandLineOption count{QStringLiteral("count"), QString(), QStringLiteral("number")};
    QCommandLineOption token{QStringLiteral("token"), QString(), QStringLiteral("number")};
    QCommandLineOption reason{QStringLiteral("reason"), QString(), QStringLiteral("text")};
    QCommandLineOption yes{QStringLiteral("yes")};
    QCommandLineOption confirm{QStringLiteral("confirm"), QString(), QStringLiteral("name")};
    QCommandLineOption verify{QStringLiteral("verify")};
    QCommandLineOption lock{QStringLiteral("lock"), QString(), QStringLiteral("name")};
    QCommandLineOption since{QStringLiteral("since"), QString(), QStringLiteral("time")};
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
                                               {QStringLiteral("lock"), Arguments::Face::Lock},
                                               {QStringLiteral("semaphore"), Arguments::Face::Semaphore},
                                               {QStringLiteral("latch"), Arguments::Face::Latch},
                                               {QStringLiteral("force-release"), Arguments::Face::ForceRelease},
                                               {QStringLiteral("audit"), Arguments::Face::Audit}};
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
    const bool isInRange = seconds >= least && seconds <= aYear;  // false for NaN
    if (!ok || !isInRange)
        return std::nullopt;
    return std::chrono::milliseconds(qRound64(seconds * 1000));
}

// The value of an option that takes one of some words; the first one if it is not given.
template <typename Value>
struct Word {
    const char* word;
    Value value;
};

template <typename Value, size_t Count>
std::optional<Error> takeWord(Value& value, const QCommandLineParser& parser, const QCommandLineOption& option,
                              const std::array<Word<Value>, Count>& words) {
    if (!parser.isSet(option))
        return std::nullopt;
    QStringList known;
    for (const Word<Value>& one : words) {
        if (parser.value(option) == QLatin1String(one.word)) {
            value = one.value;
            return std::nullopt;
        }
        known += QLatin1String(one.word);
    }
    return usage(QStringLiteral("--%1 is one of %2, not '%3'")
                     .arg(option.names().first(), known.join(QLatin1String(", ")), parser.value(option)));
}

std::optional<Error> takeLockWords(Arguments& result, const QCommandLineParser& parser, const Options& options) {
    using Kind = Arguments::LockKind;
    using OnLost = Arguments::OnLost;
    using WaitFor = platform::GuardedCommand::WaitFor;
    std::optional<Error> error = takeWord(
        result.lockKind, parser, options.kind,
        std::array{Word{"reentrant", Kind::Reentrant}, Word{"fair", Kind::Fair}, Word{"read", Kind::Read},
                   Word{"write", Kind::Write}, Word{"fenced", Kind::Fenced}, Word{"spin", Kind::Spin},
                   Word{"nonreentrant", Kind::NonReentrant}, Word{"nonreentrant-fair", Kind::NonReentrantFair}});
    if (!error)
        error = takeWord(result.onLost, parser, options.onLost,
                         std::array{Word{"kill", OnLost::Kill}, Word{"warn", OnLost::Warn}});
    if (!error)
        error = takeWord(result.waitFor, parser, options.waitFor,
                         std::array{Word{"command", WaitFor::Command}, Word{"session", WaitFor::Session},
                                    Word{"all", WaitFor::All}});
    return error;
}

bool isSynchronizer(Arguments::Face face) {
    return face == Arguments::Face::Semaphore || face == Arguments::Face::Latch;
}

// Whether it takes the options of a lock, as semaphore and latch do.
bool isLocking(Arguments::Face face) {
    return face == Arguments::Face::Lock || isSynchronizer(face);
}

bool takesName(Arguments::Face face) {
    return isLocking(face) || face == Arguments::Face::ForceRelease;
}

bool isAnySet(const QCommandLineParser& parser, std::initializer_list<const QCommandLineOption*> some) {
    return std::ranges::any_of(some, [&parser](const QCommandLineOption* option) { return parser.isSet(*option); });
}

// words: what stands behind the name.
std::optional<Error> takeRequest(Arguments& result, const QCommandLineParser& parser, const Options& options,
                                 const QStringList& words) {
    using Request = SynchronizerRequest;
    const bool isLatch = result.face == Arguments::Face::Latch;
    const bool isExpirable = parser.isSet(options.expirable);
    const Result<Request> request =
        Request::parse(isLatch ? Request::Of::Latch : Request::Of::Semaphore,
                       isExpirable ? Request::Permits::Expirable : Request::Permits::Plain, words);
    if (!request)
        return request.error();
    result.synchronizer = *request;
    if (request->runsCommand() == result.command.isEmpty())
        return usage(
            QStringLiteral("a command after -- goes with run, the default of semaphore, and with nothing else"));
    if (isAnySet(parser, {&options.kind}) || (isLatch && isExpirable))
        return usage(QStringLiteral("--kind goes with lock, and --expirable with semaphore"));
    if (!isExpirable && isAnySet(parser, {&options.lease, &options.watchdog, &options.onLost}))
        return usage(QStringLiteral("--lease, --watchdog and --on-lost go with lock, or with semaphore --expirable"));
    return std::nullopt;
}

std::optional<Error> takeWatchdog(Arguments& result, const QCommandLineParser& parser, const Options& options) {
    if (!parser.isSet(options.watchdog))
        return std::nullopt;
    constexpr double shortest = 0.1;
    const std::optional<std::chrono::milliseconds> lease = secondsOf(parser.value(options.watchdog), shortest);
    if (!lease)
        return usage(QStringLiteral("--watchdog takes a number of seconds from 0.1"));
    if (parser.isSet(options.lease))
        return usage(QStringLiteral("--lease or --watchdog, not both"));
    result.watchdog = *lease;
    return std::nullopt;
}

// The NameMapper of the Java clients.
std::optional<Error> takeNameMapper(locks::NameMapper& mapper, const QCommandLineParser& parser,
                                    const Options& options) {
    mapper.prefix = parser.value(options.namePrefix).toLocal8Bit();
    mapper.suffix = parser.value(options.nameSuffix).toLocal8Bit();
    if (!parser.isSet(options.redissonVersion))
        return std::nullopt;
    const QVersionNumber version = QVersionNumber::fromString(parser.value(options.redissonVersion));
    if (version.segmentCount() < 2)
        return usage(QStringLiteral("--redisson-version takes a version, for example 3.45.1, not '%1'")
                         .arg(parser.value(options.redissonVersion)));
    if (mapper.prefix.isEmpty() && mapper.suffix.isEmpty())
        return usage(QStringLiteral("--redisson-version goes with --name-prefix or --name-suffix"));
    using FairQueue = locks::NameMapper::FairQueue;
    mapper.fairQueue = version < QVersionNumber(3, 52) ? FairQueue::NotMapped : FairQueue::Mapped;
    return std::nullopt;
}

std::optional<Error> takeLockOptions(Arguments& result, const QCommandLineParser& parser, const Options& options) {
    const bool given = isAnySet(parser, {&options.kind, &options.wait, &options.lease, &options.watchdog,
                                         &options.onLost, &options.waitFor, &options.grace, &options.expirable,
                                         &options.namePrefix, &options.nameSuffix, &options.redissonVersion});
    const bool isNamed = parser.isSet(options.name) && !takesName(result.face);
    if (!isLocking(result.face))
        return given || isNamed ? std::optional(usage(QStringLiteral(
                                      "--kind, --name, --wait, --lease, --watchdog, --on-lost, --wait-for, --grace, "
                                      "--name-prefix, --name-suffix and --redisson-version go with lock")))
                                : std::nullopt;
    if (result.source != Arguments::Source::Url || result.lockName.isEmpty())
        return usage(QStringLiteral("lock, semaphore and latch need a URL and a name"));
    if (result.face == Arguments::Face::Lock && result.command.isEmpty())
        return usage(QStringLiteral("lock needs a URL, a name, and a command after --"));
    if (result.face == Arguments::Face::Lock && parser.isSet(options.expirable))
        return usage(QStringLiteral("--expirable goes with semaphore"));
    constexpr double shortest = 0.001;
    result.wait = secondsOf(parser.value(options.wait), 0);
    result.lease = secondsOf(parser.value(options.lease), shortest);
    if ((parser.isSet(options.wait) && !result.wait) || (parser.isSet(options.lease) && !result.lease))
        return usage(QStringLiteral("--wait takes a number of seconds, --lease one above 0"));
    if (const std::optional<Error> error = takeWatchdog(result, parser, options))
        return error;
    const std::optional<std::chrono::milliseconds> grace = secondsOf(parser.value(options.grace), 0);
    if (parser.isSet(options.grace) && !grace)
        return usage(QStringLiteral("--grace takes a number of seconds"));
    result.grace = grace.value_or(result.grace);
    if (const std::optional<Error> error = takeNameMapper(result.nameMapper, parser, options))
        return error;
    return takeLockWords(result, parser, options);
}

std::optional<QString> valueOf(const QCommandLineParser& parser, const QCommandLineOption& option) {
    return parser.isSet(option) ? std::optional(parser.value(option)) : std::nullopt;
}

ForceOptions::Target forceTarget(const Arguments& arguments) {
    using profile::Environment;
    const Environment environment = arguments.saved ? arguments.saved->label.environment : Environment::None;
    const bool isOther = environment == Environment::Development || environment == Environment::Staging;
    return isOther ? ForceOptions::Target::Other : ForceOptions::Target::Production;
}

std::optional<Error> takeForce(Arguments& result, const QCommandLineParser& parser, const Options& options) {
    const bool given = isAnySet(
        parser, {&options.holder, &options.count, &options.token, &options.reason, &options.yes, &options.confirm});
    if (result.face != Arguments::Face::ForceRelease)
        return given ? std::optional(usage(QStringLiteral(
                           "--holder, --count, --token, --reason, --yes and --confirm go with force-release")))
                     : std::nullopt;
    if (result.source != Arguments::Source::Url || result.lockName.isEmpty())
        return usage(QStringLiteral("force-release needs a URL and the name of a lock"));
    if (parser.isSet(options.readOnly) || result.profile.access == redis::AccessMode::ReadOnly)
        return usage(QStringLiteral("force-release writes: it does not go with --read-only"));
    const ForceOptions words{forceTarget(result),
                             parser.value(options.holder),
                             valueOf(parser, options.count),
                             valueOf(parser, options.token),
                             parser.value(options.reason),
                             parser.isSet(options.yes),
                             valueOf(parser, options.confirm)};
    const Result<ForceRequest> request = ForceRequest::parse(result.lockName, words);
    if (!request)
        return request.error();
    result.force = *request;
    return std::nullopt;
}

std::optional<Error> takeAudit(Arguments& result, const QCommandLineParser& parser, const Options& options) {
    if (result.face != Arguments::Face::Audit)
        return isAnySet(parser, {&options.verify, &options.lock, &options.since})
                   ? std::optional(usage(QStringLiteral("--verify, --lock and --since go with audit")))
                   : std::nullopt;
    result.audit.isVerified = parser.isSet(options.verify);
    if (result.audit.isVerified && (result.json || isAnySet(parser, {&options.lock, &options.since})))
        return usage(QStringLiteral("--verify checks the whole audit: --lock, --since and --json do not go with it"));
    if (parser.isSet(options.lock))
        result.audit.filter.lock = LockName(parser.value(options.lock).toLocal8Bit());
    if (!parser.isSet(options.since))
        return std::nullopt;
    result.audit.filter.since = timeFromIso(parser.value(options.since));
    if (!result.audit.filter.since)
        return usage(QStringLiteral("--since takes a time such as 2026-11-23T12:00:00Z"));
    return std::nullopt;
}

// The first line. A file that never ends must not fill the memory.
Result<QByteArray> readPassword(QFile& file, const QString& name) {
    constexpr qint64 longest = 4096;
    const QByteArray line = file.readLine(longest);
    if (file.error() != QFileDevice::NoError)
        return usage(QStringLiteral("no password in %1: %2").arg(name, file.errorString()));
    if (line.trimmed().isEmpty())
        return usage(QStringLiteral("no password in %1: its first line is empty").arg(name));
    return line.endsWith('\n') ? line.chopped(1) : line;
}

// Of --password-file or --password-fd, else the one of the environment.
Result<QByteArray> passwordOf(const QCommandLineParser& parser, const Options& options,
                              const QByteArray& fromEnvironment) {
    const bool fromFile = parser.isSet(options.passwordFile);
    const bool fromDescriptor = parser.isSet(options.passwordFd);
    if (fromFile && fromDescriptor)
        return usage(QStringLiteral("--password-file or --password-fd, not both"));
    if (fromFile) {
        QFile file(parser.value(options.passwordFile));
        (void)file.open(QIODevice::ReadOnly);  // the error stays in the file
        return readPassword(file, parser.value(options.passwordFile));
    }
    if (!fromDescriptor)
        return fromEnvironment;
    bool ok = false;
    const int descriptor = parser.value(options.passwordFd).toInt(&ok);
    if (!ok || descriptor < 0)
        return usage(QStringLiteral("--password-fd takes the number of an open file descriptor"));
    QFile file;
    (void)file.open(descriptor, QIODevice::ReadOnly | QIODevice::Unbuffered, QFileDevice::AutoCloseHandle);
    return readPassword(file, QStringLiteral("file descriptor %1").arg(descriptor));
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

// As if they stood in the URL of the same connection. The passwords of the file stay.
Result<profile::ConnectionProfile> withOptions(const profile::ConnectionProfile& profile, const QString& options) {
    const QString url = profile.urlWithoutPassword();
    const QLatin1Char joint(url.contains(QLatin1Char('?')) ? '&' : '?');
    Result<profile::ConnectionProfile> changed = profile::ConnectionProfile::fromUrl(url + joint + options);
    if (!changed)
        return changed;
    changed.value().credentials = profile.credentials;
    if (profile.deployment.sentinels && changed.value().deployment.sentinels)
        changed.value().deployment.sentinels->credentials.password = profile.deployment.sentinels->credentials.password;
    return changed;
}

// The window asks for variables without a value.
std::optional<Error> takeRedissonFile(Arguments& result, const QString& path, const QString& urlOptions,
                                      const Passwords& passwords) {
    const Result<QByteArray> file = profile::readRedissonFile(path);
    if (!file)
        return usage(QStringLiteral("%1: %2").arg(path, file.error().text));
    const Result<profile::RedissonConnection> found = profile::redissonConnection(*file, profile::environmentVariable);
    if (!found && found.error().cause == Cause::RedissonVariables && result.face == Arguments::Face::Window) {
        if (!urlOptions.isEmpty())
            return usage(QStringLiteral("%1: %2: with --options they must have values").arg(path, found.error().text));
        result.redissonFile = path;
        return std::nullopt;
    }
    if (!found)
        return usage(QStringLiteral("%1: %2").arg(path, found.error().text));
    const Result<profile::ConnectionProfile> profile = urlOptions.isEmpty()
                                                           ? Result<profile::ConnectionProfile>(found->profile)
                                                           : withOptions(found->profile, urlOptions);
    if (!profile)
        return usage(QStringLiteral("--options: %1").arg(profile.error().text));
    takeProfile(result, *profile, passwords);
    result.notes = found->notes;
    return std::nullopt;
}

// Secrets that are asked for each time can be asked for in the window only.
std::optional<Error> takeSavedProfile(Arguments& result, const Result<profile::StoredProfile>& saved,
                                      const Passwords& passwords) {
    if (!saved)
        return usage(saved.error().text);
    const bool asks = saved->secrets == profile::StoredProfile::Secrets::AskedEachTime;
    const bool given = !passwords.server.isEmpty() || !passwords.sentinels.isEmpty() || !passwords.key.isEmpty();
    if (asks && !given && result.face != Arguments::Face::Window)
        return usage(QStringLiteral("'%1' has its passwords asked for each time: set LOCKKEEPER_PASSWORD, or use "
                                    "--password-file")
                         .arg(saved->label.name));
    if (takesName(result.face) && saved->profile.access == redis::AccessMode::ReadOnly)
        return usage(
            QStringLiteral("'%1' was saved as read-only, so no lock can be taken with it").arg(saved->label.name));
    takeProfile(result, saved->profile, passwords);
    result.saved = *saved;
    return std::nullopt;
}

std::optional<Error> takeSource(Arguments& result, const QStringList& positional, const QCommandLineParser& parser,
                                const Options& options, const Passwords& passwords, const ProfileNamed& profileNamed) {
    const bool demo = parser.isSet(options.demo);
    const bool redisson = parser.isSet(options.redisson);
    if (result.face == Arguments::Face::Audit)
        return demo || redisson || parser.isSet(options.profile) || !positional.isEmpty()
                   ? std::optional(usage(QStringLiteral("audit reads files of this machine: it takes no server")))
                   : std::nullopt;
    if (positional.size() > 1)
        return usage(QStringLiteral("one URL at most, not '%1' as well").arg(positional.at(1)));
    if (demo && !positional.isEmpty())
        return usage(QStringLiteral("a URL or --demo, not both"));
    if (redisson && (demo || !positional.isEmpty()))
        return usage(
            QStringLiteral("--redisson-config takes the place of a URL or --demo; --options adds what a URL has "
                           "behind its ?"));
    if (!redisson && parser.isSet(options.urlOptions))
        return usage(QStringLiteral("--options goes with --redisson-config; in a URL they follow its ?"));
    if (parser.isSet(options.profile) && (demo || redisson || !positional.isEmpty()))
        return usage(QStringLiteral("--profile takes the place of a URL, --demo or --redisson-config"));
    if (parser.isSet(options.profile))
        return takeSavedProfile(result, profileNamed(parser.value(options.profile)), passwords);
    if (redisson)
        return takeRedissonFile(result, parser.value(options.redisson), parser.value(options.urlOptions), passwords);
    if (demo) {
        result.source = Arguments::Source::Demo;
    } else if (!positional.isEmpty()) {
        const Result<profile::ConnectionProfile> profile = profile::ConnectionProfile::fromUrl(positional.first());
        if (!profile)
            return profile.error();
        takeProfile(result, *profile, passwords);
    } else if (result.face != Arguments::Face::Window) {
        return usage(QStringLiteral("list and watch need a URL or --demo, or --redisson-config, or --profile"));
    }
    return std::nullopt;
}

std::optional<Error> takeOptions(Arguments& result, const QCommandLineParser& parser, const Options& options) {
    result.json = parser.isSet(options.json);
    const bool printsLines = result.face == Arguments::Face::List || result.face == Arguments::Face::Watch ||
                             result.face == Arguments::Face::Audit;
    if (result.json && !printsLines)
        return usage(QStringLiteral("--json goes with list, watch or audit"));
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
    if (given && (takesName(result.face) || result.source != Arguments::Source::Url))
        return usage(
            QStringLiteral("--match, --prefix and --share go with a URL, and not with lock, semaphore or latch"));
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

Result<Arguments> Arguments::parse(const QStringList& arguments, const Passwords& fromEnvironment,
                                   const ProfileNamed& profileNamed) {
    const Options options;
    QCommandLineParser parser;
    parser.addOptions({options.demo,
                       options.redisson,
                       options.urlOptions,
                       options.profile,
                       options.readOnly,
                       options.json,
                       options.watchFor,
                       options.match,
                       options.prefix,
                       options.share,
                       options.kind,
                       options.wait,
                       options.lease,
                       options.watchdog,
                       options.onLost,
                       options.name,
                       options.namePrefix,
                       options.nameSuffix,
                       options.redissonVersion,
                       options.waitFor,
                       options.grace,
                       options.expirable,
                       options.passwordFile,
                       options.passwordFd,
                       options.holder,
                       options.count,
                       options.token,
                       options.reason,
                       options.yes,
                       options.confirm,
                       options.verify,
                       options.lock,
                       options.since,
                       options.screenshot,
                       options.help,
                       options.version});
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
    const qsizetype beforeName = parser.isSet(options.redisson) || parser.isSet(options.profile) ? 0 : 1;  // the URL
    if (takesName(result.face) && parser.isSet(options.name))
        result.lockName = LockName(parser.value(options.name).toLocal8Bit());
    else if (takesName(result.face) && positional.size() > beforeName)
        result.lockName = LockName(positional.takeAt(beforeName).toLocal8Bit());
    if (!isLocking(result.face) && separator >= 0)
        return usage(QStringLiteral("-- and a command go with lock or semaphore"));
    QStringList behindName;
    while (isSynchronizer(result.face) && positional.size() > beforeName)
        behindName += positional.takeAt(beforeName);
    Passwords passwords = fromEnvironment;
    const Result<QByteArray> password = passwordOf(parser, options, fromEnvironment.server);
    if (!password)
        return password.error();
    passwords.server = *password;
    std::optional<Error> error = takeSource(result, positional, parser, options, passwords, profileNamed);
    if (!error)
        error = takeOptions(result, parser, options);
    if (!error)
        error = takeLockOptions(result, parser, options);
    if (!error && isSynchronizer(result.face))
        error = takeRequest(result, parser, options, behindName);
    if (!error)
        error = takeForce(result, parser, options);
    if (!error)
        error = takeAudit(result, parser, options);
    if (!error)
        error = takeDiscovery(result, parser, options);
    if (error)
        return *error;
    if (parser.isSet(options.readOnly))
        result.profile.access = redis::AccessMode::ReadOnly;
    return result;
}

}  // namespace lockkeeper::app
