// SPDX-License-Identifier: Apache-2.0
#include "ui/locks/filter/filtermistaketext.h"

#include "ui/words/locktext.h"

#include <QCoreApplication>

#include <algorithm>

namespace lockkeeper::ui {

namespace {

constexpr qsizetype longestWord = 60;

struct FilterMistakeText {
    Q_DECLARE_TR_FUNCTIONS(FilterMistakeText)
};

QString mistakeText(const FilterMistake& mistake) {
    const QString word = shortened(mistake.word, longestWord);
    switch (mistake.kind) {
        case FilterMistake::Kind::NoValue:
            return FilterMistakeText::tr("%1: there is no value yet, as in held:>5m or count:>1.").arg(word);
        case FilterMistake::Kind::NoTime:
            return FilterMistakeText::tr("%1: this is no time. A time is a number with ms, s, m, h or d, as in %2:>5m.")
                .arg(word, mistake.field);
        case FilterMistake::Kind::NoNumber:
            return FilterMistakeText::tr("%1: this is no whole number, as in %2:>1.").arg(word, mistake.field);
        case FilterMistake::Kind::NoSuchValue:
            return FilterMistakeText::tr("%1: no lock has this %2.", "%2: kind, state, diagnosis or internal")
                .arg(word, mistake.field);
        case FilterMistake::Kind::UnknownField:
            break;
    }
    if (!mistake.field.isEmpty())
        return FilterMistakeText::tr("%1: there is no such field. Did you mean %2%3?")
            .arg(word, mistake.field, shortened(mistake.word.mid(mistake.word.indexOf(u':')), longestWord));
    return FilterMistakeText::tr(
               "%1: there is no such field. What can be compared: held, ttl, waiters, count, renewals.")
        .arg(word);
}

}  // namespace

QString filterMistakesText(const QList<FilterMistake>& mistakes) {
    constexpr qsizetype mostLines = 3;
    QStringList lines;
    for (const FilterMistake& mistake : mistakes.first(std::min(mistakes.size(), mostLines)))
        lines << mistakeText(mistake);
    return lines.join(u'\n');
}

}  // namespace lockkeeper::ui
