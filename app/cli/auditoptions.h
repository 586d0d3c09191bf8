// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/options.h"

namespace lockkeeper::app {

// Each function takes the options of its command, and refuses them with another command.

// force-release
[[nodiscard]] std::optional<Error> takeForce(Arguments& result, const QCommandLineParser& parser,
                                             const Options& options);
// audit
[[nodiscard]] std::optional<Error> takeAudit(Arguments& result, const QCommandLineParser& parser,
                                             const Options& options);

}  // namespace lockkeeper::app
