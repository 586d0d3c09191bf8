// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/options.h"

namespace lockkeeper::app {

// Takes --record and the options of recording of `watch`; for `replay` also the file, which it removes from the
// positional words, and its options.
[[nodiscard]] std::optional<Error> takeRecording(Arguments& result, QStringList& positional,
                                                 const QCommandLineParser& parser, const Options& options);

}  // namespace lockkeeper::app
