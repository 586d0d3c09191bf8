// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/options.h"

namespace lockkeeper::app {

// Takes the words and options of `lab`, and refuses them with another command.
[[nodiscard]] std::optional<Error> takeLab(Arguments& result, const QStringList& words,
                                           const QCommandLineParser& parser, const Options& options,
                                           const Lookups& lookups);

}  // namespace lockkeeper::app
