// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/arguments.h"
#include "app/cli/options.h"

namespace lockkeeper::app {

// What `threads` takes besides a server.
[[nodiscard]] std::optional<Error> takeThreads(Arguments& result, const QCommandLineParser& parser,
                                               const Options& options, const QByteArray& actuatorPassword);

}  // namespace lockkeeper::app
