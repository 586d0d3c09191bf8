// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/arguments.h"
#include "app/cli/options.h"

namespace lockkeeper::app {

// Reads what belongs to `exporter`: its servers, and each of its options, which may also be a variable of the
// environment (LOCKKEEPER_EXPORTER_GROUP_BY for --group-by). Returns an error for an option of it with another command.
[[nodiscard]] std::optional<Error> takeExporter(Arguments& result, const QStringList& positional,
                                                const QCommandLineParser& parser, const Options& options,
                                                const Passwords& passwords, const Lookups& lookups);

}  // namespace lockkeeper::app
