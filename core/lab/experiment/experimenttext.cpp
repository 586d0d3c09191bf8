// SPDX-License-Identifier: Apache-2.0
#include "lab/experiment/experimenttext.h"

#include <QFile>
#include <QMap>
#include <QRegularExpression>

#include <algorithm>

namespace lockkeeper::lab {

namespace {

// Multiplies a number with or without decimals, whatever the decimal mark is.
QString multiplied(const QString& whole, const QString& mark, const QString& decimals, int by) {
    const QString digits =
        QString::number((whole + decimals).toLongLong() * by).rightJustified(decimals.size() + 1, u'0');
    QString left = digits.chopped(decimals.size());
    QString right = digits.last(decimals.size());
    while (right.endsWith(u'0'))
        right.chop(1);
    return right.isEmpty() ? left : left + mark + right;
}

QString withTimes(const QString& markdown, int stretch) {
    static const QRegularExpression time(QStringLiteral("\\{(\\d{1,9})(?:([.,])(\\d{1,3}))?\\}"));
    QString shown;
    qsizetype end = 0;
    for (QRegularExpressionMatchIterator it = time.globalMatch(markdown); it.hasNext();) {
        const QRegularExpressionMatch match = it.next();
        shown += QStringView(markdown).sliced(end, match.capturedStart() - end);
        shown += multiplied(match.captured(1), match.captured(2), match.captured(3), stretch);
        end = match.capturedEnd();
    }
    return shown + markdown.sliced(end);
}

// The text of each section by its heading; the text before the second heading has the heading "".
struct Sections {
    QString title;
    QMap<QString, QString> texts;
};

Sections sectionsOf(const QString& markdown) {
    Sections sections;
    QString heading;
    for (const QString& line : markdown.split(u'\n')) {
        if (line.startsWith(u"# "))
            sections.title = line.mid(2).trimmed();
        else if (line.startsWith(u"## "))
            heading = line.mid(3).trimmed();
        else
            sections.texts[heading] += line + u'\n';
    }
    return sections;
}

bool isPrediction(const QString& line) {
    return line.startsWith(u"- [ ] ") || line.startsWith(u"- [x] ");
}

// Each part is one line.
void takeQuestion(ExperimentText& text, const QString& section) {
    constexpr qsizetype markLength = 6;
    QStringList question;
    for (const QString& line : section.split(u'\n')) {
        if (isPrediction(line))
            text.predictions += {line.mid(markLength).trimmed(), line.at(3) == u'x'};
        else
            question += line;
    }
    text.question = question.join(u'\n').trimmed();
}

bool isWhole(const ExperimentText& text) {
    const auto right = std::ranges::count(text.predictions, true, &ExperimentText::Prediction::isRight);
    return !text.title.isEmpty() && !text.question.isEmpty() && text.predictions.size() >= 2 && right == 1 &&
           !text.explanation.isEmpty() && !text.withoutCause.isEmpty() && !text.tryYourself.isEmpty();
}

}  // namespace

std::optional<ExperimentText> experimentTextFrom(const QString& markdown, int stretch) {
    const Sections sections = sectionsOf(withTimes(markdown, stretch));
    ExperimentText text;
    text.title = sections.title;
    takeQuestion(text, sections.texts.value(QString()));
    text.explanation = sections.texts.value(QStringLiteral("Why")).trimmed();
    text.withoutCause = sections.texts.value(QStringLiteral("Without what caused it")).trimmed();
    text.tryYourself = sections.texts.value(QStringLiteral("Now try yourself")).trimmed();
    return isWhole(text) ? std::optional(text) : std::nullopt;
}

std::optional<ExperimentText> experimentTextOf(const QByteArray& id, int stretch) {
    QFile file(QStringLiteral(":/lockkeeper/lab/%1.md").arg(QString::fromLatin1(id)));
    if (!file.open(QIODevice::ReadOnly))
        return std::nullopt;
    return experimentTextFrom(QString::fromUtf8(file.readAll()), stretch);
}

}  // namespace lockkeeper::lab
