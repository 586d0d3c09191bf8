// SPDX-License-Identifier: Apache-2.0
#include "app/cli/lockoptions.h"

#include "app/cli/commandline.h"

#include <QVersionNumber>

#include <array>

namespace lockkeeper::app {

namespace {

// The value of an option that takes one of some words; the first one if it is not given.
template <typename Value>
struct Word {
    const char* word;
    Value value;
};
template <typename Value>
Word(const char*, Value) -> Word<Value>;

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
    return usage(CommandLine::tr("--%1 is one of %2, not '%3'")
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

std::optional<Error> takeWatchdog(Arguments& result, const QCommandLineParser& parser, const Options& options) {
    if (!parser.isSet(options.watchdog))
        return std::nullopt;
    constexpr double shortest = 0.1;
    const std::optional<std::chrono::milliseconds> lease = secondsOf(parser.value(options.watchdog), shortest);
    if (!lease)
        return usage(CommandLine::tr("--watchdog takes a number of seconds from 0.1"));
    if (parser.isSet(options.lease))
        return usage(CommandLine::tr("--lease or --watchdog, not both"));
    result.watchdog = *lease;
    return std::nullopt;
}

std::optional<Error> takeFairWait(Arguments& result, const QCommandLineParser& parser, const Options& options) {
    using Kind = Arguments::LockKind;
    if (!parser.isSet(options.fairWait))
        return std::nullopt;
    constexpr double shortest = 0.1;
    const std::optional<std::chrono::milliseconds> wait = secondsOf(parser.value(options.fairWait), shortest);
    if (!wait)
        return usage(CommandLine::tr("--fair-wait takes a number of seconds from 0.1"));
    if (result.lockKind != Kind::Fair && result.lockKind != Kind::NonReentrantFair)
        return usage(CommandLine::tr("--fair-wait goes with --kind fair or nonreentrant-fair"));
    result.fairWait = *wait;
    return std::nullopt;
}

// What the connection says about its Java clients, unless the command line says otherwise.
void takeSettingsOfClients(Arguments& result) {
    const profile::LockSettings& locks = result.profile.locks;
    result.watchdog = locks.watchdogTimeout.value_or(result.watchdog);
    result.fairWait = locks.fairWait.value_or(result.fairWait);
    result.nameMapper = locks.names;
}

// The NameMapper of the Java clients.
std::optional<Error> takeNameMapper(locks::NameMapper& mapper, const QCommandLineParser& parser,
                                    const Options& options) {
    for (const QCommandLineOption* option : {&options.namePrefix, &options.nameSuffix}) {
        if (parser.isSet(*option) && parser.value(*option).isEmpty())
            return usage(CommandLine::tr("--%1 takes a text that is not empty").arg(option->names().first()));
    }
    // Each in place of the connection's.
    if (parser.isSet(options.namePrefix))
        mapper.prefix = parser.value(options.namePrefix).toLocal8Bit();
    if (parser.isSet(options.nameSuffix))
        mapper.suffix = parser.value(options.nameSuffix).toLocal8Bit();
    if (!parser.isSet(options.redissonVersion))
        return std::nullopt;
    const QVersionNumber version = QVersionNumber::fromString(parser.value(options.redissonVersion));
    if (version.segmentCount() < 2)
        return usage(CommandLine::tr("--redisson-version takes a version, for example 3.45.1, not '%1'")
                         .arg(parser.value(options.redissonVersion)));
    if (mapper.prefix.isEmpty() && mapper.suffix.isEmpty())
        return usage(CommandLine::tr("--redisson-version goes with --name-prefix or --name-suffix"));
    using FairQueue = locks::NameMapper::FairQueue;
    mapper.fairQueue = version < QVersionNumber(3, 52) ? FairQueue::NotMapped : FairQueue::Mapped;
    return std::nullopt;
}

}  // namespace

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
            CommandLine::tr("a command after -- goes with run, the default of semaphore, and with nothing else"));
    if (isAnySet(parser, {&options.kind}) || (isLatch && isExpirable))
        return usage(CommandLine::tr("--kind goes with lock, and --expirable with semaphore"));
    if (!isExpirable && isAnySet(parser, {&options.lease, &options.watchdog, &options.onLost}))
        return usage(CommandLine::tr("--lease, --watchdog and --on-lost go with lock, or with semaphore --expirable"));
    return std::nullopt;
}

std::optional<Error> takeLockOptions(Arguments& result, const QCommandLineParser& parser, const Options& options) {
    const bool waitsForProof = result.face == Arguments::Face::ForceRelease &&
                               isAnySet(parser, {&options.waiter, &options.client, &options.withDeadWaiters});
    const bool given = isAnySet(parser, {&options.kind, &options.lease, &options.watchdog, &options.fairWait,
                                         &options.onLost, &options.waitFor, &options.grace, &options.expirable,
                                         &options.namePrefix, &options.nameSuffix, &options.redissonVersion}) ||
                       (parser.isSet(options.wait) && !waitsForProof);
    const bool isNamed = parser.isSet(options.name) && !takesName(result.face);
    if (!isLocking(result.face))
        return given || isNamed
                   ? std::optional(usage(CommandLine::tr(
                         "--kind, --name, --wait, --lease, --watchdog, --fair-wait, --on-lost, --wait-for, --grace, "
                         "--name-prefix, --name-suffix and --redisson-version go with lock")))
                   : std::nullopt;
    if (result.source != Arguments::Source::Url || result.lockName.isEmpty())
        return usage(CommandLine::tr("lock, semaphore and latch need a URL and a name"));
    if (parser.isSet(options.readOnly))
        return usage(CommandLine::tr("lock, semaphore and latch write: --read-only does not go with them"));
    if (result.face == Arguments::Face::Lock && result.command.isEmpty())
        return usage(CommandLine::tr("lock needs a URL, a name, and a command after --"));
    if (result.face == Arguments::Face::Lock && parser.isSet(options.expirable))
        return usage(CommandLine::tr("--expirable goes with semaphore"));
    constexpr double shortest = 0.001;
    result.wait = secondsOf(parser.value(options.wait), 0);
    result.lease = secondsOf(parser.value(options.lease), shortest);
    if ((parser.isSet(options.wait) && !result.wait) || (parser.isSet(options.lease) && !result.lease))
        return usage(CommandLine::tr("--wait takes a number of seconds, --lease one above 0"));
    takeSettingsOfClients(result);
    if (const std::optional<Error> error = takeWatchdog(result, parser, options))
        return error;
    const std::optional<std::chrono::milliseconds> grace = secondsOf(parser.value(options.grace), 0);
    if (parser.isSet(options.grace) && !grace)
        return usage(CommandLine::tr("--grace takes a number of seconds"));
    result.grace = grace.value_or(result.grace);
    if (const std::optional<Error> error = takeNameMapper(result.nameMapper, parser, options))
        return error;
    if (const std::optional<Error> error = takeLockWords(result, parser, options))
        return error;
    return takeFairWait(result, parser, options);
}

}  // namespace lockkeeper::app
