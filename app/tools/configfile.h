// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/result.h"

#include <QStringList>

namespace lockkeeper::app {

// The words of a command line, with the options of the file that --config names in place of that option, and before all
// others, so that the command line is stronger. Without --config the words as they are. Errors: InvalidArgument with a
// sentence for stderr.
[[nodiscard]] Result<QStringList> withConfigFile(const QStringList& words);

}  // namespace lockkeeper::app
