// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/ids.h"

namespace lockkeeper {

// Text that others wrote (a server, a file, a command line), made safe to show to a reader.

// Whether a character could break a line, hide, change the reading direction, or control a terminal.
[[nodiscard]] LOCKKEEPER_EXPORT bool isUnsafe(char32_t character);
// An escape of C such as \n; else \xHH for an ASCII character, and \u{H...} for any other.
[[nodiscard]] LOCKKEEPER_EXPORT QString escaped(char32_t character);
// One line: all unsafe characters escaped. A backslash stays, so a text that was escaped before stays the same.
[[nodiscard]] LOCKKEEPER_EXPORT QString safeText(const QString& text);

// The longest text that bounded() leaves whole, in UTF-16 units.
constexpr qsizetype longestBoundedText = 400;
// A text longer than longestBoundedText loses its middle, and the number of its characters follows: an error reply may
// have megabytes.
[[nodiscard]] LOCKKEEPER_EXPORT QString bounded(const QString& text);

// The longest name that boundedName() leaves whole.
constexpr qsizetype longestBoundedName = 200;  // bytes
// LockName::display() for log messages and lines of text, at a cost that does not grow with the name: a long name
// loses its middle, and the number of its bytes follows. Unlike display(), two long names may be shown alike.
[[nodiscard]] LOCKKEEPER_EXPORT QString boundedName(const LockName& name);

}  // namespace lockkeeper
