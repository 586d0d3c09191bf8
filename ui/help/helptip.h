#pragma once

#include <QString>

namespace lockkeeper::ui {

// Plain text, a paragraph a line, as a tool tip or What's This text that wraps: Qt wraps rich text only, and takes a
// name with angle brackets for rich text. A very long text is shortened.
[[nodiscard]] QString helpTip(const QString& paragraphs);

}  // namespace lockkeeper::ui
