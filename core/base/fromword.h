// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QString>

#include <optional>

namespace lockkeeper {

// The value of an enumeration whose stable word this is; nothing if no value has it. The namespace of the enumeration
// has a function wordFor(). Values are numbered from 0, and the search ends at the first number for which wordFor()
// returns nothing.
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
