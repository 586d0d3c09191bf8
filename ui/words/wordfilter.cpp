// SPDX-License-Identifier: Apache-2.0
#include "ui/words/wordfilter.h"

#include <algorithm>

namespace lockkeeper::ui {

WordFilter::WordFilter(const QString& typed) : m_words(typed.split(QLatin1Char(' '), Qt::SkipEmptyParts)) {}

bool WordFilter::accepts(const QString& text) const {
    return std::all_of(m_words.begin(), m_words.end(),
                       [&text](const QString& word) { return text.contains(word, Qt::CaseInsensitive); });
}

}  // namespace lockkeeper::ui
