// SPDX-License-Identifier: Apache-2.0
#include "app/cli/threadsoptions.h"

#include "app/cli/commandline.h"

namespace lockkeeper::app {

std::optional<Error> takeThreads(Arguments& result, const QCommandLineParser& parser, const Options& options) {
    const bool isThreads = result.face == Arguments::Face::Threads;
    if (!isThreads && result.face != Arguments::Face::Explain)
        return isAnySet(parser, {&options.dump, &options.application})
                   ? std::optional(usage(CommandLine::tr("--dump and --application go with threads and explain")))
                   : std::nullopt;
    result.threads.dumpFile = parser.value(options.dump);
    if (!isThreads && parser.isSet(options.dump) && result.source == Arguments::Source::None)
        return usage(CommandLine::tr("explain takes --dump beside a URL: the server says which threads hold locks"));
    if (isThreads && result.threads.dumpFile.isEmpty())
        return usage(CommandLine::tr("threads needs --dump FILE: a thread dump of the JVM that holds the locks"));
    if (isThreads && parser.isSet(options.client)) {
        const ClientId client(parser.value(options.client).toLatin1());
        if (!HolderId::parse(client.bytes() + ":1"))
            return usage(CommandLine::tr("--client takes the UUID of a client, as list --clients prints it"));
        result.threads.client = client;
    }
    result.threads.application = parser.values(options.application);
    if (result.threads.application.contains(QString()))
        return usage(CommandLine::tr("--application takes the beginning of a package, such as com.example"));
    return std::nullopt;
}

}  // namespace lockkeeper::app
