// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/result.h"

#include <QStringList>

#include <functional>
#include <optional>

namespace lockkeeper::serve {

constexpr qsizetype largestOptionsFile = 65'536;  // bytes

// Whether an option takes a value; nothing if there is no such option.
using TakesValue = std::function<std::optional<bool>(const QString& name)>;

// What a file of options means as arguments of the command line: a line "option = value" is --option=value, a line
// with an option alone is --option. Blanks around both are no part of them. A line that begins with # is a comment, and
// a # in a value is a part of it. An option without the value that it takes is refused here: as an argument, it would
// take the next one for its value. Errors: InvalidArgument with a ServeCause.
[[nodiscard]] Result<QStringList> argumentsOf(const QByteArray& bytes, const TakesValue& takesValue);

}  // namespace lockkeeper::serve
