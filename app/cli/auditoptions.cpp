// SPDX-License-Identifier: Apache-2.0
#include "app/cli/auditoptions.h"

#include "app/cli/commandline.h"
#include "base/isotime.h"

namespace lockkeeper::app {

namespace {

std::optional<QString> valueOf(const QCommandLineParser& parser, const QCommandLineOption& option) {
    return parser.isSet(option) ? std::optional(parser.value(option)) : std::nullopt;
}

ForceOptions::Target forceTarget(const Arguments& arguments) {
    using profile::Environment;
    const Environment environment = arguments.saved ? arguments.saved->label.environment : Environment::None;
    const bool isOther = environment == Environment::Development || environment == Environment::Staging;
    return isOther ? ForceOptions::Target::Other : ForceOptions::Target::Production;
}

}  // namespace

std::optional<Error> takeForce(Arguments& result, const QCommandLineParser& parser, const Options& options) {
    const bool given = isAnySet(parser, {&options.holder, &options.count, &options.token, &options.reader,
                                         &options.waiter, &options.withDeadWaiters, &options.permit, &options.ttl,
                                         &options.reason, &options.yes, &options.confirm});
    const bool isClientMisplaced = parser.isSet(options.client) && result.face != Arguments::Face::Threads;
    if (result.face != Arguments::Face::ForceRelease)
        return given || isClientMisplaced
                   ? std::optional(usage(CommandLine::tr(
                         "--holder, --count, --token, --reader, --waiter, --client, --with-dead-waiters, --permit, --ttl, --reason, --yes and "
                         "--confirm go with "
                         "force-release, wake and set-ttl")))
                   : std::nullopt;
    if (result.source != Arguments::Source::Url || result.lockName.isEmpty())
        return usage(CommandLine::tr("force-release, wake and set-ttl need a URL and the name of a lock"));
    if (parser.isSet(options.readOnly) || result.profile.access == redis::AccessMode::ReadOnly)
        return usage(CommandLine::tr("force-release, wake and set-ttl write: they do not go with --read-only"));
    const ForceOptions words{forceTarget(result),
                             parser.value(options.holder),
                             valueOf(parser, options.count),
                             valueOf(parser, options.token),
                             parser.value(options.reason),
                             parser.isSet(options.yes),
                             valueOf(parser, options.confirm),
                             parser.isSet(options.reader),
                             valueOf(parser, options.ttl),
                             valueOf(parser, options.waiter),
                             valueOf(parser, options.client),
                             parser.isSet(options.withDeadWaiters),
                             valueOf(parser, options.permit),
                             result.profile.locks.names};
    const Result<ForceRequest> request = ForceRequest::parse(result.lockName, words, result.force.kind);
    if (!request)
        return request.error();
    result.force = *request;
    // A name as the program of the Java clients has it; one that list prints is that of the server already.
    const locks::NameMapper& names = result.profile.locks.names;
    if (!request->client)
        result.lockName = names.onServer(names.inProgram(result.lockName));
    result.wait = secondsOf(parser.value(options.wait), 0);
    if (parser.isSet(options.wait) && !result.wait)
        return usage(CommandLine::tr("--wait takes a number of seconds"));
    return std::nullopt;
}

std::optional<Error> takeAudit(Arguments& result, const QCommandLineParser& parser, const Options& options) {
    if (result.face != Arguments::Face::Audit) {
        const bool isLockMisplaced = parser.isSet(options.lock) && result.face != Arguments::Face::Exporter;
        return isLockMisplaced || isAnySet(parser, {&options.verify, &options.since})
                   ? std::optional(usage(CommandLine::tr("--verify, --lock and --since go with audit")))
                   : std::nullopt;
    }
    result.audit.isVerified = parser.isSet(options.verify);
    if (result.audit.isVerified && (result.json || isAnySet(parser, {&options.lock, &options.since})))
        return usage(CommandLine::tr("--verify checks the whole audit: --lock, --since and --json do not go with it"));
    if (parser.isSet(options.lock) && parser.value(options.lock).isEmpty())
        return usage(CommandLine::tr("--lock takes the name of a lock"));
    if (parser.isSet(options.lock))
        result.audit.filter.lock = LockName(parser.value(options.lock).toLocal8Bit());
    if (!parser.isSet(options.since))
        return std::nullopt;
    result.audit.filter.since = timeFromIso(parser.value(options.since));
    if (!result.audit.filter.since)
        return usage(CommandLine::tr("--since takes a time such as 2026-11-23T12:00:00Z"));
    return std::nullopt;
}

}  // namespace lockkeeper::app
