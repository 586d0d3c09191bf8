// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QString>
#include <QStringList>

#include <algorithm>

namespace lockkeeper::ui {

// A live filter as a reader types it: words, in any case, each of which must be somewhere in the text.
class WordFilter {
public:
    WordFilter() = default;
    explicit WordFilter(const QString& typed) : m_words(typed.split(QLatin1Char(' '), Qt::SkipEmptyParts)) {}

    [[nodiscard]] bool isEmpty() const noexcept { return m_words.isEmpty(); }
    [[nodiscard]] bool accepts(const QString& text) const {
        return std::all_of(m_words.begin(), m_words.end(),
                           [&text](const QString& word) { return text.contains(word, Qt::CaseInsensitive); });
    }

    friend bool operator==(const WordFilter&, const WordFilter&) = default;

private:
    QStringList m_words;
};

}  // namespace lockkeeper::ui
