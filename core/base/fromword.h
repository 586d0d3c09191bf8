// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QString>

#include <optional>

namespace lockkeeper {

// The value of an enumeration with this stable word, as the wordFor() of its namespace has it; nothing: there is none. Values are
// numbered from 0, and the first number for which wordFor() returns nothing ends the search.
template <typename Value>
[[nodiscard]] std::optional<Value> fromWord(QStringView word) {
    for (int number = 0;; ++number) {
        const auto value = static_cast<Value>(number);
        const QString candidate = wordFor(value);
        if (candidate.isEmpty())
            return std::nullopt;
        if (candidate == word)
            return value;
    }
}

}  // namespace lockkeeper
