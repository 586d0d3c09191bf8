// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QByteArray>
#include <QString>

namespace lockkeeper::app {

// All that the commands print passes here: names and error texts come from servers, and a terminal obeys the control
// characters in them.

// A line of text: what a terminal would obey, or a reader would not see, is escaped as in a lock's name (\x1b, \u{9b}).
[[nodiscard]] QByteArray textForTerminal(const QString& line);
// The same of a line of JSON, as \u001b: its values stay what they are.
[[nodiscard]] QByteArray jsonForTerminal(const QByteArray& line);

// Prints "lockkeeper: WHAT" to standard error.
void complain(const QString& what);

}  // namespace lockkeeper::app
