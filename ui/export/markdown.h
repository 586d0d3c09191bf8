// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QString>

namespace lockkeeper::ui {

// Text of a server's or a user's as it is, on one line of Markdown: no character of it is markup, and no address in it
// becomes a link.
[[nodiscard]] QString markdownText(const QString& text);
// The same as a span of code, for names and ids.
[[nodiscard]] QString markdownCode(const QString& text);
// Lines as a block of code that none of them can end.
[[nodiscard]] QString markdownBlock(const QStringList& lines);

}  // namespace lockkeeper::ui
