// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QByteArray>
#include <QString>

namespace lockkeeper::app {

// All output of the commands passes here: names and error texts come from servers, and a terminal obeys the control
// characters in them.

// A line of text: characters that a terminal would obey, or a reader would not see, are escaped as in a lock's name
// (\x1b, \u{9b}).
[[nodiscard]] QByteArray textForTerminal(const QString& line);
// A line of JSON with such characters as \u001b: its values stay what they are.
[[nodiscard]] QByteArray jsonForTerminal(const QByteArray& line);

// Prints "lockkeeper: WHAT" to standard error.
void complain(const QString& what);

}  // namespace lockkeeper::app
