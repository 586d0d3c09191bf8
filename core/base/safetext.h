// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/ids.h"

namespace lockkeeper {

// Text that others wrote (a server, a file, a command line), on its way to a reader's eyes.

// Whether a character would break a line, hide, turn the reading direction, or command a terminal.
[[nodiscard]] LOCKKEEPER_EXPORT bool isUnsafe(char32_t character);
// One of C's escapes, or \xHH for a character of ASCII and \u{H...} for one beyond.
[[nodiscard]] LOCKKEEPER_EXPORT QString escaped(char32_t character);
// One line: all unsafe characters escaped. A backslash stays, so a text that was escaped before stays the same.
[[nodiscard]] LOCKKEEPER_EXPORT QString safeText(const QString& text);

// The longest text that bounded() leaves whole, in UTF-16 units.
constexpr qsizetype longestBoundedText = 400;
// A long text loses its middle, and the number of its characters follows: an error reply may have megabytes.
[[nodiscard]] LOCKKEEPER_EXPORT QString bounded(const QString& text);

// The longest name that boundedName() leaves whole.
constexpr qsizetype longestBoundedName = 200;  // bytes
// LockName::display() for log messages and lines of text, at a cost that does not grow with the name: a long name
// loses its middle, and the number of its bytes follows. Unlike display(), two long names may be shown alike.
[[nodiscard]] LOCKKEEPER_EXPORT QString boundedName(const LockName& name);

}  // namespace lockkeeper
