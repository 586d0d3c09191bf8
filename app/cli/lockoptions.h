// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/options.h"

namespace lockkeeper::app {

// Each function takes the options of its command, and refuses them with another command.

// lock, semaphore, latch
[[nodiscard]] std::optional<Error> takeLockOptions(Arguments& result, const QCommandLineParser& parser,
                                                   const Options& options);
// semaphore, latch; words: what stands behind the name
[[nodiscard]] std::optional<Error> takeRequest(Arguments& result, const QCommandLineParser& parser,
                                               const Options& options, const QStringList& words);

}  // namespace lockkeeper::app
