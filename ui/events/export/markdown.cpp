// SPDX-License-Identifier: Apache-2.0
#include "ui/events/export/markdown.h"

#include <QStringList>

#include <algorithm>

namespace lockkeeper::ui {

namespace {

QString onOneLine(QString text) {
    return text.replace(u'\n', u' ').replace(u'\r', u' ');
}

int longestRun(const QString& text, QChar of) {
    int longest = 0;
    int run = 0;
    for (const QChar character : text) {
        run = character == of ? run + 1 : 0;
        longest = std::max(longest, run);
    }
    return longest;
}

}  // namespace

QString markdownText(const QString& text) {
    // A colon and a dot are escaped only where GitHub would make a link of the address.
    static const QString special = QStringLiteral("\\`*_{}[]<>()#+!|~&@$^");
    const QString line = onOneLine(text);
    QString escaped;
    escaped.reserve(line.size());
    for (qsizetype i = 0; i < line.size(); ++i) {
        const QStringView rest = QStringView(line).sliced(i);
        const bool beginsALink =
            rest.startsWith(QStringLiteral("://")) ||
            (line[i] == u'.' && i >= 3 &&
             QStringView(line).sliced(i - 3, 3).compare(QStringLiteral("www"), Qt::CaseInsensitive) == 0);
        const bool beginsAList = i == 0 && (line[i] == u'-' || line[i] == u'=');
        if (special.contains(line[i]) || beginsALink || beginsAList)
            escaped += u'\\';
        escaped += line[i];
    }
    return escaped;
}

QString markdownCode(const QString& text) {
    const QString line = onOneLine(text);
    const QString fence(longestRun(line, u'`') + 1, u'`');
    const bool needsRoom = line.startsWith(u'`') || line.endsWith(u'`') || line.trimmed() != line || line.isEmpty();
    return needsRoom ? fence + u' ' + line + u' ' + fence : fence + line + fence;
}

QString markdownBlock(const QStringList& lines) {
    int longest = 2;
    QStringList shown;
    for (const QString& line : lines) {
        longest = std::max(longest, longestRun(line, u'`'));
        shown << onOneLine(line);
    }
    const QString fence(longest + 1, u'`');
    return fence + QStringLiteral("text\n") + shown.join(u'\n') + u'\n' + fence + u'\n';
}

}  // namespace lockkeeper::ui
