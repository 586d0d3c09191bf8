// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/result.h"
#include "serve/servicelog.h"

#include <QHash>

namespace lockkeeper::app {

// What --log-format and --log-level say, either perhaps empty. The receiver is that of the standard error. Errors:
// InvalidArgument with a sentence for stderr.
[[nodiscard]] Result<serve::ServiceLog::Form> logForm(const QString& format, const QString& level);

// Of a service, for each target whose secrets could not be read.
void logNotRead(const serve::ServiceLog& log, const QHash<QString, Error>& notRead);

}  // namespace lockkeeper::app
