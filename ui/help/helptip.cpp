// SPDX-License-Identifier: Apache-2.0
#include "ui/help/helptip.h"

#include "ui/words/locktext.h"

#include <QStringList>

namespace lockkeeper::ui {

namespace {

constexpr qsizetype longestTip = 4000;  // characters

}  // namespace

QString helpTip(const QString& paragraphs) {
    QString html;
    for (const QString& paragraph : shortened(paragraphs, longestTip).split(QLatin1Char('\n'), Qt::SkipEmptyParts))
        html += QStringLiteral("<p>%1</p>").arg(paragraph.toHtmlEscaped());
    return html;
}

}  // namespace lockkeeper::ui
