// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QString>

#include <optional>

namespace lockkeeper::ui {

// How well a text matches what was typed; a lower number is better, nothing: it does not match. Each word must be
// found: at the beginning, at the beginning of a word, anywhere, or at least its letters in this order. Upper and lower
// case are the same.
[[nodiscard]] std::optional<int> fuzzyMatch(const QString& typed, const QString& text);

}  // namespace lockkeeper::ui
