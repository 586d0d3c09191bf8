// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/options.h"

namespace lockkeeper::app {

// --record and its like of `watch`; the file and the options of `replay`, which takes it out of the positional words.
[[nodiscard]] std::optional<Error> takeRecording(Arguments& result, QStringList& positional,
                                                 const QCommandLineParser& parser, const Options& options);

}  // namespace lockkeeper::app
