// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/result.h"

#include <QStringList>

namespace lockkeeper::app {

// The words of a command line, with the options of the file that --config names in place of that option, and before all
// others, so that the command line is stronger. Without --config the words as they are. Errors: InvalidArgument with a
// sentence for stderr.
[[nodiscard]] Result<QStringList> withConfigFile(const QStringList& words);

// The same for a reload, without what was read at the start and cannot be read again: a descriptor, which is one of the
// program's own by now, and a secret in what is no file, such as a FIFO, which would block. Errors: InvalidArgument
// with a sentence for stderr.
[[nodiscard]] Result<QStringList> withConfigFileAgain(const QStringList& words);

}  // namespace lockkeeper::app
