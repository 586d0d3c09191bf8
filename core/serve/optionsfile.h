// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/result.h"

#include <QStringList>

namespace lockkeeper::serve {

constexpr qsizetype largestOptionsFile = 65'536;  // bytes

// What a file of options means as arguments of the command line: a line "option = value" is --option=value, a line
// with an option alone is --option. Blanks around both are no part of them. A line that begins with # is a comment, and
// a # in a value is a part of it. Errors: InvalidArgument with a ServeCause.
[[nodiscard]] Result<QStringList> argumentsOf(const QByteArray& bytes);

}  // namespace lockkeeper::serve
