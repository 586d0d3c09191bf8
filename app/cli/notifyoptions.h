// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/options.h"

namespace lockkeeper::app {

// Whether the command takes the options of a service.
[[nodiscard]] bool isService(Arguments::Face face);
// Whether the command takes --config and --url.
[[nodiscard]] bool takesConfig(Arguments::Face face);

// Rules, receiver, state and log of notify. Its targets are taken by takeTargets().
[[nodiscard]] std::optional<Error> takeNotify(Arguments& result, const QCommandLineParser& parser,
                                              const Options& options);

}  // namespace lockkeeper::app
