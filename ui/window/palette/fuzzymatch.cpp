// SPDX-License-Identifier: Apache-2.0
#include "ui/window/palette/fuzzymatch.h"

#include <QStringView>

namespace lockkeeper::ui {

namespace {

constexpr int atStart = 0;
constexpr int atWord = 10;
constexpr int anywhere = 20;
constexpr int scattered = 100;
constexpr int mostGapsCounted = 1000;

// How many letters stand between those of the word; nothing if the text does not have all of them in this order.
std::optional<int> gapsOf(QStringView word, QStringView text) {
    int gaps = 0;
    qsizetype next = 0;
    for (qsizetype i = 0; i < text.size() && next < word.size(); ++i) {
        if (text.at(i).toCaseFolded() == word.at(next).toCaseFolded())
            ++next;
        else if (next > 0 && gaps < mostGapsCounted)
            ++gaps;
    }
    return next == word.size() ? std::optional(gaps) : std::nullopt;
}

std::optional<int> matchOfWord(QStringView word, QStringView text) {
    qsizetype at = text.indexOf(word, 0, Qt::CaseInsensitive);
    if (at == 0)
        return atStart;
    const bool isFound = at > 0;
    for (; at > 0; at = text.indexOf(word, at + 1, Qt::CaseInsensitive)) {
        if (!text.at(at - 1).isLetterOrNumber())
            return atWord;
    }
    if (isFound)
        return anywhere;
    const std::optional<int> gaps = gapsOf(word, text);
    return gaps ? std::optional(scattered + *gaps) : std::nullopt;
}

}  // namespace

std::optional<int> fuzzyMatch(const QString& typed, const QString& text) {
    int sum = 0;
    for (const QStringView word : QStringView(typed).split(u' ', Qt::SkipEmptyParts)) {
        const std::optional<int> match = matchOfWord(word, text);
        if (!match)
            return std::nullopt;
        sum += *match;
    }
    return sum;
}

}  // namespace lockkeeper::ui
