// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/options.h"

namespace lockkeeper::app {

// Takes the file and the zone of `explain`, and refuses its options with another command. What remains of `positional`
// is the server, if there is one.
[[nodiscard]] std::optional<Error> takeExplain(Arguments& result, QStringList& positional,
                                               const QCommandLineParser& parser, const Options& options);

}  // namespace lockkeeper::app
