// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/options.h"

namespace lockkeeper::app {

// The password from --password-file or --password-fd, else the one from the environment.
[[nodiscard]] Result<QByteArray> passwordOf(const QCommandLineParser& parser, const Options& options,
                                            const QByteArray& fromEnvironment);
// The server: a URL, the demo, a file of Redisson, or a saved connection.
[[nodiscard]] std::optional<Error> takeSource(Arguments& result, const QStringList& positional,
                                              const QCommandLineParser& parser, const Options& options,
                                              const Passwords& passwords, const Lookups& lookups);
// One server by its URL.
[[nodiscard]] std::optional<Error> takeUrl(Arguments& result, const QString& url, const Passwords& passwords);
// One server by its saved connection.
[[nodiscard]] std::optional<Error> takeSavedProfile(Arguments& result, const Result<profile::StoredProfile>& saved,
                                                    const Passwords& passwords);
// How a service names this source: its saved connection, or its servers without the user of a jump host.
[[nodiscard]] QString targetName(const Arguments& one);
// The servers of a command that watches several: URLs and saved connections.
[[nodiscard]] std::optional<Error> takeTargets(Arguments& result, const QStringList& positional,
                                               const QCommandLineParser& parser, const Options& options,
                                               const Passwords& passwords, const Lookups& lookups);
// Where locks are searched; overrides the URL.
[[nodiscard]] std::optional<Error> takeDiscovery(Arguments& result, const QCommandLineParser& parser,
                                                 const Options& options);

}  // namespace lockkeeper::app
