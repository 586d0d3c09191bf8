// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/arguments.h"
#include "app/cli/exitcode.h"
#include "monitor/analyse/explain/errorstate.h"

#include <functional>
#include <vector>

namespace lockkeeper::app {

// Reads the file or the standard input of `explain`, which may take as long as its writer likes. Errors: Storage, with
// the file and the system's reason.
[[nodiscard]] Result<monitor::ErrorReport> readErrors(const QString& path, const QTimeZone& zone);

// Prints all findings, each with what is known of it. states: one for each finding.
// isToEnd: while nobody reads the output. Done, NothingFound or OutputFailed.
[[nodiscard]] ExitCode printExplanation(const Arguments& arguments, const monitor::ErrorReport& report,
                                        const std::vector<monitor::ErrorState>& states,
                                        const std::function<bool()>& isToEnd);

}  // namespace lockkeeper::app
