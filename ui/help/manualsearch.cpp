// SPDX-License-Identifier: Apache-2.0
#include "ui/help/manualsearch.h"

#include <QTextBlock>
#include <QTextDocument>

#include <algorithm>

namespace lockkeeper::ui {

namespace {

QString excerptOf(const QString& text, const QString& word) {
    constexpr qsizetype before = 30;
    constexpr qsizetype length = 100;
    const qsizetype at = std::max<qsizetype>(text.indexOf(word, 0, Qt::CaseInsensitive), 0);
    const qsizetype start = std::max<qsizetype>(at - before, 0);
    const QString begin = start > 0 ? QStringLiteral("…") : QString();
    const QString end = start + length < text.size() ? QStringLiteral("…") : QString();
    return begin + text.mid(start, length).trimmed() + end;
}

}  // namespace

ManualSearch::ManualSearch() : m_pages(manualPages()) {
    for (const ManualPage& page : m_pages)
        add(page);
}

void ManualSearch::add(const ManualPage& page) {
    QTextDocument document;
    readManualPage(page.file, document);
    for (QTextBlock block = document.begin(); block.isValid(); block = block.next()) {
        const QString text = block.text();
        if (block.blockFormat().headingLevel() > 0)
            m_sections << Section{page.file + QLatin1Char('#') + anchorOf(text), page.title, text, {}};
        else if (!m_sections.isEmpty())
            m_sections.last().text += text + QLatin1Char(' ');
    }
}

QList<ManualHit> ManualSearch::find(const QStringList& words) const {
    QList<ManualHit> hits;
    if (words.isEmpty())
        return hits;
    for (const Section& section : m_sections) {
        const auto contains = [&section](const QString& word) {
            return section.text.contains(word, Qt::CaseInsensitive) ||
                   section.heading.contains(word, Qt::CaseInsensitive);
        };
        if (std::all_of(words.begin(), words.end(), contains))
            hits << ManualHit{section.place, section.page, section.heading, excerptOf(section.text, words.first())};
    }
    return hits;
}

}  // namespace lockkeeper::ui
