// SPDX-License-Identifier: Apache-2.0
#include "app/cli/threadsoptions.h"

#include "app/cli/commandline.h"

#include <algorithm>

namespace lockkeeper::app {

namespace {

using profile::DumpWay;

// What is right for one of the ways alone.
std::optional<Error> misplaced(const QCommandLineParser& parser, const Options& options, DumpWay way) {
    if (way != DumpWay::Actuator && parser.isSet(options.actuatorUser))
        return usage(CommandLine::tr("--actuator-user goes with --actuator"));
    if (way != DumpWay::Ssh && isAnySet(parser, {&options.sudo, &options.pid}))
        return usage(CommandLine::tr("--sudo and --pid go with --ssh"));
    if (way != DumpWay::Kubectl && isAnySet(parser, {&options.kubeNamespace, &options.container}))
        return usage(CommandLine::tr("--namespace and --container go with --kubectl"));
    return std::nullopt;
}

void takeWay(profile::DumpSettings& dumps, const QCommandLineParser& parser, const Options& options) {
    if (parser.isSet(options.getDump))
        return;
    dumps = {};
    if (parser.isSet(options.actuator)) {
        dumps.way = DumpWay::Actuator;
        dumps.url = parser.value(options.actuator);
        dumps.credentials.user = parser.value(options.actuatorUser).toUtf8();
    } else if (parser.isSet(options.ssh)) {
        dumps.way = DumpWay::Ssh;
        dumps.login = parser.value(options.ssh);
        dumps.usesSudo = parser.isSet(options.sudo);
    } else if (parser.isSet(options.kubectl)) {
        dumps.way = DumpWay::Kubectl;
        dumps.pod = parser.value(options.kubectl);
        dumps.kubeNamespace = parser.value(options.kubeNamespace);
        dumps.container = parser.value(options.container);
    }
}

std::optional<Error> takeFetch(Arguments& result, const QCommandLineParser& parser, const Options& options,
                               const QByteArray& password) {
    profile::DumpSettings& dumps = result.profile.dumps;
    takeWay(dumps, parser, options);
    if (dumps.way == DumpWay::None)
        return usage(CommandLine::tr("--get needs --profile NAME: a saved connection that has a way to a thread dump"));
    if (const std::optional<Error> error = misplaced(parser, options, dumps.way))
        return error;
    if (dumps.credentials.password.isEmpty())
        dumps.credentials.password = password;
    // The keychain has the password of the saved user alone.
    const bool isOfAnother = result.saved && dumps.credentials.password.isEmpty() &&
                             dumps.credentials.user != result.saved->profile.dumps.credentials.user;
    if (isOfAnother && !dumps.credentials.user.isEmpty())
        return usage(CommandLine::tr("the keychain has no password of '%1': set LOCKKEEPER_ACTUATOR_PASSWORD")
                         .arg(parser.value(options.actuatorUser)));
    result.threads.isFetched = true;
    result.threads.address = parser.value(options.address);
    result.threads.isTwice = parser.isSet(options.twice);
    result.threads.isPlanPrinted = parser.isSet(options.print);
    if (!parser.isSet(options.pid))
        return std::nullopt;
    bool isNumber = false;
    result.threads.process = parser.value(options.pid).toLongLong(&isNumber);
    return isNumber && *result.threads.process > 0
               ? std::nullopt
               : std::optional(usage(CommandLine::tr("--pid takes the number of a process")));
}

// Of those that say how a dump is taken, all but the ways themselves.
bool isDetailOfWaySet(const QCommandLineParser& parser, const Options& options) {
    return isAnySet(parser, {&options.twice, &options.print, &options.address, &options.actuatorUser, &options.sudo,
                             &options.pid, &options.kubeNamespace, &options.container});
}

std::optional<Error> takeApplication(Arguments& result, const QCommandLineParser& parser, const Options& options) {
    result.threads.application = parser.values(options.application);
    return result.threads.application.contains(QString())
               ? std::optional(
                     usage(CommandLine::tr("--application takes the beginning of a package, such as com.example")))
               : std::nullopt;
}

std::optional<Error> takeDumpToExplain(Arguments& result, const QCommandLineParser& parser, const Options& options) {
    result.threads.dumpFile = parser.value(options.dump);
    if (parser.isSet(options.dump) && result.source == Arguments::Source::None)
        return usage(CommandLine::tr("explain takes --dump beside a URL: the server says which threads hold locks"));
    return takeApplication(result, parser, options);
}

}  // namespace

std::optional<Error> takeThreads(Arguments& result, const QCommandLineParser& parser, const Options& options,
                                 const QByteArray& actuatorPassword) {
    const QList<const QCommandLineOption*> ways{&options.dump, &options.getDump, &options.actuator, &options.ssh,
                                                &options.kubectl};
    const auto isSet = [&parser](const QCommandLineOption* option) { return parser.isSet(*option); };
    const bool isThreads = result.face == Arguments::Face::Threads;
    if (!isThreads && (isAnySet(parser, {&options.getDump, &options.actuator, &options.ssh, &options.kubectl}) ||
                       isDetailOfWaySet(parser, options)))
        return usage(CommandLine::tr("the ways to take a thread dump go with threads"));
    if (result.face == Arguments::Face::Explain)
        return takeDumpToExplain(result, parser, options);
    if (!isThreads)
        return isAnySet(parser, {&options.dump, &options.application})
                   ? std::optional(usage(CommandLine::tr("--dump and --application go with threads and explain")))
                   : std::nullopt;
    if (std::ranges::count_if(ways, isSet) > 1)
        return usage(CommandLine::tr("threads takes one of --get, --actuator, --ssh, --kubectl and --dump FILE"));
    if (std::ranges::none_of(ways, isSet) || (parser.isSet(options.dump) && parser.value(options.dump).isEmpty()))
        return usage(CommandLine::tr(
            "threads needs --dump FILE: a thread dump of the JVM that holds the locks; or one of --get, --actuator, --ssh "
            "and --kubectl, which take one"));
    result.threads.dumpFile = parser.value(options.dump);
    if (!parser.isSet(options.dump)) {
        if (const std::optional<Error> error = takeFetch(result, parser, options, actuatorPassword))
            return error;
    } else if (isDetailOfWaySet(parser, options)) {
        return usage(CommandLine::tr("--dump reads a file: --twice, --print and --address take a dump"));
    }
    if (parser.isSet(options.client)) {
        const ClientId client(parser.value(options.client).toLatin1());
        if (!HolderId::parse(client.bytes() + ":1"))
            return usage(CommandLine::tr("--client takes the UUID of a client, as list --clients prints it"));
        result.threads.client = client;
    }
    return takeApplication(result, parser, options);
}

}  // namespace lockkeeper::app
