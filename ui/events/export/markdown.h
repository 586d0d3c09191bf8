// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QString>

namespace lockkeeper::ui {

// A text from a server or a user, unchanged, on one line of Markdown: no character of it is markup, and no address in
// it becomes a link.
[[nodiscard]] QString markdownText(const QString& text);
// Such a text as a span of code, for names and ids.
[[nodiscard]] QString markdownCode(const QString& text);
// Lines as a block of code that none of them can end.
[[nodiscard]] QString markdownBlock(const QStringList& lines);

}  // namespace lockkeeper::ui
