// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/result.h"

#include <QByteArray>

namespace lockkeeper::app {

// The path of a file that an option names. "credential:NAME" is the file NAME among the credentials that systemd has
// loaded for this service (LoadCredential=). Errors: InvalidArgument with a sentence for stderr.
[[nodiscard]] Result<QString> filePath(const QString& value);
// The first line of the file, which is a secret, without its end. Errors: as above.
[[nodiscard]] Result<QByteArray> firstLineOf(const QString& value);
// The same of an open file descriptor, by its number. option: that names it, for the error.
[[nodiscard]] Result<QByteArray> firstLineOfFd(const QString& option, const QString& number);

}  // namespace lockkeeper::app
