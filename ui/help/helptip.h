#pragma once

#include <QString>

namespace lockkeeper::ui {

// Plain text, a paragraph a line, as a tool tip or What's This text that wraps: Qt wraps rich text only, and guesses
// that a name with angle brackets is some. What is longer than anybody reads is shortened.
[[nodiscard]] QString helpTip(const QString& paragraphs);

}  // namespace lockkeeper::ui
