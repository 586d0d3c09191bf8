// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QString>
#include <QStringList>

#include <algorithm>

namespace lockkeeper::ui {

// A live filter as a reader types it: words, in any case, each of which must be somewhere in the text. The word
// node:TEXT also accepts what is on a node with TEXT in its address.
class WordFilter {
public:
    WordFilter() = default;
    explicit WordFilter(const QString& typed) : m_words(typed.split(QLatin1Char(' '), Qt::SkipEmptyParts)) {}

    [[nodiscard]] bool isEmpty() const noexcept { return m_words.isEmpty(); }
    // node: its address; empty without a Cluster.
    [[nodiscard]] bool accepts(const QString& text, const QString& node = QString()) const {
        return std::all_of(m_words.begin(), m_words.end(), [&text, &node](const QString& word) {
            return text.contains(word, Qt::CaseInsensitive) || namesNode(word, node);
        });
    }

    friend bool operator==(const WordFilter&, const WordFilter&) = default;

private:
    [[nodiscard]] static bool namesNode(const QString& word, const QString& node) {
        constexpr QLatin1String prefix("node:");
        return !node.isEmpty() && word.startsWith(prefix, Qt::CaseInsensitive) &&
               node.contains(QStringView(word).mid(prefix.size()), Qt::CaseInsensitive);
    }

    QStringList m_words;
};

}  // namespace lockkeeper::ui
