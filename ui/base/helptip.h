// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QString>

class QWidget;

namespace lockkeeper::ui {

// Plain text, a paragraph a line, as a tool tip or What's This text that wraps: Qt wraps rich text only, and takes a
// name with angle brackets for rich text. A very long text is shortened.
[[nodiscard]] QString helpTip(const QString& paragraphs);
// Shows the What's This text of the place where the keyboard focus is: of the current cell of a table, else of the
// nearest widget that has one. Does nothing when there is none.
void explainFocus(const QWidget& window);

}  // namespace lockkeeper::ui
